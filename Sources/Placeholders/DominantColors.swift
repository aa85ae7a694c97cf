// The average colour of a picture, and its few most common colours.

public import ImageCore

/// A colour and how much of a picture is like it.
public struct DominantColor: Hashable, Sendable, Codable {
  /// The average of the pixels that are like it.
  public let color: RGBA8
  /// The fraction of the visible pixels, 0…1.
  public let share: Double

  /// Creates a colour with its share.
  public init(color: RGBA8, share: Double) {
    self.color = color
    self.share = share
  }
}

extension Bitmap {
  /// The longer side of the pictures that are examined; larger ones are shrunk first.
  private static var examinedSide: Int { 96 }

  /// Returns the average colour and the average alpha. Colours count by their alpha; a transparent picture is black.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` if the picture has no pixels, `CodecError.Kind.limitExceeded` if a
  ///   limit of the budget is exceeded, `CodecError.Kind.cancelled` or `CodecError.Kind.deadlineExceeded`.
  public func averageColor(budget: inout ResourceBudget) throws(CodecError) -> RGBA8 {
    let pixels = try shrunk(toFit: Self.examinedSide, &budget).packedPixels
    var sums = [Int](repeating: 0, count: 4)
    for index in stride(from: 0, to: pixels.count, by: 4) {
      let alpha = Int(pixels[index + 3])
      for channel in 0..<3 { sums[channel] += Int(pixels[index + channel]) * alpha }
      sums[3] += alpha
    }
    func average(_ sum: Int, _ count: Int) -> UInt8 { count == 0 ? 0 : UInt8((sum + count / 2) / count) }
    return RGBA8(
      red: average(sums[0], sums[3]), green: average(sums[1], sums[3]), blue: average(sums[2], sums[3]),
      alpha: average(sums[3], pixels.count / 4))
  }

  /// Returns the average colour within the default limits. See ``averageColor(budget:)``.
  public func averageColor() throws(CodecError) -> RGBA8 {
    var budget = ResourceBudget(.default)
    return try averageColor(budget: &budget)
  }

  /// Returns the most common colours, the most common first. Pixels are grouped so that those of a group differ as little
  /// as possible; pixels that are more transparent than opaque are left out.
  ///
  /// - Parameters:
  ///   - maximumCount: the number of groups, 1…32. There are fewer if the picture has fewer colours, and none if it is
  ///     transparent.
  ///   - budget: charged with memory and work before they are spent.
  /// - Throws: `CodecError.Kind.invalidArgument` if the picture has no pixels or the count is out of range,
  ///   `CodecError.Kind.limitExceeded` if a limit of the budget is exceeded, `CodecError.Kind.cancelled` or
  ///   `CodecError.Kind.deadlineExceeded`.
  public func dominantColors(
    maximumCount: Int = 5, budget: inout ResourceBudget
  ) throws(CodecError) -> [DominantColor] {
    guard (1...32).contains(maximumCount) else {
      throw CodecError(.invalidArgument, "\(maximumCount) dominant colours were requested; 1…32 are possible")
    }
    let pixels = try shrunk(toFit: Self.examinedSide, &budget).packedPixels
    try budget.chargeWork(count: pixels.count / 4, unitsEach: 40 * maximumCount)
    var colors: [ColorGroup.Pixel] = []
    for index in stride(from: 0, to: pixels.count, by: 4) where pixels[index + 3] >= 128 {
      colors.append([Int32(pixels[index]), Int32(pixels[index + 1]), Int32(pixels[index + 2])])
    }
    guard !colors.isEmpty else { return [] }
    return ColorGroup.split(colors, maximumCount: maximumCount)
      .map { DominantColor(color: $0.average, share: Double($0.pixels.count) / Double(colors.count)) }
      .sorted { $0.share > $1.share }
  }

  /// Returns the most common colours within the default limits. See ``dominantColors(maximumCount:budget:)``.
  public func dominantColors(maximumCount: Int = 5) throws(CodecError) -> [DominantColor] {
    var budget = ResourceBudget(.default)
    return try dominantColors(maximumCount: maximumCount, budget: &budget)
  }
}

/// Pixels of similar colours.
private struct ColorGroup {
  typealias Pixel = InlineArray<3, Int32>

  var pixels: [Pixel]
  private var sums = InlineArray<3, Int>(repeating: 0)
  /// The sum of squared distances from the average in each channel.
  private var variances = InlineArray<3, Double>(repeating: 0)

  init(_ pixels: [Pixel]) {
    self.pixels = pixels
    var squares = InlineArray<3, Int>(repeating: 0)
    for pixel in pixels {
      for channel in 0..<3 {
        sums[channel] += Int(pixel[channel])
        squares[channel] += Int(pixel[channel] * pixel[channel])
      }
    }
    for channel in 0..<3 {
      let sum = Double(sums[channel])
      variances[channel] = Double(squares[channel]) - sum * sum / Double(max(1, pixels.count))
    }
  }

  var average: RGBA8 {
    func sample(_ channel: Int) -> UInt8 { UInt8((sums[channel] + pixels.count / 2) / pixels.count) }
    return RGBA8(red: sample(0), green: sample(1), blue: sample(2))
  }

  private var variance: Double { variances[0] + variances[1] + variances[2] }

  /// Splits pixels into groups: first repeatedly the group of most variance at its average in the channel that varies most,
  /// then by moving pixels to the nearest average.
  static func split(_ pixels: [Pixel], maximumCount: Int) -> [ColorGroup] {
    var groups = [ColorGroup(pixels)]
    while groups.count < maximumCount {
      guard let index = groups.indices.max(by: { groups[$0].variance < groups[$1].variance }),
        groups[index].variance >= 1
      else { break }
      groups.append(groups[index].splitInHalf())
    }
    for _ in 0..<4 { groups = regrouped(pixels, groups.map({ $0.average })) }
    return groups
  }

  /// Keeps the darker pixels and returns the others.
  private mutating func splitInHalf() -> ColorGroup {
    let channel = [0, 1, 2].max { variances[$0] < variances[$1] } ?? 0
    let threshold = sums[channel]
    let brighter = pixels.filter { Int($0[channel]) * pixels.count > threshold }
    let darker = pixels.filter { Int($0[channel]) * pixels.count <= threshold }
    self = ColorGroup(darker)
    return ColorGroup(brighter)
  }

  private static func regrouped(_ pixels: [Pixel], _ centers: [RGBA8]) -> [ColorGroup] {
    var groups = [[Pixel]](repeating: [], count: centers.count)
    for pixel in pixels {
      var (nearest, least) = (0, Int32.max)
      for (index, center) in centers.enumerated() {
        let red = pixel[0] - Int32(center.red)
        let green = pixel[1] - Int32(center.green)
        let blue = pixel[2] - Int32(center.blue)
        let distance = red * red + green * green + blue * blue
        if distance < least { (nearest, least) = (index, distance) }
      }
      groups[nearest].append(pixel)
    }
    return groups.filter { !$0.isEmpty }.map(ColorGroup.init)
  }
}
