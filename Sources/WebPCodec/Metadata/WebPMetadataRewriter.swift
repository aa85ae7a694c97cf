// Replaces the metadata of a file and leaves its pixels unchanged (RFC 9649, section 2.7).

public import ImageCoding
internal import MetadataFormats

/// Rewrites a WebP file with different metadata. Image data is copied, not decoded.
///
/// The result ends with the chunks that the format defines. Bytes after the stated end of the file are dropped, and, if
/// metadata is stripped, images that are not shown and bytes after the fields of an animation. Bytes in the chunk of an
/// image after the end of its bitstream, which only decoding can tell, stay.
package struct WebPMetadataRewriter: MetadataRewriter {
  /// ``WebPDecoder/type``.
  package static var type: AssetType { WebPDecoder.type }
  /// Whether unknown chunks are copied; `true` by default. Set to `false` to strip all metadata.
  package var keepsUnknownParts: Bool

  /// Creates a rewriter. By default it copies unknown chunks.
  package init(keepsUnknownParts: Bool = true) {
    self.keepsUnknownParts = keepsUnknownParts
  }

  /// Returns the file with its EXIF block and XMP packet replaced by those of `metadata`, without the EXIF thumbnail.
  /// The ICC profile is left unchanged. Texts and comments, which WebP cannot store, are dropped.
  ///
  /// - Throws: `CodecError.Kind.malformed` if the file has no image data, `CodecError.Kind.truncated` if it ends
  ///   within a chunk of its picture, `CodecError.Kind.encodingFailed` if the result exceeds 4 GiB,
  ///   `CodecError.Kind.limitExceeded`.
  package func rewrite(
    _ bytes: Span<UInt8>, metadata: ImageMetadata, orientation: ImageOrientation?, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    // The EXIF block may follow the pixels, so that reading the headers does not reach it.
    let options = InfoOptions(limits: budget.limits)
    let orientation =
      if let orientation { orientation } else {
        try WebPDecoder().metadata(bytes, options: options, budget: &budget).orientation
      }
    try budget.allocate(bytes.count)
    try budget.chargeWork(2 * bytes.count)
    let heldByteCount = budget.heldByteCount
    defer { budget.settle(heldByteCount: heldByteCount) }
    let container = try WebPContainer(parsing: bytes, budget: &budget)
    let exif = describedEXIF(metadata.exif, orientation: orientation)
    let picture = try pictureChunks(of: bytes, isAnimated: container.coding == .animated)
    var features: CanvasFeatures = container.coding == .animated ? [.animation] : []
    if container.hasAlpha { features.insert(.alpha) }
    if picture.hasProfile { features.insert(.profile) }
    if exif != nil { features.insert(.exif) }
    if metadata.xmp != nil { features.insert(.xmp) }
    var writer = RIFFWriter()
    // A simple file with a lossless image can announce alpha without VP8X.
    if !features.subtracting(.alpha).isEmpty || picture.hasAlphaPlane { writer.append(features, size: container.size) }
    writer.append(contentsOf: picture.chunks)
    if let exif { writer.append("EXIF", exif) }
    if let xmp = metadata.xmp { writer.append("XMP ", xmp) }
    return try writer.file()
  }

  // MARK: Chunks that stay

  private func pictureChunks(of bytes: Span<UInt8>, isAnimated: Bool) throws(CodecError) -> (
    chunks: RIFFWriter, hasProfile: Bool, hasAlphaPlane: Bool
  ) {
    var output = RIFFWriter()
    var (hasImage, hasProfile, hasAlphaPlane) = (false, false, false)
    var chunks = ChunkReader(bytes, in: 12..<Self.end(of: bytes))
    while let chunk = (try? chunks.next()) ?? nil {
      switch chunk.type {
      case "VP8X", "EXIF", "XMP ": continue
      case "ICCP" where !hasProfile: hasProfile = true
      // Decoders show either one image or the frames.
      case "VP8 ", "VP8L":
        if !keepsUnknownParts, isAnimated || hasImage { continue }
        hasImage = true
      case "ALPH":
        if !keepsUnknownParts, isAnimated || hasImage || hasAlphaPlane { continue }
        hasAlphaPlane = true
      case "ANIM":
        guard !keepsUnknownParts else { break }
        if isAnimated { try append(chunk, bytes, maximumByteCount: Self.animationByteCount, to: &output) }
        continue
      case "ANMF":
        if !keepsUnknownParts, !isAnimated { continue }
        hasImage = true
        try appendFrame(chunk, bytes, to: &output)
        continue
      default: guard keepsUnknownParts else { continue }
      }
      try append(chunk, bytes, to: &output)
    }
    guard hasImage else {
      throw CodecError(.malformed, "there is no image data", format: WebPDecoder.type, byteOffset: bytes.count)
    }
    return (output, hasProfile, hasAlphaPlane)
  }

  /// The number of bytes of ANIM: a colour and a loop count.
  private static let animationByteCount = 6

  /// Returns the end of the file as stated, or that of its first chunk if that is later, as in decoders.
  private static func end(of bytes: Span<UInt8>) -> Int {
    var reader = ByteReader(bytes)
    guard (try? reader.skip(4)) != nil, let size = try? reader.readUInt32LittleEndian(), (try? reader.skip(4)) != nil,
      let first = try? RIFFChunk(parsing: &reader)
    else { return bytes.count }
    return max(first.end, Int(clamping: 8 + UInt64(size)))
  }

  /// Copies a frame with only the chunks of its picture, plus unknown chunks if they are kept.
  private func appendFrame(_ frame: RIFFChunk, _ bytes: Span<UInt8>, to output: inout RIFFWriter) throws(CodecError) {
    try requireComplete(frame, bytes)
    if keepsUnknownParts { return try append(frame, bytes, to: &output) }
    let header =
      frame.payload
      .lowerBound..<min(frame.payload.lowerBound + AnimationFrameHeader.byteCount, frame.payload.upperBound)
    var content = RIFFWriter()
    var chunks = ChunkReader(bytes, in: header.upperBound..<frame.payload.upperBound)
    var (hasImage, hasAlphaPlane) = (false, false)
    while !hasImage, let chunk = (try? chunks.next()) ?? nil {
      switch chunk.type {
      case "VP8 ", "VP8L": hasImage = true
      case "ALPH" where !hasAlphaPlane: hasAlphaPlane = !chunk.payload.isEmpty
      default: continue
      }
      // A chunk that exceeds its frame is cut off at the end of the frame, as in decoders.
      let payload = chunk.payload.clamped(to: header.upperBound..<frame.payload.upperBound)
      content.append(chunk.type.description, Array(copying: bytes.extracting(payload)))
    }
    output.append("ANMF", Array(copying: bytes.extracting(header)) + content.bytes)
  }

  private func append(
    _ chunk: RIFFChunk, _ bytes: Span<UInt8>, maximumByteCount: Int = .max, to output: inout RIFFWriter
  ) throws(CodecError) {
    try requireComplete(chunk, bytes)
    let payload = bytes.extracting(chunk.payload)
    output.append(
      chunk.type.description, Array(copying: payload.extracting(0..<min(payload.count, maximumByteCount))))
  }

  private func requireComplete(_ chunk: RIFFChunk, _ bytes: Span<UInt8>) throws(CodecError) {
    guard chunk.payload.upperBound <= bytes.count else {
      throw CodecError(
        .truncated, "the file ends within the chunk '\(chunk.type)'", format: WebPDecoder.type, byteOffset: bytes.count,
        neededByteCount: chunk.end)
    }
  }
}

extension WebPDecoder {
  /// Returns a rewriter that copies parts of unknown kinds.
  public func metadataRewriter(of type: AssetType) -> AnyMetadataRewriter? { WebPMetadataRewriter().erased }
}
