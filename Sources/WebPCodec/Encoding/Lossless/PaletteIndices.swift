// The forward palette transform: indices of up to 256 colours, several in a pixel if there are few (RFC 9649, section
// 3.5.4).

internal import ImageCoding

/// The colours of an image, in the order in which they are stored.
struct Palette {
  private(set) var colors: [UInt32]

  static let greatestCount = 256

  /// Collects the colours of an image; `nil` if there are more than 256.
  init?(of pixels: Span<UInt32>) {
    var set = ColorSet()
    var previous: UInt32?
    for index in pixels.indices {
      let pixel = pixels[index]
      if pixel == previous { continue }
      previous = pixel
      guard set.insert(pixel) else { return nil }
    }
    colors = set.colors.sorted()
    if hasIrregularSteps { sortByDifferences() }
  }

  /// The binary logarithm of the number of indices in a pixel.
  var packingBits: Int { colors.count <= 2 ? 3 : colors.count <= 4 ? 2 : colors.count <= 16 ? 1 : 0 }

  /// The colours as differences from one another, as they are stored.
  var differences: [UInt32] {
    colors.indices.map { $0 == 0 ? colors[0] : subtractPixels(colors[$0], colors[$0 - 1]) }
  }

  /// Returns the indices of an image's colours, packed into the green samples.
  func indices(_ pixels: Span<UInt32>, width: Int, height: Int) -> [UInt32] {
    var set = ColorSet()
    for color in colors { _ = set.insert(color) }
    let packedWidth = InverseTransforms.blockCount(width, bits: packingBits)
    let bits = UInt32(8 >> packingBits)
    let mask = 1 << packingBits - 1
    var result = [UInt32](repeating: 0xFF00_0000, count: packedWidth * height)
    var output = result.mutableSpan
    var (previous, previousIndex) = (colors[0], UInt32(0))
    for y in 0..<height {
      for x in 0..<width {
        let pixel = pixels[y &* width &+ x]
        if pixel != previous {
          previous = pixel
          previousIndex = UInt32(truncatingIfNeeded: set.index(of: pixel))
        }
        let shift = 8 &+ UInt32(truncatingIfNeeded: x & mask) &* bits
        output[y &* packedWidth &+ x &>> packingBits] |= previousIndex &<< shift
      }
    }
    return result
  }

  // MARK: Order

  /// Whether the samples of sorted colours rise and fall: sorting then does not make their differences small.
  private var hasIrregularSteps: Bool {
    var signs: UInt32 = 0
    var previous: UInt32 = 0
    for color in colors {
      let difference = subtractPixels(color, previous)
      for (channel, shift) in [16 as UInt32, 8, 0].enumerated() {
        let step = UInt8(truncatingIfNeeded: difference >> shift)
        if step != 0 { signs |= 1 << UInt32(channel * 2 + (step < 0x80 ? 0 : 1)) }
      }
      previous = color
    }
    return signs & signs << 1 & 0b101010 != 0
  }

  /// Puts the colour nearest to the last one next.
  private mutating func sortByDifferences() {
    var previous: UInt32 = 0
    for place in colors.indices {
      var best = (index: place, cost: Int.max)
      for index in place..<colors.count {
        let cost = Self.distance(colors[index], previous)
        if cost < best.cost { best = (index, cost) }
      }
      colors.swapAt(place, best.index)
      previous = colors[place]
    }
  }

  private static func distance(_ a: UInt32, _ b: UInt32) -> Int {
    let difference = subtractPixels(a, b)
    func magnitude(_ shift: UInt32) -> Int { abs(Int(Int8(truncatingIfNeeded: difference >> shift))) }
    // Alpha is rarely coded with many values, so that a change is dear.
    return (magnitude(0) + magnitude(8) + magnitude(16)) * 9 + magnitude(24)
  }
}

/// A set of up to 256 colours.
private struct ColorSet {
  private(set) var colors: [UInt32] = []
  /// The index of a colour plus one at its place or one of those after it; 0 for none.
  private var places = [UInt16](repeating: 0, count: 1024)

  /// Returns the place of a colour, or the free place where it belongs.
  @inline(__always)
  private func place(of color: UInt32) -> Int {
    var place = Int(truncatingIfNeeded: (color &* 0x1E35_A7BD) &>> 22)
    while places[place] != 0, colors[Int(places[place]) &- 1] != color { place = (place &+ 1) & 1023 }
    return place
  }

  /// Returns `false` if there is no room for a new colour.
  mutating func insert(_ color: UInt32) -> Bool {
    let place = place(of: color)
    if places[place] != 0 { return true }
    guard colors.count < Palette.greatestCount else { return false }
    colors.append(color)
    places[place] = UInt16(colors.count)
    return true
  }

  /// Returns the index of a colour that was inserted.
  @inline(__always)
  func index(of color: UInt32) -> Int { Int(places[place(of: color)]) &- 1 }
}
