import ImageCore
import TestSupport
import Testing

@Suite struct PixelFormatTests {
  @Test func everyCombinationHasItsOwnName() {
    #expect(PixelFormat.all.count == 48)
    #expect(Set(PixelFormat.all.map(\.description)).count == 48)
    #expect(PixelFormat(.cmyk, alpha: .premultiplied, sampleType: .float16).description == "cmykaFloat16.premultiplied")
    #expect(PixelFormat.rgba8.with(.uint16) == .rgba16)
    #expect(PixelFormat.rgbaFloat32.bytesPerPixel == 16)
    #expect(PixelFormat(.cmyk, alpha: .straight).samplesPerPixel == 5)
  }

  /// Against the hardware's or the compiler's own conversions, for every half-precision number.
  @Test func halfPrecisionIsThatOfIEEE754() {
    for bits in UInt16.min...UInt16.max {
      let value = Float(halfPrecisionBits: bits)
      let expected = Float(Float16(bitPattern: bits))
      #expect(value.bitPattern == expected.bitPattern || (value.isNaN && expected.isNaN))
      if !value.isNaN { #expect(value.halfPrecisionBits == bits) }
    }
    var random = TestRandom(7)
    for _ in 0..<200_000 {
      // All magnitudes around those of half precision, and ties.
      let exponent = UInt32.random(in: 90...150, using: &random) << 23
      let fraction = UInt32.random(in: 0...0x7F_FFFF, using: &random) & (random.next() & 1 == 0 ? ~0 : ~0xFFF)
      let value = Float(bitPattern: exponent | fraction | UInt32(random.next() & 1) << 31)
      #expect(value.halfPrecisionBits == Float16(value).bitPattern, "\(value)")
    }
  }
}

@Suite struct BitmapValueTests {
  private func ramp(_ format: PixelFormat = .rgba8, padding: Int = 0) throws -> Bitmap {
    let rowByteCount = 3 * format.bytesPerPixel + padding
    let bytes = (0..<2 * rowByteCount).map { index in
      index % rowByteCount < rowByteCount - padding ? UInt8(index / rowByteCount * 50 + index % rowByteCount) : 0xEE
    }
    return try Bitmap(width: 3, height: 2, format: format, bytesPerRow: rowByteCount, pixels: bytes)
  }

  @Test func paddingMakesNoDifference() throws {
    let (packed, padded) = (try ramp(), try ramp(padding: 8))
    #expect(packed == padded && packed.hashValue == padded.hashValue)
    var changed = padded
    changed[2, 1] = RGBA8(red: 1, green: 2, blue: 3)
    #expect(changed != packed)
    var turned = packed
    turned.orientation = .down
    #expect(turned != packed)
  }

  @Test func descriptionsAreShort() throws {
    let bitmap = try Bitmap(width: 640, height: 480, format: .rgba8)
    #expect(bitmap.description == "640 × 480 rgba8")
    #expect("\(bitmap)".count < 100 && String(reflecting: bitmap).count < 100)
    var dumped = ""
    dump(bitmap, to: &dumped)
    #expect(dumped.count < 1000)
  }

  @Test func scalesAreFiniteAndPositive() throws {
    var bitmap = try ramp()
    for wrong in [0, -1, .infinity, .nan] as [Double] {
      bitmap.scale = wrong
      #expect(bitmap.scale == 1 && bitmap.size.width == 3)
    }
    bitmap.scale = 2
    #expect(bitmap.size.width == 1.5)
  }

  @Test func aClosureWritesPixels() throws {
    let bitmap = try Bitmap(width: 2, height: 2, format: .gray8) { pixels in
      for index in pixels.indices { pixels[index] = UInt8(index * 10) }
    }
    #expect(bitmap.bytes == [0, 10, 20, 30])
    #expect(throws: CodecError.self) {
      try Bitmap(width: 2, height: 2, format: .gray8) { _ throws(CodecError) in
        throw CodecError(.invalidArgument, "no pixels")
      }
    }
  }

  @Test(arguments: PixelFormat.all) func pixelsThatAreSetAreThere(format: PixelFormat) throws {
    var bitmap = try Bitmap(width: 3, height: 2, format: format)
    let before = bitmap
    // A gray, so that every colour model can hold it; opaque, so that every alpha can.
    let gray = RGBA8(red: 100, green: 100, blue: 100)
    bitmap[1, 1] = gray
    #expect(bitmap[1, 1] == gray, "\(format)")
    #expect(bitmap[0, 1] == before[0, 1] && bitmap[2, 1] == before[2, 1] && bitmap[1, 0] == before[1, 0])
    let wide = RGBA16(red: 25700, green: 25700, blue: 25700)
    bitmap[wide: 2, 0] = wide
    let found = bitmap[wide: 2, 0]
    // Half precision has steps of 2⁻¹² at this value.
    let tolerance = format.sampleType == .float16 ? 16 : 0
    #expect(abs(Int(found.red) - 25700) <= tolerance && found.alpha == 65535, "\(format)")
    // The same as converting the whole bitmap.
    #expect(try bitmap.converted(to: .rgba8)[2, 0] == bitmap[2, 0])
  }

  @Test func rowsOf16BitsAreWritten() throws {
    var bitmap = try Bitmap(width: 2, height: 2, format: .gray16)
    let sum = bitmap.withMutableRow16(1) { row in
      row[0] = 1000
      row[1] = 60000
      return Int(row[0]) + Int(row[1])
    }
    #expect(sum == 61000 && bitmap.row16(1)[1] == 60000 && bitmap.row16(0)[1] == 0)
  }

  @Test func partsFlipsAndRotations() throws {
    var bitmap = try ramp(padding: 4)
    bitmap.orientation = .left
    func reds(_ bitmap: Bitmap) -> [[Int]] {
      (0..<bitmap.height).map { y in (0..<bitmap.width).map { Int(bitmap[$0, y].red) } }
    }
    #expect(reds(bitmap) == [[0, 4, 8], [50, 54, 58]])
    #expect(reds(bitmap.flippedHorizontally()) == [[8, 4, 0], [58, 54, 50]])
    #expect(reds(bitmap.flippedVertically()) == [[50, 54, 58], [0, 4, 8]])
    #expect(reds(bitmap.rotated(byQuarterTurns: 1)) == [[50, 0], [54, 4], [58, 8]])
    #expect(reds(bitmap.rotated(byQuarterTurns: 2)) == [[58, 54, 50], [8, 4, 0]])
    #expect(reds(bitmap.rotated(byQuarterTurns: -1)) == [[8, 58], [4, 54], [0, 50]])
    #expect(bitmap.rotated(byQuarterTurns: 5).orientation == .left)
    let part = try bitmap.cropped(to: PixelRegion(x: 1, y: 0, width: 2, height: 2))
    #expect(reds(part) == [[4, 8], [54, 58]] && part.orientation == .left)
    for region in [
      PixelRegion(x: 2, y: 0, width: 2, height: 1), PixelRegion(x: -1, y: 0, width: 1, height: 1),
      PixelRegion(x: .max, y: 0, width: 1, height: 1), PixelRegion(x: 0, y: 0, width: 1, height: .max),
    ] {
      #expect(throws: CodecError.self) { try bitmap.cropped(to: region) }
    }
  }

  @Test func floatsAreAveraged() throws {
    let bitmap = try Bitmap(
      width: 2, height: 1, format: .rgbaFloat32,
      pixels: [Float](arrayLiteral: 2, 0, 1, 0.5, 0, 4, 1, 0.5).flatMap { value in
        (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (UInt32($0) * 8)) }
      })
    let small = bitmap.downscaled(to: PixelSize(width: 1, height: 1))
    let samples = (0..<4).map { Float(bitPattern: nativeUInt32(small.row(0), at: $0 * 4)) }
    #expect(samples == [1, 2, 1, 0.5])
  }
}
