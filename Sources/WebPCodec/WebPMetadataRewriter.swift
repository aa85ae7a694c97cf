// Replaces the metadata of a file and leaves its pixels byte-identical (RFC 9649, section 2.7).

public import ImageCore

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
    _ bytes: Span<UInt8>, metadata: ImageMetadata, orientation: ImageOrientation, limits: DecodingLimits = .default
  ) throws(CodecError) -> [UInt8] {
    var budget = ResourceBudget(limits, format: WebPDecoder.type)
    return try rewrite(bytes, metadata: metadata, orientation: orientation, budget: &budget)
  }

  /// The work units for a chunk, besides one for each byte, which is copied several times.
  private static let workPerChunk = 200

  /// Rewrites a file within a budget, which is charged for the result and for the work of reading and copying.
  package func rewrite(
    _ bytes: Span<UInt8>, metadata: ImageMetadata, orientation: ImageOrientation, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    // The chunks, the file around them, and the chunks of a frame.
    try budget.allocate(count: bytes.count, bytesEach: 3)
    let container = try WebPContainer(parsing: bytes)
    let exif = describedEXIF(metadata.exif, orientation: orientation)
    let picture = try pictureChunks(of: bytes, &budget)
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

  private func pictureChunks(
    of bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> (chunks: RIFFWriter, hasProfile: Bool, hasAlphaPlane: Bool) {
    var output = RIFFWriter()
    var (hasImage, hasProfile, hasAlphaPlane) = (false, false, false)
    var chunks = ChunkWalk(bytes, in: 12..<bytes.count)
    while let chunk = (try? chunks.next()) ?? nil {
      try budget.chargeWork(Self.workPerChunk + chunk.payload.count)
      switch chunk.type {
      case "VP8X", "EXIF", "XMP ": continue
      case "ICCP" where !hasProfile: hasProfile = true
      case "VP8 ", "VP8L": hasImage = true
      case "ALPH": hasAlphaPlane = true
      case "ANIM": break
      case "ANMF":
        hasImage = true
        try appendFrame(chunk, bytes, to: &output, &budget)
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
  private func appendFrame(
    _ frame: RIFFChunk, _ bytes: Span<UInt8>, to output: inout RIFFWriter, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    try requireComplete(frame, bytes)
    if keepsUnknownChunks { return try append(frame, bytes, to: &output) }
    let header =
      frame.payload
      .lowerBound..<min(frame.payload.lowerBound + AnimationFrameHeader.byteCount, frame.payload.upperBound)
    var content = RIFFWriter()
    var chunks = ChunkWalk(bytes, in: header.upperBound..<frame.payload.upperBound)
    while let chunk = (try? chunks.next()) ?? nil {
      try budget.chargeWork(Self.workPerChunk)
      guard chunk.type == "VP8 " || chunk.type == "VP8L" || chunk.type == "ALPH" else { continue }
      // A chunk that exceeds its frame is cut off at the end of the frame, as in decoders.
      let payload = chunk.payload.clamped(to: header.upperBound..<frame.payload.upperBound)
      content.append(chunk.type.description, Array(copying: bytes.extracting(payload)))
    }
    output.append("ANMF", Array(copying: bytes.extracting(header)) + content.bytes)
  }

  private func append(_ chunk: RIFFChunk, _ bytes: Span<UInt8>, to output: inout RIFFWriter) throws(CodecError) {
    try requireComplete(chunk, bytes)
    output.append(chunk.type.description, Array(copying: bytes.extracting(chunk.payload)))
  }

  private func requireComplete(_ chunk: RIFFChunk, _ bytes: Span<UInt8>) throws(CodecError) {
    guard chunk.payload.upperBound <= bytes.count else {
      throw CodecError(
        .truncated, "the file ends within the chunk '\(chunk.type)'", format: WebPDecoder.type, byteOffset: bytes.count,
        neededByteCount: chunk.end)
    }
  }
}
