// Parses the chunks that are not image data, PNG section 11.

internal import ImageCoding

extension PNGCore {
  /// Parses the collected chunk. A malformed chunk that is not essential to the image is skipped.
  mutating func parseChunk(_ type: ChunkType, _ context: inout DecodingContext) throws(CodecError) {
    let data = chunkData
    chunkData = []
    var reader = ByteReader(data.span, baseOffset: chunks.chunkOffset + 8, format: PNGDecoder.type)
    do throws(CodecError) {
      switch type {
      case .imageHeader: try parseHeader(&reader, &context)
      case .palette: try parsePalette(&reader, data: data, &context)
      default: try parseAncillary(type, &reader, data: data, &context)
      }
    } catch {
      if type.isCritical || error.isInterruption { throw error }
      context.note(.warning, error.reason, byteOffset: error.byteOffset)
    }
  }

  private mutating func parseHeader(
    _ reader: inout ByteReader, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard stage == .header else {
      return try context.tolerate(error(.malformed, "IHDR is repeated"), as: .warning)
    }
    let headerOffset = reader.byteOffset
    let header = try ImageHeader(parsing: &reader)
    description = ImageDescription(
      header: header, headerOffset: headerOffset, isAppleOptimized: isAppleOptimized)
    stage = .beforeImageData
  }

  private mutating func parsePalette(
    _ reader: inout ByteReader, data: [UInt8], _ context: inout DecodingContext
  ) throws(CodecError) {
    guard let header = description?.header else { return }
    guard stage == .beforeImageData else {
      return try context.tolerate(error(.malformed, "PLTE follows IDAT"), as: .warning)
    }
    guard description?.palette == nil else {
      return try context.tolerate(error(.malformed, "PLTE is repeated"), as: .warning)
    }
    guard header.colorType != .gray, header.colorType != .grayAlpha else {
      return try context.tolerate(error(.malformed, "PLTE is present in a gray image"), as: .warning)
    }
    do throws(CodecError) {
      description?.palette = try Palette(parsing: &reader)
    } catch {
      try context.tolerate(error, as: .damage)
      description?.palette = Palette(salvaging: data)
    }
    if header.colorType == .palette, let count = description?.palette?.count, count > 1 << header.bitDepth {
      try context.tolerate(error(.malformed, "PLTE has more entries than the bit depth can address"), as: .warning)
    }
  }

  private mutating func parseAncillary(
    _ type: ChunkType, _ reader: inout ByteReader, data: [UInt8], _ context: inout DecodingContext
  ) throws(CodecError) {
    guard var description else { return }
    let isBeforeImageData = stage == .beforeImageData
    // Moved out of the property while it is mutated, so that its texts and profiles are not copied.
    self.description = nil
    defer { self.description = description }
    switch type {
    case .frameControl: frames.beginFrame(isBeforeImageData: isBeforeImageData)
    case .physicalPixelDimensions: try description.metadata.readPhysicalPixelDimensions(&reader)
    case .exif: description.metadata.exif = data
    case .text: try description.metadata.readText(&reader)
    case .compressedText: try description.metadata.readCompressedText(&reader, budget: &context.budget)
    case .internationalText: try description.metadata.readInternationalText(&reader, budget: &context.budget)
    case .time: try description.metadata.readTime(&reader)
    case _ where !isBeforeImageData: throw reader.error(.malformed, "\(type) follows IDAT")
    case .transparency:
      description.transparency = try Transparency(
        parsing: &reader, header: description.header, palette: description.palette)
    case .animationControl: description.animation = try AnimationControl(parsing: &reader)
    case .gamma: try description.metadata.readGamma(&reader)
    case .chromaticities: try description.metadata.readChromaticities(&reader)
    case .standardRGB: try description.metadata.readStandardRGB(&reader)
    case .codePoints: try description.metadata.readCodePoints(&reader)
    case .masteringDisplay: try description.metadata.readMasteringDisplay(&reader)
    case .contentLightLevel: try description.metadata.readContentLightLevel(&reader)
    case .iccProfile: try description.metadata.readICCProfile(&reader, budget: &context.budget)
    case .significantBits: try description.metadata.readSignificantBits(&reader, header: description.header)
    case .background:
      try description.metadata.readBackground(&reader, header: description.header, palette: description.palette)
    default: return
    }
  }
}
