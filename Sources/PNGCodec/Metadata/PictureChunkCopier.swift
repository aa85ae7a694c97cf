// Copies the chunks of a picture without the bytes in them that decoders do not use.

internal import ByteCompression
internal import ImageCoding

/// Copies chunks in the order of the file.
struct PictureChunkCopier {
  private var header: ImageHeader?
  private var isAppleOptimized = false
  /// The image data that is being copied.
  private var extent: InflateExtent?
  /// The size of the frame whose data follows.
  private var frameSize: PixelSize?
  private var hasImageData = false

  /// The work units for opening a zlib stream and its buffer.
  private static let workPerStream = 10_000

  /// The name of a profile. The format requires one.
  private static let profileName = Array("ICC profile".utf8)

  /// Copies a chunk, or the used part of it.
  ///
  /// - Throws: `CodecError.Kind.malformed` for a chunk of another length than the format states, if frames depend on it.
  mutating func copy(
    _ chunk: FramedChunk, _ bytes: Span<UInt8>, to output: inout ChunkWriter, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let data = bytes.extracting(chunk.data)
    guard isRead(chunk, bytes) else { return }
    switch chunk.type {
    case .imageHeader:
      var reader = ByteReader(data)
      if header == nil { header = try? ImageHeader(parsing: &reader) }
      if data.count == ImageHeader.byteCount { output.append(copying: bytes.extracting(chunk.range)) }
    case .appleOptimized:
      isAppleOptimized = true
      append(chunk, 0..<min(4, data.count), bytes, to: &output)
    case .imageData:
      if !hasImageData { extent = try makeExtent(size: nil, &budget) }
      hasImageData = true
      let count = try extent?.usedByteCount(of: data, budget: &budget) ?? data.count
      if count > 0 || data.count == 0 { append(chunk, 0..<count, bytes, to: &output) }
    case .frameData:
      if let frameSize { extent = try makeExtent(size: frameSize, &budget) }
      frameSize = nil
      // The sequence number precedes the data and is counted, even if no data follows.
      let start = min(4, data.count)
      let count = try extent?.usedByteCount(of: data.extracting(start...), budget: &budget) ?? data.count - start
      append(chunk, 0..<start + count, bytes, to: &output)
    case .frameControl:
      guard data.count == 26 else { throw wrongLength(chunk) }
      var reader = ByteReader(data.extracting(4...))
      let width = Int(clamping: try reader.readUInt32BigEndian())
      frameSize = PixelSize(width: width, height: Int(clamping: try reader.readUInt32BigEndian()))
      output.append(copying: bytes.extracting(chunk.range))
    case .imageEnd: output.append(.imageEnd, [])
    case .physicalPixelDimensions: append(chunk, 0..<min(9, data.count), bytes, to: &output)
    // Decoders use these before the image data only.
    case _ where hasImageData: return
    case .iccProfile: try copyProfile(data, to: &output, &budget)
    case .palette: append(chunk, 0..<min(768, data.count), bytes, to: &output)
    case .transparency, .background, .gamma, .chromaticities, .standardRGB, .significantBits, .codePoints,
      .masteringDisplay, .contentLightLevel, .animationControl:
      copyField(chunk, bytes, to: &output)
    default: return
    }
  }

  /// Returns whether decoders read a chunk: unless its checksum is wrong and it is not essential to the image.
  private func isRead(_ chunk: FramedChunk, _ bytes: Span<UInt8>) -> Bool {
    if chunk.type.isCritical || chunk.type == .frameControl || chunk.type == .frameData { return true }
    let stored = FourCharacterCode(bytes, at: chunk.data.upperBound)?.rawValue
    return CRC32(of: bytes.extracting(chunk.range.lowerBound + 4..<chunk.data.upperBound)).value == stored
  }

  /// Copies a chunk of fixed length. Decoders read the start of some that are longer, and ignore others.
  private func copyField(_ chunk: FramedChunk, _ bytes: Span<UInt8>, to output: inout ChunkWriter) {
    let count = chunk.data.count
    let isPalette = header?.colorType == .palette
    let isGray = header?.colorType == .gray || header?.colorType == .grayAlpha
    switch chunk.type {
    case .gamma: append(chunk, 0..<min(4, count), bytes, to: &output)
    case .chromaticities: append(chunk, 0..<min(32, count), bytes, to: &output)
    case .standardRGB: append(chunk, 0..<min(1, count), bytes, to: &output)
    case .background: append(chunk, 0..<min(isPalette ? 1 : isGray ? 2 : 6, count), bytes, to: &output)
    case .transparency where count <= (isPalette ? 256 : isGray ? 2 : 6),
      .significantBits where count <= 4, .codePoints where count == 4, .masteringDisplay where count == 24,
      .contentLightLevel where count == 8, .animationControl where count == 8:
      output.append(copying: bytes.extracting(chunk.range))
    default: return
    }
  }

  /// Copies a profile with another name and without the bytes after its zlib stream. Decoders ignore one that is
  /// damaged.
  private func copyProfile(
    _ data: Span<UInt8>, to output: inout ChunkWriter, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let start = data.upToNUL().count + 2
    guard (3...81).contains(start), start <= data.count, data[start - 1] == 0 else { return }
    try budget.chargeWork(Self.workPerStream)
    var extent = InflateExtent(.zlib)
    let count = try extent.usedByteCount(of: data.extracting(start...), budget: &budget)
    guard extent.hasEnded else { return }
    output.append(.iccProfile, Self.profileName + [0, 0] + Array(copying: data.extracting(start..<start + count)))
  }

  /// Prepares for the image data of the picture, or of a frame of a size.
  private func makeExtent(size: PixelSize?, _ budget: inout ResourceBudget) throws(CodecError) -> InflateExtent? {
    guard let header = size.flatMap({ self.header?.resized(to: $0) }) ?? header else { return nil }
    try budget.chargeWork(Self.workPerStream)
    // Decompression takes less than half of the work of decoding.
    budget.allowWork(forDataOf: PixelSize(width: header.width, height: header.height), divisor: 2)
    return InflateExtent(isAppleOptimized ? .raw : .zlib)
  }

  /// Appends the bytes in a range of a chunk's data: as it is, or as a shorter chunk.
  private func append(
    _ chunk: FramedChunk, _ part: Range<Int>, _ bytes: Span<UInt8>, to output: inout ChunkWriter
  ) {
    if part.count == chunk.data.count {
      output.append(copying: bytes.extracting(chunk.range))
    } else {
      output.append(chunk.type, Array(copying: bytes.extracting(chunk.data).extracting(part)))
    }
  }

  private func wrongLength(_ chunk: FramedChunk) -> CodecError {
    CodecError(
      .malformed, "\(chunk.type) has \(chunk.data.count) bytes", format: PNGDecoder.type,
      byteOffset: chunk.range.lowerBound)
  }
}
