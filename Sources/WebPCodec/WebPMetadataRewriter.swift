// Replaces the metadata of a file and leaves its pixels byte-identical (RFC 9649, section 2.7).

public import ImageCore
internal import MetadataFormats

/// Rewrites a WebP file with different metadata. Image data is copied, not decoded.
///
/// The result ends with the chunks that the format defines. Bytes after the stated end of the file are dropped.
public struct WebPMetadataRewriter: Sendable {
  /// Whether unknown chunks are copied; `true` by default. Set to `false` to strip all metadata.
  public var keepsUnknownChunks: Bool

  /// Creates a rewriter. By default it copies unknown chunks.
  public init(keepsUnknownChunks: Bool = true) {
    self.keepsUnknownChunks = keepsUnknownChunks
  }

  /// Returns the file with its EXIF block and XMP packet replaced by those of `metadata`, without the EXIF thumbnail.
  /// The ICC profile is left unchanged. Texts and comments, which WebP cannot store, are dropped.
  ///
  /// - Parameter orientation: the orientation to store in the EXIF block.
  /// - Throws: ``CodecError/Kind/malformed`` if the file has no image data, ``CodecError/Kind/truncated`` if it ends
  ///   within a chunk of its picture, ``CodecError/Kind/encodingFailed`` if the result exceeds 4 GiB.
  public func rewrite(
    _ bytes: Span<UInt8>, metadata: ImageMetadata, orientation: ImageOrientation
  ) throws(CodecError) -> [UInt8] {
    let container = try WebPContainer(parsing: bytes)
    let exif = descriptiveEXIF(metadata.exif, orientation: orientation)
    let picture = try pictureChunks(of: bytes)
    var flags: UInt8 = container.coding == .animated ? 0x02 : 0
    if container.hasAlpha { flags |= 0x10 }
    if picture.hasProfile { flags |= 0x20 }
    if exif != nil { flags |= 0x08 }
    if metadata.xmp != nil { flags |= 0x04 }
    var chunks = ByteWriter(.littleEndian)
    // A simple file with a lossless image can announce alpha without VP8X.
    if flags & ~0x10 != 0 || picture.hasAlphaPlane {
      chunks.append(Array("VP8X".utf8))
      chunks.append(UInt32(CanvasHeader.byteCount))
      chunks.append([flags, 0, 0, 0])
      for side in [container.size.width, container.size.height] {
        chunks.append((0..<3).map { UInt8(truncatingIfNeeded: (side - 1) >> ($0 * 8)) })
      }
    }
    chunks.append(picture.bytes)
    if let exif { append("EXIF", exif, to: &chunks) }
    if let xmp = metadata.xmp { append("XMP ", xmp, to: &chunks) }
    guard let byteCount = UInt32(exactly: chunks.bytes.count + 4) else {
      throw CodecError(.encodingFailed, "the file would exceed 4 GiB", format: WebPDecoder.type)
    }
    var file = ByteWriter(.littleEndian)
    file.append(Array("RIFF".utf8))
    file.append(byteCount)
    file.append(Array("WEBP".utf8))
    file.append(chunks.bytes)
    return file.bytes
  }

  /// Returns the EXIF block to write: that of the metadata with the orientation replaced, or one that contains only the
  /// orientation.
  private func descriptiveEXIF(_ exif: [UInt8]?, orientation: ImageOrientation) -> [UInt8]? {
    if let exif { return exifBlock(exifBlockRemovingThumbnail(exif), settingOrientation: orientation) }
    return orientation == .up ? nil : exifBlock(orientation: orientation)
  }

  private func append(_ type: String, _ payload: [UInt8], to writer: inout ByteWriter) {
    writer.append(Array(type.utf8))
    writer.append(UInt32(truncatingIfNeeded: payload.count))
    writer.append(payload)
    if payload.count % 2 == 1 { writer.append([0]) }
  }

  // MARK: Chunks that stay

  private func pictureChunks(of bytes: Span<UInt8>) throws(CodecError) -> (
    bytes: [UInt8], hasProfile: Bool, hasAlphaPlane: Bool
  ) {
    var output: [UInt8] = []
    var (hasImage, hasProfile, hasAlphaPlane) = (false, false, false)
    var chunks = ChunkWalk(bytes, in: 12..<bytes.count)
    while let chunk = (try? chunks.next()) ?? nil {
      switch chunk.type {
      case "VP8X", "EXIF", "XMP ": continue
      case "ICCP" where !hasProfile: hasProfile = true
      case "VP8 ", "VP8L": hasImage = true
      case "ALPH": hasAlphaPlane = true
      case "ANIM": break
      case "ANMF":
        hasImage = true
        try appendFrame(chunk, bytes, to: &output)
        continue
      default: guard keepsUnknownChunks else { continue }
      }
      try append(chunk, bytes, to: &output)
    }
    guard hasImage else {
      throw CodecError(.malformed, "there is no image data", format: WebPDecoder.type, byteOffset: bytes.count)
    }
    return (output, hasProfile, hasAlphaPlane)
  }

  /// Copies a frame with only the chunks of its picture, plus unknown chunks if they are kept.
  private func appendFrame(_ frame: RIFFChunk, _ bytes: Span<UInt8>, to output: inout [UInt8]) throws(CodecError) {
    try requireComplete(frame, bytes)
    if keepsUnknownChunks { return try append(frame, bytes, to: &output) }
    let header =
      frame.payload
      .lowerBound..<min(frame.payload.lowerBound + AnimationFrameHeader.byteCount, frame.payload.upperBound)
    var content = Array(copying: bytes.extracting(header))
    var chunks = ChunkWalk(bytes, in: header.upperBound..<frame.payload.upperBound)
    while let chunk = (try? chunks.next()) ?? nil {
      guard chunk.type == "VP8 " || chunk.type == "VP8L" || chunk.type == "ALPH" else { continue }
      // A chunk that exceeds its frame is cut off at the end of the frame, as in decoders.
      let payload = chunk.payload.clamped(to: header.upperBound..<frame.payload.upperBound)
      var part = ByteWriter(.littleEndian)
      append(chunk.type.description, Array(copying: bytes.extracting(payload)), to: &part)
      content += part.bytes
    }
    var writer = ByteWriter(.littleEndian)
    append("ANMF", content, to: &writer)
    output += writer.bytes
  }

  private func append(_ chunk: RIFFChunk, _ bytes: Span<UInt8>, to output: inout [UInt8]) throws(CodecError) {
    try requireComplete(chunk, bytes)
    var writer = ByteWriter(.littleEndian)
    append(chunk.type.description, Array(copying: bytes.extracting(chunk.payload)), to: &writer)
    output += writer.bytes
  }

  private func requireComplete(_ chunk: RIFFChunk, _ bytes: Span<UInt8>) throws(CodecError) {
    guard chunk.payload.upperBound <= bytes.count else {
      throw CodecError(
        .truncated, "the file ends within the chunk '\(chunk.type)'", format: WebPDecoder.type, byteOffset: bytes.count,
        neededByteCount: chunk.end)
    }
  }
}
