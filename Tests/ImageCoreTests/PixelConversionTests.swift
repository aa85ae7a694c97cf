import ImageCore
import TestSupport
import Testing

/// One pixel in real numbers, straight alpha, 0…1.
private struct RealPixel {
  var color: [Double]
  var alpha: Double
}

@Suite struct PixelArithmeticTests {
  @Test func eightBitProductsAndQuotientsAreRoundedToNearest() {
    for alpha in UInt32(0)...255 {
      for value in UInt32(0)...255 {
        #expect(PixelArithmetic.premultiply(value, alpha, maximum: 255) == (value * alpha * 2 + 255) / 510)
        let exact = alpha == 0 ? 0 : min(255, (Double(value) * 255 / Double(alpha)).rounded(.toNearestOrAwayFromZero))
        #expect(Double(PixelArithmetic.unpremultiply(value, alpha, maximum: 255)) == exact)
      }
    }
  }

  @Test func sixteenBitProductsAndQuotientsAreRoundedToNearest() {
    for alpha in stride(from: UInt32(0), through: 65535, by: 771) {
      for value in stride(from: UInt32(0), through: 65535, by: 255) {
        let product = UInt64(value) * UInt64(alpha)
        #expect(UInt64(PixelArithmetic.premultiply(value, alpha, maximum: 65535)) == (product * 2 + 65535) / 131_070)
        let quotient = alpha == 0 ? 0 : min(65535, (UInt64(value) * 65535 + UInt64(alpha) / 2) / UInt64(alpha))
        #expect(UInt64(PixelArithmetic.unpremultiply(value, alpha, maximum: 65535)) == quotient)
      }
    }
  }

  @Test func depthsChangeExactly() {
    for value in UInt32(0)...65535 {
      #expect(PixelArithmetic.narrow(value) == (value * 2 + 257) / 514)
    }
    for value in UInt32(0)...255 {
      #expect(PixelArithmetic.widen(value) == value * 257)
      #expect(PixelArithmetic.narrow(PixelArithmetic.widen(value)) == value)
    }
  }

  @Test func lumaOfGrayIsItself() {
    for value in UInt32(0)...255 { #expect(PixelArithmetic.luma(value, value, value) == value) }
    #expect(PixelArithmetic.luma(65535, 65535, 65535) == 65535)
    // Rec. 601 weights of 0.299, 0.587 and 0.114.
    #expect(PixelArithmetic.luma(255, 0, 0) == 76)
    #expect(PixelArithmetic.luma(0, 255, 0) == 150)
    #expect(PixelArithmetic.luma(0, 0, 255) == 29)
  }
}

@Suite struct PixelConversionTests {
  private func noise(_ format: PixelFormat, width: Int, height: Int, seed: UInt64) throws -> Bitmap {
    var random = TestRandom(seed)
    let count = width * height * format.samplesPerPixel
    var bytes: [UInt8] = []
    for index in 0..<count {
      // A premultiplied colour is never above its alpha: alpha is full, colours are anything.
      let isAlpha = format.alpha == .premultiplied && (index + 1) % format.samplesPerPixel == 0
      let fraction = isAlpha ? 1 : Float.random(in: 0...1, using: &random)
      switch format.sampleType {
      case .float32: bytes += withBytes(of: fraction.bitPattern)
      case .float16: bytes += withBytes(of: fraction.halfPrecisionBits)
      case .uint8, .uint16:
        for _ in 0..<format.bytesPerSample { bytes.append(isAlpha ? 255 : UInt8.random(in: 0...255, using: &random)) }
      }
    }
    return try Bitmap(width: width, height: height, format: format, pixels: bytes)
  }

  /// The bytes of an integer in memory.
  private func withBytes<Value: FixedWidthInteger>(of value: Value) -> [UInt8] {
    (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value.littleEndian >> ($0 * 8)) }
  }

  private func sample(_ bitmap: Bitmap, _ x: Int, _ y: Int, _ index: Int) -> Double {
    let row = bitmap.row(y)
    let offset = x * bitmap.format.samplesPerPixel + index
    switch bitmap.format.sampleType {
    case .uint8: return Double(row[offset]) / 255
    case .uint16: return Double(bitmap.row16(y)[offset]) / 65535
    case .float16: return Double(Float(halfPrecisionBits: bitmap.row16(y)[offset]))
    case .float32: return Double(Float(bitPattern: nativeUInt32(row, at: offset * 4)))
    }
  }

  private func real(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> RealPixel {
    let format = bitmap.format
    let alpha = format.hasAlpha ? sample(bitmap, x, y, format.colorModel.sampleCount) : 1
    var color = (0..<format.colorModel.sampleCount).map { sample(bitmap, x, y, $0) }
    if format.alpha == .premultiplied { color = color.map { alpha == 0 ? 0 : min(1, $0 / alpha) } }
    if format.colorModel == .bgr { color.reverse() }
    if format.colorModel == .gray { color = [color[0], color[0], color[0]] }
    if format.colorModel == .cmyk { color = (0..<3).map { (1 - color[$0]) * (1 - color[3]) } }
    return RealPixel(color: color, alpha: alpha)
  }

  /// The distance of two samples near a full one.
  private static func step(_ type: SampleType) -> Double {
    switch type {
    case .uint8: 1.0 / 255
    case .uint16: 1.0 / 65535
    case .float16: 0x1p-11
    case .float32: 0x1p-22
    }
  }

  /// Every pair of formats within one step a conversion of the real value: each of at most three roundings is half a
  /// step of the coarser depth, and alpha divides the error.
  @Test(arguments: PixelFormat.all)
  func everyPairOfFormatsAgreesWithRealNumbers(source: PixelFormat) throws {
    let bitmap = try noise(source, width: 13, height: 3, seed: 4)
    for target in PixelFormat.all {
      let converted = try bitmap.converted(to: target)
      #expect(converted.format == target)
      #expect(converted.pixelSize == bitmap.pixelSize)
      for y in 0..<3 {
        for x in 0..<13 {
          let before = real(bitmap, x, y)
          let after = real(converted, x, y)
          let step = max(Self.step(source.sampleType), Self.step(target.sampleType))
          if target.hasAlpha { #expect(abs(before.alpha - after.alpha) <= step * 0.51) }
          var expected = before.color
          if target.colorModel == .gray, source.colorModel != .gray {
            // Rec. 601 with weights of 16 bits, as Pillow has them.
            let luma = (19595 * expected[0] + 38470 * expected[1] + 7471 * expected[2]) / 65536
            expected = [luma, luma, luma]
          }
          // Premultiplying loses what alpha cannot hold.
          let passesThroughPremultiplied = target.alpha == .premultiplied
          let scale = passesThroughPremultiplied ? max(before.alpha, step) : 1
          let bound = passesThroughPremultiplied && before.alpha < 0.02 ? 1 : 2.1 * step / scale
          for index in 0..<3 {
            #expect(abs(after.color[index] - expected[index]) <= bound, "\(source) → \(target)")
          }
        }
      }
    }
  }

  /// Swapping red and blue does not divide by alpha, which would round.
  @Test func reorderingKeepsPremultipliedSamples() throws {
    for type in SampleType.allCases {
      let source = try noise(PixelFormat(.bgr, alpha: .premultiplied, sampleType: type), width: 9, height: 3, seed: 2)
      let result = try source.converted(to: PixelFormat(.rgb, alpha: .premultiplied, sampleType: type))
      let size = source.format.bytesPerSample
      for y in 0..<3 {
        for place in 0..<9 * 4 {
          let pixel = place / 4 * 4
          let other = place % 4 == 3 ? place : pixel + 2 - place % 4
          let (from, to) = (source.row(y), result.row(y))
          for byte in 0..<size { #expect(to[other * size + byte] == from[place * size + byte]) }
        }
      }
    }
  }

  /// The results of the loops for common pairs are those of a detour by another format.
  @Test func commonPairsEqualTheGeneralWay() throws {
    let rgba = try noise(.rgba8, width: 31, height: 2, seed: 9)
    #expect(try rgba.converted(to: .bgra8).converted(to: .rgba16) == rgba.converted(to: .rgba16))
    #expect(try rgba.converted(to: .rgb8).converted(to: .rgb16) == rgba.converted(to: .rgb16))
    let premultiplied = try rgba.converted(to: PixelFormat.rgba8.premultiplied)
    for y in 0..<2 {
      for x in 0..<31 {
        let color = rgba[x, y]
        let row = premultiplied.row(y)
        #expect(Int(row[x * 4]) == (Int(color.red) * Int(color.alpha) * 2 + 255) / 510)
        #expect(row[x * 4 + 3] == color.alpha)
      }
    }
    let rgb = try noise(.rgb8, width: 31, height: 2, seed: 9)
    #expect(try rgb.converted(to: .rgba8) == rgb.converted(to: .bgra8).converted(to: .rgba8))
    let gray = try noise(.gray8, width: 31, height: 2, seed: 9)
    #expect(try gray.converted(to: .rgba8) == gray.converted(to: .rgb8).converted(to: .rgba8))
  }

  @Test func samplesOfSixteenBitsAreNativeEndian() throws {
    let bitmap = try Bitmap(width: 2, height: 1, format: .gray8, pixels: [1, 255]).converted(to: .gray16)
    let row = bitmap.row16(0)
    let values = [row[0], row[1]]
    #expect(values == [257, 65535])
  }

  @Test(arguments: PixelFormat.all)
  func convertingTheBitmapItselfHasTheSameResult(source: PixelFormat) throws {
    for target in PixelFormat.all {
      var bitmap = try noise(source, width: 13, height: 3, seed: 4)
      bitmap.colorSpace = .icc([1, 2, 3])
      bitmap.significantBits = 7
      let expected = try bitmap.converted(to: target)
      var budget = ResourceBudget(.unlimited)
      try budget.allocate(bitmap.byteCount)
      let copy = bitmap
      try bitmap.convert(to: target, budget: &budget)
      #expect(bitmap == expected, "\(source) → \(target)")
      #expect(budget.heldByteCount == bitmap.byteCount)
      #expect(copy.format == source && copy != bitmap || source == target)
    }
  }

  @Test func formatsOfOneSizeNeedNoMemory() throws {
    var bitmap = try noise(PixelFormat.rgba8.premultiplied, width: 13, height: 3, seed: 4)
    var budget = ResourceBudget(DecodingLimits(maximumByteCount: bitmap.byteCount))
    try budget.allocate(bitmap.byteCount)
    try bitmap.convert(to: .rgba8, budget: &budget)
    #expect(throws: CodecError.self) { try bitmap.convert(to: .rgba16, budget: &budget) }
    #expect(bitmap.format == .rgba8)
  }

  @Test func anICCProfileBelongsToOneColorModel() throws {
    var bitmap = try Bitmap(width: 1, height: 1, format: .rgb8, pixels: [1, 2, 3])
    bitmap.colorSpace = .icc([1, 2, 3])
    #expect(try bitmap.converted(to: .rgba16).colorSpace == .icc([1, 2, 3]))
    #expect(try bitmap.converted(to: .bgra8).colorSpace == .icc([1, 2, 3]))
    #expect(try bitmap.converted(to: .gray8).colorSpace == .unspecified)
    bitmap.colorSpace = .sRGB
    #expect(try bitmap.converted(to: .gray8).colorSpace == .sRGB)
  }
}
