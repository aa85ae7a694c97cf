// The planes that the lossy encoder codes: Y, U and V of the picture with libwebp's arithmetic, extended to whole
// macroblocks by repetition.

internal import ImageCoding

/// 4:2:0 planes of whole macroblocks.
struct LossySource: Sendable {
  let size: PixelSize
  let columns: Int
  let rows: Int
  /// Sixteen samples per column of macroblocks and row.
  var luma: [UInt8]
  /// Eight samples per column of macroblocks and row.
  var u: [UInt8]
  var v: [UInt8]

  var lumaStride: Int { columns * 16 }
  var chromaStride: Int { columns * 8 }

  /// The work of converting a pixel.
  private static let workPerPixel = 8

  /// Converts a picture. Transparent pixels contribute less to chroma, unless it is sharp.
  init(
    _ picture: EncodablePicture, usesSharpChroma: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    size = picture.size
    columns = (size.width + 15) / 16
    rows = (size.height + 15) / 16
    try budget.allocate(count: columns * rows, bytesEach: 384)
    luma = [UInt8](repeating: 0, count: columns * rows * 256)
    u = [UInt8](repeating: 0, count: columns * rows * 64)
    v = [UInt8](repeating: 0, count: columns * rows * 64)
    if usesSharpChroma {
      try convertSharply(picture, &budget)
    } else {
      let converter = ChromaConverter()
      for y in 0..<(size.height + 1) / 2 {
        try budget.chargeWork(count: size.width, unitsEach: 2 * Self.workPerPixel)
        Self.convertRows(y, picture, converter, stride: columns * 16, &luma, &u, &v)
      }
    }
    extend()
  }

  private mutating func convertSharply(
    _ picture: EncodablePicture, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let held = try budget.allocate(
      count: size.width * size.height, bytesEach: SharpChromaConverter.bytesPerPixel)
    defer { budget.release(held) }
    var converter = SharpChromaConverter(picture)
    try converter.iterate(&budget)
    for y in 0..<size.height {
      for x in 0..<size.width { luma[y * lumaStride + x] = converter.luma(x: x, y: y) }
    }
    for y in 0..<(size.height + 1) / 2 {
      for x in 0..<(size.width + 1) / 2 {
        (u[y * chromaStride + x], v[y * chromaStride + x]) = converter.chroma(x: x, y: y)
      }
    }
  }

  /// Repeats the last column and the last row up to the ends of the planes.
  private mutating func extend() {
    let (size, lumaStride, chromaStride) = (size, lumaStride, chromaStride)
    Self.extend(&luma, width: size.width, height: size.height, stride: lumaStride)
    let chroma = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    Self.extend(&u, width: chroma.width, height: chroma.height, stride: chromaStride)
    Self.extend(&v, width: chroma.width, height: chroma.height, stride: chromaStride)
  }

  /// The number of bytes of the planes.
  var byteCount: Int { columns * rows * 384 }

  private static func convertRows(
    _ row: Int, _ picture: EncodablePicture, _ converter: ChromaConverter, stride: Int, _ luma: inout [UInt8],
    _ u: inout [UInt8], _ v: inout [UInt8]
  ) {
    let pixels = picture.pixels.span
    let (width, height) = (picture.size.width, picture.size.height)
    let top = row * 2 * width
    let bottom = row * 2 + 1 < height ? top + width : top
    var lumaSpan = luma.mutableSpan
    for (offset, start) in [(0, top), (1, bottom)] where row * 2 + offset < height {
      let target = (row * 2 + offset) * stride
      var x = 0
      while x < width {
        lumaSpan[target &+ x] = lumaSample(pixels[start &+ x])
        x &+= 1
      }
    }
    var uSpan = u.mutableSpan
    var vSpan = v.mutableSpan
    let target = row * stride / 2
    var x = 0
    while x < (width + 1) / 2 {
      let left = 2 &* x
      let right = min(left &+ 1, width &- 1)
      let sample = converter.chroma(
        pixels[top &+ left], pixels[top &+ right], pixels[bottom &+ left], pixels[bottom &+ right],
        usesAlpha: picture.hasAlpha)
      uSpan[target &+ x] = sample.u
      vSpan[target &+ x] = sample.v
      x &+= 1
    }
  }

  private static func extend(_ plane: inout [UInt8], width: Int, height: Int, stride: Int) {
    var samples = plane.mutableSpan
    if width < stride {
      for y in 0..<height {
        let last = samples[y * stride + width - 1]
        for x in width..<stride { samples[y * stride + x] = last }
      }
    }
    var index = height * stride
    while index < samples.count {
      samples[index] = samples[index &- stride]
      index &+= 1
    }
  }
}

/// Returns the luma of a pixel: BT.601 with a range of 16…235.
@inline(__always)
func lumaSample(_ pixel: UInt32) -> UInt8 {
  let (red, green, blue) = (pixel &>> 16 & 0xFF, pixel &>> 8 & 0xFF, pixel & 0xFF)
  return UInt8(truncatingIfNeeded: (16839 &* red &+ 33059 &* green &+ 6420 &* blue &+ 0x10_8000) &>> 16)
}

/// Averages 2 × 2 pixels in approximately linear light and converts them to U and V.
struct ChromaConverter: Sendable {
  /// The linear values of samples, 0…4095.
  private let linear: [UInt16]
  /// The samples of linear values at intervals of 128.
  private let gamma: [Int32]
  /// 2¹⁹ divided by sums of alpha.
  private let inverseAlpha: [UInt32]

  private static let exponent = 0.8

  init() {
    linear = (0..<256).map { value in
      UInt16(ElementaryFunctions.power(Double(value) / 255, Self.exponent) * 4095 + 0.5)
    }
    gamma = (0..<34).map { index in
      // The last entry is only ever weighted with zero.
      let value = Double(min(index, 32)) * 128 / 4095
      return Int32(255 * ElementaryFunctions.power(value, 1 / Self.exponent) + 0.5)
    }
    inverseAlpha = (0...4 * 255).map { $0 == 0 ? 0 : (1 << 19) / UInt32($0) }
  }

  /// Returns the chroma of four pixels.
  @inline(__always)
  func chroma(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, usesAlpha: Bool
  ) -> (u: UInt8, v: UInt8) {
    let red = average(a, b, c, d, 16, usesAlpha)
    let green = average(a, b, c, d, 8, usesAlpha)
    let blue = average(a, b, c, d, 0, usesAlpha)
    return (
      Self.sample(-9719 &* red &- 19081 &* green &+ 28800 &* blue),
      Self.sample(28800 &* red &- 24116 &* green &- 4684 &* blue)
    )
  }

  /// Returns four times the average of a sample of four pixels, weighted by alpha unless all are opaque or invisible.
  @inline(__always)
  private func average(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, _ shift: UInt32, _ usesAlpha: Bool
  ) -> Int32 {
    @inline(__always)
    func value(_ pixel: UInt32) -> UInt32 { UInt32(linear[Int(truncatingIfNeeded: pixel &>> shift & 0xFF)]) }
    if usesAlpha {
      let total = a &>> 24 &+ b &>> 24 &+ c &>> 24 &+ d &>> 24
      if total != 0, total != 4 * 255 {
        let sum =
          value(a) &* (a &>> 24) &+ value(b) &* (b &>> 24) &+ value(c) &* (c &>> 24) &+ value(d) &* (d &>> 24)
        let weighted = (UInt64(sum) &* UInt64(inverseAlpha[Int(total)])) &>> 17
        return sample(linear: UInt32(truncatingIfNeeded: weighted))
      }
    }
    return sample(linear: value(a) &+ value(b) &+ value(c) &+ value(d))
  }

  /// Returns four times the sample of a linear value, given four times that value.
  @inline(__always)
  private func sample(linear value: UInt32) -> Int32 {
    let place = Int(truncatingIfNeeded: value &>> 9)
    let part = Int32(truncatingIfNeeded: value & 511)
    return (gamma[place &+ 1] &* part &+ gamma[place] &* (512 &- part) &+ 64) &>> 7
  }

  @inline(__always)
  private static func sample(_ sum: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max((sum &+ 131_072 &+ 128 &<< 18) &>> 18, 0), 255))
  }
}

extension EncodablePicture {
  /// Replaces the colours of fully transparent pixels by ones that cost few bits: the average of the visible pixels in the
  /// same block of 8 × 8, or that of the block before.
  mutating func flattenInvisiblePixels() {
    guard hasAlpha else { return }
    let (width, height) = (size.width, size.height)
    var span = pixels.mutableSpan
    var fill: UInt32 = 0
    for top in stride(from: 0, to: height, by: 8) {
      for left in stride(from: 0, to: width, by: 8) {
        var (red, green, blue, count): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
        let (bottom, right) = (min(top + 8, height), min(left + 8, width))
        for y in top..<bottom {
          for x in left..<right {
            let pixel = span[y &* width &+ x]
            guard pixel >= 0x0100_0000 else { continue }
            red &+= pixel &>> 16 & 0xFF
            green &+= pixel &>> 8 & 0xFF
            blue &+= pixel & 0xFF
            count &+= 1
          }
        }
        if count == UInt32((bottom - top) * (right - left)) { continue }
        if count > 0 { fill = red / count << 16 | green / count << 8 | blue / count }
        for y in top..<bottom {
          for x in left..<right where span[y &* width &+ x] < 0x0100_0000 { span[y &* width &+ x] = fill }
        }
      }
    }
  }
}
