import ImageCore
import Testing

@Suite struct BitmapTests {
  @Test func thePlaceholderIsEmpty() throws {
    let bitmap = Bitmap()
    #expect(bitmap.width == 0 && bitmap.height == 0)
    #expect(bitmap.size == ImageSize(width: 0, height: 0))
    #expect(bitmap.isEmpty)
    #expect(bitmap.pixels.count == 0)
    #expect(bitmap.orientedUp() == bitmap)
    #expect(try bitmap.converted(to: .gray8).isEmpty)
  }

  /// The sides are whatever the caller states, and nothing takes time in proportion to them.
  @Test func bitmapsWithoutPixelsMayBeLong() throws {
    #expect(throws: CodecError.self) { try Bitmap(width: .max, height: 0, format: .rgba8) }
    for (width, height) in [(0, Int.max / 8), (Int.max / 8, 0)] {
      var bitmap = try Bitmap(width: width, height: height, format: .rgba8)
      #expect(bitmap.isEmpty && bitmap.isFullyOpaque())
      #expect(try bitmap.converted(to: .gray8).isEmpty)
      bitmap.orientation = .right
      #expect(bitmap.orientedUp().pixelSize == PixelSize(width: height, height: width))
    }
  }

  @Test func sizesAreComparedWithThoseOfReductions() {
    let original = PixelSize(width: 400, height: 300)
    for (width, height, isReduction) in [
      (400, 300, true), (40, 30, true), (41, 30, true), (43, 30, false), (800, 600, false), (1, 1, true),
    ] {
      #expect(PixelSize(width: width, height: height).isReduction(of: original) == isReduction, "\(width)")
    }
    let huge = PixelSize(width: .max, height: .max)
    #expect(huge.isReduction(of: huge) && !huge.isReduction(of: original))
  }

  @Test func newPixelsAreZero() throws {
    for format in PixelFormat.all {
      let bitmap = try Bitmap(width: 5, height: 4, format: format)
      #expect(bitmap.bytesPerRow == 5 * format.bytesPerPixel)
      #expect(bitmap.packedPixels == [UInt8](repeating: 0, count: 20 * format.bytesPerPixel))
    }
  }

  @Test func pixelsMustFillTheBitmap() {
    for (width, height, stride, count) in [
      (2, 2, nil, 11), (2, 2, nil, 13), (-1, 2, nil, 0), (2, -1, nil, 0), (2, 2, 5, 10), (Int.max, 2, nil, 0),
      (2, Int.max, nil, 12),
    ] as [(Int, Int, Int?, Int)] {
      #expect(throws: CodecError.self) {
        try Bitmap(
          width: width, height: height, format: .rgb8, bytesPerRow: stride,
          pixels: [UInt8](repeating: 0, count: count))
      }
    }
    #expect(throws: CodecError.self) {
      // Rows of 16-bit samples start at even bytes.
      try Bitmap(width: 1, height: 2, format: .gray16, bytesPerRow: 3, pixels: [UInt8](repeating: 0, count: 6))
    }
  }

  @Test func limitsGuardAllocation() {
    #expect(throws: CodecError.self) { try Bitmap(width: 1 << 30, height: 1 << 30, format: .rgba8) }
    #expect(throws: CodecError.self) {
      try Bitmap(width: 11, height: 10, format: .gray8, limits: DecodingLimits(maximumPixelCount: 100))
    }
    #expect(throws: CodecError.self) {
      try Bitmap(width: 10, height: 10, format: .rgba8, limits: DecodingLimits(maximumByteCount: 399))
    }
    #expect(throws: Never.self) {
      try Bitmap(width: 10, height: 10, format: .rgba8, limits: DecodingLimits(maximumByteCount: 400))
    }
  }

  @Test func paddingIsNotPartOfTheImage() throws {
    let bitmap = try Bitmap(
      width: 2, height: 2, format: .gray8, bytesPerRow: 4, pixels: [1, 2, 9, 9, 3, 4, 9, 9])
    #expect(bitmap.row(1).count == 2)
    #expect(bitmap.packedPixels == [1, 2, 3, 4])
    #expect(try bitmap.converted(to: .gray16).converted(to: .gray8).packedPixels == [1, 2, 3, 4])
    #expect(bitmap[1, 1] == RGBA8(red: 4, green: 4, blue: 4))
  }

  @Test func copiesAreIndependent() throws {
    let original = try Bitmap(width: 2, height: 1, format: .gray8, pixels: [1, 2])
    var copy = original
    var row = copy.mutableRow(0)
    row[0] = 77
    #expect(copy.packedPixels == [77, 2])
    #expect(original.packedPixels == [1, 2])
  }

  @Test func sizeIsInPoints() throws {
    var bitmap = try Bitmap(width: 30, height: 20, format: .gray8)
    bitmap.scale = 2
    #expect(bitmap.size == ImageSize(width: 15, height: 10))
  }

  @Test func opacity() throws {
    for format in PixelFormat.all where format.hasAlpha {
      // A full sample, and the largest ones below it.
      let (full, lower): ([UInt8], [[UInt8]]) =
        switch format.sampleType {
        case .uint8: ([255], [[254]])
        case .uint16: ([255, 255], [[254, 255], [255, 254]])
        case .float16: ([0x00, 0x3C], [[0xFF, 0x3B]])
        case .float32: ([0x00, 0x00, 0x80, 0x3F], [[0xFF, 0xFF, 0x7F, 0x3F]])
        }
      let pixel = (0..<format.samplesPerPixel).flatMap { _ in full }
      var bitmap = try Bitmap(width: 2, height: 1, format: format, pixels: pixel + pixel)
      #expect(!bitmap.isOpaque)
      #expect(bitmap.isFullyOpaque())
      for sample in lower {
        let pixels = pixel + pixel.dropLast(full.count) + sample
        #expect(try !Bitmap(width: 2, height: 1, format: format, pixels: pixels).isFullyOpaque(), "\(format)")
      }
      var row = bitmap.mutableRow(0)
      row[0] = 0
      #expect(bitmap.isFullyOpaque())
    }
    #expect(try Bitmap(width: 1, height: 1, format: .rgb8).isOpaque)
  }

  /// Pixels are moved to the coordinates that EXIF specifies.
  @Test(arguments: ImageOrientation.allCases, PixelFormat.all)
  func orientationMovesEveryPixel(orientation: ImageOrientation, format: PixelFormat) throws {
    for size in [PixelSize(width: 4, height: 3), PixelSize(width: 1, height: 40), PixelSize(width: 70, height: 33)] {
      try expectMovedPixels(size, orientation, format)
    }
  }

  private func expectMovedPixels(_ size: PixelSize, _ orientation: ImageOrientation, _ format: PixelFormat) throws {
    let (width, height) = (size.width, size.height)
    let bytesPerPixel = format.bytesPerPixel
    let bytesPerRow = (width + 1) * bytesPerPixel
    var bitmap = try Bitmap(
      width: width, height: height, format: format, bytesPerRow: bytesPerRow,
      pixels: (0..<bytesPerRow * height).map { UInt8(truncatingIfNeeded: $0 * 37 + $0 >> 8) })
    bitmap.orientation = orientation
    let upright = bitmap.orientedUp()
    #expect(upright.orientation == .up)
    #expect(upright.pixelSize == (orientation.swapsAxes ? size.transposed : size))
    var misplaced = 0
    for y in 0..<height {
      for x in 0..<width {
        let (right, bottom) = (width - 1 - x, height - 1 - y)
        let (toX, toY) =
          switch orientation {
          case .up: (x, y)
          case .upMirrored: (right, y)
          case .down: (right, bottom)
          case .downMirrored: (x, bottom)
          case .leftMirrored: (y, x)
          case .right: (bottom, x)
          case .rightMirrored: (bottom, right)
          case .left: (y, right)
          }
        for byte in 0..<bytesPerPixel {
          let stored = bitmap.row(y)[x * bytesPerPixel + byte]
          let moved = upright.row(toY)[toX * bytesPerPixel + byte]
          if stored != moved { misplaced += 1 }
        }
      }
    }
    #expect(misplaced == 0)
  }

  @Test func regionsAreCheckedWithoutOverflow() {
    let size = PixelSize(width: 10, height: 10)
    #expect(PixelRegion(x: 0, y: 0, width: 10, height: 10).fits(in: size))
    #expect(!PixelRegion(x: 1, y: 0, width: 10, height: 10).fits(in: size))
    #expect(!PixelRegion(x: .max, y: 0, width: .max, height: 1).fits(in: size))
    #expect(!PixelRegion(x: -1, y: 0, width: 1, height: 1).fits(in: size))
  }
}

@Suite struct ByteReaderTests {
  private func read<T>(
    _ bytes: [UInt8], _ body: (inout ByteReader) throws(CodecError) -> T
  ) throws(CodecError) -> T {
    var reader = ByteReader(bytes.span, baseOffset: 100, format: "x")
    return try body(&reader)
  }

  @Test func bothByteOrders() throws {
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    #expect(try read(bytes) { reader throws(CodecError) in try reader.readUInt16BigEndian() } == 0x0102)
    #expect(try read(bytes) { reader throws(CodecError) in try reader.readUInt16LittleEndian() } == 0x0201)
    #expect(try read(bytes) { reader throws(CodecError) in try reader.readUInt32BigEndian() } == 0x0102_0304)
    #expect(try read(bytes) { reader throws(CodecError) in try reader.readUInt32LittleEndian() } == 0x0403_0201)
    let long = try read(bytes) { reader throws(CodecError) in
      try reader.readInteger(byteCount: 8, isBigEndian: true)
    }
    #expect(long == 0x0102_0304_0506_0708)
  }

  @Test func theEndIsAnErrorWithItsPlace() {
    let error = #expect(throws: CodecError.self) {
      try read([1, 2, 3]) { reader throws(CodecError) in
        try reader.skip(2)
        return try reader.readUInt16BigEndian()
      }
    }
    #expect(
      error
        == CodecError(.truncated, "the data ends inside a field", format: "x", byteOffset: 102, neededByteCount: 104))
    for seek in [-1, 4, Int.max] {
      #expect(throws: CodecError.self) {
        try read([1, 2, 3]) { reader throws(CodecError) in try reader.seek(to: seek) }
      }
    }
    for count in [-1, 4, Int.max] {
      #expect(throws: CodecError.self) {
        try read([1, 2, 3]) { reader throws(CodecError) in try reader.skip(count) }
      }
    }
  }
}
