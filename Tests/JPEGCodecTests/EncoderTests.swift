// The encoder: the arguments that it accepts, the segments that it writes in addition to the pixels, its charges, and
// the pixels of every format after a decode.

import ImageCoding
import JPEGCodec
import Testing

/// The kind of error that `body` throws.
private func kind(_ body: () throws -> Void) -> CodecError.Kind? {
  do {
    try body()
    return nil
  } catch {
    return (error as? CodecError)?.kind
  }
}

@Suite struct EncoderTests {
  /// A smooth picture of any format, made from samples by hand.
  private func picture(_ format: PixelFormat, width: Int, height: Int, isOpaque: Bool = false) throws -> Bitmap {
    if format.sampleType.isFloatingPoint {
      return try picture(format.with(.uint8), width: width, height: height, isOpaque: isOpaque).converted(to: format)
    }
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        for sample in 0..<format.samplesPerPixel {
          let isAlpha = format.hasAlpha && sample == format.samplesPerPixel - 1
          var value = isAlpha ? (isOpaque ? 255 : 128 + x + y) : 40 + 3 * x + 2 * y + 20 * sample
          // No colour exceeds its alpha.
          if format.alpha == .premultiplied, !isAlpha { value = min(value, isOpaque ? 255 : 128 + x + y) }
          let byte = UInt8(min(value, 255))
          bytes += [UInt8](repeating: byte, count: format.bytesPerSample)
        }
      }
    }
    return try Bitmap(width: width, height: height, format: format, pixels: bytes)
  }

  /// Returns the colour of a pixel on a background, in floating point.
  private func expected(_ pixel: RGBA8, on background: RGBA8) -> [Double] {
    let alpha = Double(pixel.alpha) / 255
    return zip([pixel.red, pixel.green, pixel.blue], [background.red, background.green, background.blue])
      .map { Double($0) * alpha + Double($1) * (1 - alpha) }
  }

  @Test(arguments: PixelFormat.all, JPEGEncoder.Options.Subsampling.allCases)
  func pixelsOfEveryFormatSurvive(format: PixelFormat, subsampling: JPEGEncoder.Options.Subsampling) throws {
    let background = RGBA8(red: 200, green: 30, blue: 90)
    for (index, (width, height)) in [(1, 1), (17, 5), (33, 18)].enumerated() {
      let bitmap = try picture(format, width: width, height: height)
      let mode = (index + format.bytesPerPixel) % 3
      let options = JPEGEncoder.Options(
        quality: 98, subsampling: subsampling, isProgressive: mode == 2, optimizesHuffmanTables: mode == 1,
        restartInterval: mode == 0 ? .rows(1) : .mcus(2), convertsInksToYCCK: mode == 1, background: background)
      let file = try JPEGEncoder(options: options).encode(bitmap)
      let image = try JPEGDecoder().decode(file.span, options: DecodingOptions(tolerance: .strict))
      #expect(image.details.isComplete && image.details.diagnostics.isEmpty)
      #expect(image.bitmap.width == width && image.bitmap.height == height)
      let decoded = try image.bitmap.converted(to: .rgb8).packedPixels
      let original = try bitmap.converted(to: .rgba8).packedPixels
      var sum = 0.0
      for pixel in 0..<width * height {
        let color = RGBA8(
          red: original[pixel * 4], green: original[pixel * 4 + 1], blue: original[pixel * 4 + 2],
          alpha: original[pixel * 4 + 3])
        var wanted = expected(color, on: background)
        if subsampling == .gray {
          let luma = 0.299 * wanted[0] + 0.587 * wanted[1] + 0.114 * wanted[2]
          wanted = [luma, luma, luma]
        }
        for channel in 0..<3 { sum += abs(Double(decoded[pixel * 3 + channel]) - wanted[channel]) }
      }
      #expect(sum / Double(3 * width * height) < 3, "\(format) \(width) × \(height), mode \(mode)")
    }
  }

  @Test func colorModelsAreTheNaturalOnes() throws {
    func model(_ format: PixelFormat, _ options: JPEGEncoder.Options = .init()) throws -> ImageInfo.StoredColorModel? {
      let file = try JPEGEncoder(options: options).encode(picture(format, width: 9, height: 9))
      return try JPEGDecoder().info(file.span).colorModel
    }
    #expect(try model(.gray8) == .gray)
    #expect(try model(.grayAlpha16) == .gray)
    #expect(try model(.bgra8) == .yCbCr)
    #expect(try model(.rgb8, .init(subsampling: .gray)) == .gray)
    #expect(try model(.cmyk8) == .cmyk)
    #expect(try model(.cmyk8, .init(convertsInksToYCCK: true)) == .ycck)
  }

  @Test func optionsOutOfRangeAreRejected() throws {
    let bitmap = try picture(.rgb8, width: 2, height: 2)
    for quality in [Int.min, 0, 101, .max] {
      let error1 = kind { _ = try JPEGEncoder(options: .init(quality: quality)).encode(bitmap) }
      #expect(error1 == .invalidArgument)
    }
    for count in [Int.min, 0, 65_536, .max] {
      for interval in [JPEGEncoder.Options.RestartInterval.rows(count), .mcus(count)] {
        let error2 = kind { _ = try JPEGEncoder(options: .init(restartInterval: interval)).encode(bitmap) }
        #expect(error2 == .invalidArgument)
      }
    }
    for fraction in [Double.nan, -0.01, 1.01, .infinity] {
      #expect(throws: CodecError.self) { try JPEGEncoder.Options.quality(fraction: fraction) }
    }
    #expect(try JPEGEncoder.Options.quality(fraction: 0) == 1)
    #expect(try JPEGEncoder.Options.quality(fraction: 0.8) == 80)
    #expect(try JPEGEncoder.Options.quality(fraction: 1) == 100)
  }

  @Test func sizesOutOfRangeAreRejected() throws {
    #expect(throws: CodecError.self) { try JPEGEncoder().encode(Bitmap()) }
    var budget = ResourceBudget(.unlimited)
    for (width, height) in [(65_536, 1), (1, 65_536), (0, 5), (-1, 5), (Int.max, Int.max)] {
      let error3 = kind { _ = try JPEGRowEncoder(width: width, height: height, format: .rgb8, budget: &budget) }
      #expect(error3 == .encodingFailed)
    }
    let wide = try Bitmap(width: 65_535, height: 1, format: .gray8)
    let wideFile = try JPEGEncoder().encode(wide)
    #expect(try JPEGDecoder().info(wideFile.span).width == 65_535)
    let high = try Bitmap(width: 1, height: 65_535, format: .gray8)
    let highFile = try JPEGEncoder(options: .init(isProgressive: true)).encode(high)
    #expect(try JPEGDecoder().info(highFile.span).height == 65_535)
  }

  private func refuses(_ encoder: JPEGRowEncoder, _ row: [UInt8]) -> Bool {
    var encoder = encoder
    var budget = ResourceBudget(.unlimited)
    do {
      try encoder.append(row.span, budget: &budget)
      return false
    } catch { return error.kind == .invalidArgument }
  }

  private func isIncomplete(_ encoder: JPEGRowEncoder) -> Bool {
    var encoder = encoder
    var budget = ResourceBudget(.unlimited)
    do {
      _ = try encoder.finish(budget: &budget)
      return false
    } catch { return error.kind == .invalidArgument }
  }

  @Test func rowsThatDoNotMatchAreRejected() throws {
    var budget = ResourceBudget(.unlimited)
    var encoder = try JPEGRowEncoder(width: 2, height: 2, format: .rgb8, budget: &budget)
    let row: [UInt8] = [1, 2, 3, 4, 5, 6]
    #expect(refuses(encoder, [1, 2, 3, 4, 5]))
    try encoder.append(row.span, budget: &budget)
    #expect(isIncomplete(encoder))
    try encoder.append(row.span, budget: &budget)
    #expect(refuses(encoder, row))
    let file = try encoder.finish(budget: &budget)
    let bitmap = try Bitmap(width: 2, height: 2, format: .rgb8, pixels: row + row)
    #expect(try file == JPEGEncoder().encode(bitmap))
  }

  @Test func paddedRowsAreReadWithoutTheirPadding() throws {
    let packed = try picture(.rgb8, width: 5, height: 3)
    var padded: [UInt8] = []
    for y in 0..<3 { padded += packed.packedPixels[y * 15..<y * 15 + 15] + [9, 9, 9, 9] }
    let bitmap = try Bitmap(width: 5, height: 3, format: .rgb8, bytesPerRow: 19, pixels: padded)
    #expect(try JPEGEncoder().encode(bitmap) == JPEGEncoder().encode(packed))
  }

  @Test func metadataSurvives() throws {
    var metadata = ImageMetadata()
    metadata.exif = Array("II*\0".utf8) + [8, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    metadata.xmp = Array("<x:xmpmeta/>".utf8)
    metadata.iptc = [0x1C, 2, 5, 0, 3, 65, 66, 67]
    // Three segments.
    metadata.colorSpace.iccProfile = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    metadata.comments = ["one", "zwei ✓"]
    metadata.density = .init(x: 300, y: 150, unit: .perInch)
    for options in [JPEGEncoder.Options(), JPEGEncoder.Options(isProgressive: true)] {
      let file = try JPEGEncoder(options: options).encode(picture(.rgb8, width: 20, height: 20), metadata: metadata)
      let read = try JPEGDecoder().metadata(file.span, options: InfoOptions())
      #expect(read.exif == metadata.exif)
      #expect(read.xmp == metadata.xmp)
      #expect(read.iptc == metadata.iptc)
      #expect(read.colorSpace.iccProfile == metadata.colorSpace.iccProfile)
      #expect(read.comments == metadata.comments)
      #expect(read.density == metadata.density)
    }
    metadata.density = .init(x: 11_811, y: 11_811, unit: .perMeter)
    let file = try JPEGEncoder().encode(picture(.rgb8, width: 3, height: 3), metadata: metadata)
    #expect(
      try JPEGDecoder().metadata(file.span, options: InfoOptions()).density
        == .init(x: 11_800, y: 11_800, unit: .perMeter))
  }

  @Test func orientationAndProfileOfTheBitmapAreWritten() throws {
    var bitmap = try picture(.rgb8, width: 8, height: 4)
    bitmap.orientation = .right
    bitmap.colorSpace = .icc([1, 2, 3])
    let file = try JPEGEncoder().encode(bitmap)
    let info = try JPEGDecoder().info(file.span)
    #expect(info.orientation == .right)
    #expect(info.colorSpace == .icc([1, 2, 3]))
  }

  @Test func metadataThatDoesNotFitIsRejected() throws {
    let bitmap = try picture(.rgb8, width: 2, height: 2)
    func encode(_ change: (inout ImageMetadata) -> Void) throws -> Int {
      var metadata = ImageMetadata()
      change(&metadata)
      return try JPEGEncoder().encode(bitmap, metadata: metadata).count
    }
    func isRejected(_ change: (inout ImageMetadata) -> Void) -> Bool {
      kind { _ = try encode(change) } == .encodingFailed
    }
    let profileLimit = 255 * 65_519
    let size7 = try encode { $0.colorSpace.iccProfile = [UInt8](repeating: 7, count: profileLimit) }
    #expect(size7 > profileLimit)
    let isRejected10 = isRejected { $0.colorSpace.iccProfile = [UInt8](repeating: 7, count: profileLimit + 1) }
    #expect(isRejected10)
    let isRejected11 = isRejected { $0.exif = [UInt8](repeating: 7, count: 65_528) }
    #expect(isRejected11)
    let isRejected12 = isRejected { $0.xmp = [UInt8](repeating: 7, count: 65_505) }
    #expect(isRejected12)
    let size8 = try encode { $0.xmp = [UInt8](repeating: 7, count: 65_504) }
    #expect(size8 > 65_504)
    let isRejected13 = isRejected { $0.comments = [String(repeating: "x", count: 65_534)] }
    #expect(isRejected13)
    let isRejected14 = isRejected { $0.iptc = [UInt8](repeating: 7, count: 65_520) }
    #expect(isRejected14)
    // Densities that JFIF cannot state are left out.
    for value in [Double.nan, -1, 0, 70_000, .infinity] {
      let size9 = try encode { $0.density = .init(x: value, y: 72, unit: .perInch) }
      #expect(size9 > 0)
    }
  }

  @Test func memoryIsCharged() throws {
    let bitmap = try picture(.rgb8, width: 64, height: 64)
    for options in [JPEGEncoder.Options(), JPEGEncoder.Options(isProgressive: true)] {
      var ample = ResourceBudget(.default)
      let file = try JPEGEncoder(options: options).encode(bitmap, budget: &ample)
      #expect(ample.peakByteCount >= file.count)
      var exact = ResourceBudget(DecodingLimits(maximumByteCount: ample.peakByteCount))
      #expect(try JPEGEncoder(options: options).encode(bitmap, budget: &exact) == file)
      var short = ResourceBudget(DecodingLimits(maximumByteCount: ample.peakByteCount - 1))
      let error4 = kind { _ = try JPEGEncoder(options: options).encode(bitmap, budget: &short) }
      #expect(error4 == .limitExceeded)
    }
    // Coefficients of two bytes a sample.
    var budget = ResourceBudget(.default)
    _ = try JPEGEncoder(options: .init(subsampling: .yuv444, optimizesHuffmanTables: true)).encode(
      bitmap, budget: &budget)
    #expect(budget.peakByteCount >= 64 * 64 * 3 * 2)
  }

  @Test func encodingCanBeCancelledAtEveryRow() throws {
    let bitmap = try picture(.rgb8, width: 300, height: 120)
    for options in [JPEGEncoder.Options(), JPEGEncoder.Options(isProgressive: true)] {
      for limit in [Int64(1), 50_000, 150_000, 300_000] {
        var budget = ResourceBudget(DecodingLimits(maximumWork: limit, maximumWorkPerPixel: 0))
        let error5 = kind { _ = try JPEGEncoder(options: options).encode(bitmap, budget: &budget) }
        #expect(error5 == .limitExceeded)
      }
      var budget = ResourceBudget(.unlimited, shouldCancel: { true })
      let error6 = kind { _ = try JPEGEncoder(options: options).encode(bitmap, budget: &budget) }
      #expect(error6 == .cancelled)
    }
  }
}
