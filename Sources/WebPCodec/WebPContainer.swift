// The complete content of a WebP container: canvas, coding, alpha, frames and the kinds of metadata present (RFC 9649,
// sections 2.5–2.7).

public import ImageCoding

/// The properties that the chunks of a WebP file state.
public struct WebPContainer: Hashable, Sendable {
  /// The coding of the image data.
  public enum Coding: String, Hashable, Sendable {
    /// Lossy: a VP8 bitstream.
    case lossy = "VP8"
    /// Lossless: a VP8L bitstream.
    case lossless = "VP8L"
    /// Lossy colour with a separate alpha plane.
    case lossyWithAlpha = "VP8+ALPH"
    /// An animation.
    case animated = "ANIM"
  }

  /// A frame of an animation.
  public struct Frame: Hashable, Sendable {
    /// The frame's region of the canvas.
    public let region: PixelRegion
    /// The time for which the frame is shown.
    public let duration: Duration
    /// Whether the frame's region of the canvas is cleared after the frame was shown.
    public let isDisposed: Bool
    /// Whether the frame is blended over the canvas; otherwise it replaces its region.
    public let isBlended: Bool
  }

  /// The size of the canvas in pixels.
  public private(set) var size: PixelSize
  /// The coding of the image data.
  public private(set) var coding: Coding
  /// Whether pixels may be transparent.
  public private(set) var hasAlpha: Bool
  /// The number of times an animation plays; `nil` for a still image.
  public private(set) var loopCount: LoopCount?
  /// The background colour of an animation as stored: blue, green, red, alpha. Empty for a still image.
  public private(set) var background: [UInt8] = []
  /// The frames of an animation; `nil` for a still image or if frames were not indexed.
  public private(set) var frames: [Frame]?
  /// The range of the ICC profile in the file; `nil` if there is none.
  public private(set) var iccProfileRange: Range<Int>?
  /// Whether the header announces an EXIF block.
  public private(set) var hasEXIF = false
  /// Whether the header announces an XMP packet.
  public private(set) var hasXMP = false
  private var iccProfile: [UInt8]?

  /// Reads the container.
  ///
  /// - Parameters:
  ///   - bytes: the file or a prefix of it.
  ///   - options: if `indexesFrames` is set, the frames are listed; otherwise reading stops at the image data.
  /// - Throws: `CodecError.Kind.malformed`; `CodecError.Kind.truncated` with the needed byte count;
  ///   `CodecError.Kind.limitExceeded` for more frames than `DecodingLimits.maximumFrameCount`.
  public init(parsing bytes: Span<UInt8>, options: InfoOptions = InfoOptions()) throws(CodecError) {
    var budget = ResourceBudget(options.limits, format: WebPDecoder.type)
    try self.init(parsing: bytes, indexesFrames: options.indexesFrames, budget: &budget)
  }

  package init(
    parsing bytes: Span<UInt8>, indexesFrames: Bool = false, budget: inout ResourceBudget
  ) throws(CodecError) {
    var reader = ByteReader(bytes, format: WebPDecoder.type)
    try reader.skip(4)
    let fileEnd = Int(clamping: 8 + UInt64(try reader.readUInt32LittleEndian()))
    try reader.skip(4)
    let first = try RIFFChunk(parsing: &reader)
    switch first.type {
    case "VP8 ":
      let tag = try FrameTag(parsing: &reader)
      size = PixelSize(width: tag.width, height: tag.height)
      coding = .lossy
      hasAlpha = false
    case "VP8L":
      let header = try LosslessHeader(parsing: &reader)
      size = PixelSize(width: header.width, height: header.height)
      coding = .lossless
      hasAlpha = header.hasAlpha
    case "VP8X":
      guard first.payload.count >= CanvasHeader.byteCount else {
        throw reader.error(.malformed, "VP8X has \(first.payload.count) of its \(CanvasHeader.byteCount) bytes")
      }
      let header = try CanvasHeader(parsing: &reader)
      size = header.size
      coding = header.isAnimated ? .animated : .lossy
      hasAlpha = header.hasAlpha
      hasEXIF = header.hasEXIF
      hasXMP = header.hasXMP
      try readChunks(bytes, in: first.end..<max(first.end, fileEnd), indexesFrames: indexesFrames, budget: &budget)
    default:
      throw reader.error(.malformed, "the first chunk is '\(first.type)'")
    }
  }

  /// The work units for skipping a chunk, and for reading and storing a frame.
  static let workPerChunk = 50
  private static let workPerFrame = 200

  /// Reads the chunks after VP8X up to the image data, and the frames of an animation.
  private mutating func readChunks(
    _ bytes: Span<UInt8>, in range: Range<Int>, indexesFrames: Bool, budget: inout ResourceBudget
  ) throws(CodecError) {
    if coding == .animated {
      loopCount = .infinite
      if indexesFrames { frames = [] }
    }
    var chunks = ChunkReader(bytes, in: range)
    var hasAlphaChunk = false
    do throws(CodecError) {
      while let chunk = try chunks.next() {
        try budget.chargeWork(Self.workPerChunk)
        switch chunk.type {
        case "ICCP": try readProfile(bytes, in: chunk.payload, budget: &budget)
        case "ANIM": try readAnimation(bytes, at: chunk.payload)
        case "ANMF":
          // Frames follow. Without an index the rest of the file is not needed.
          guard indexesFrames else { return }
          guard (frames?.count ?? 0) < budget.limits.maximumFrameCount else {
            throw CodecError(
              .limitExceeded, "there are more than \(budget.limits.maximumFrameCount) frames",
              format: WebPDecoder.type, byteOffset: chunk.payload.lowerBound, limit: .count)
          }
          try budget.chargeWork(Self.workPerFrame)
          try budget.allocate(MemoryLayout<Frame>.stride)
          try readFrame(bytes, at: chunk.payload)
        case "ALPH": hasAlphaChunk = true
        case "VP8 ", "VP8L":
          if coding == .animated { continue }
          coding = chunk.type == "VP8L" ? .lossless : hasAlphaChunk ? .lossyWithAlpha : .lossy
          return
        default: break
        }
      }
    } catch {
      // If the file is damaged or truncated, the frames before the damage are kept.
      if indexesFrames, frames?.isEmpty == false, error.kind == .truncated { return }
      throw error
    }
  }

  private mutating func readProfile(
    _ bytes: Span<UInt8>, in payload: Range<Int>, budget: inout ResourceBudget
  ) throws(CodecError) {
    guard iccProfile == nil else { return }
    var reader = ByteReader(bytes, format: WebPDecoder.type)
    try reader.seek(to: payload.lowerBound)
    guard payload.count <= budget.metadataAllowance else { return }
    let profile = try reader.read(payload.count)
    guard budget.admitMetadata(profile.count) else { return }
    iccProfile = Array(copying: profile)
    iccProfileRange = payload
  }

  private mutating func readAnimation(_ bytes: Span<UInt8>, at payload: Range<Int>) throws(CodecError) {
    guard payload.count >= 6 else { return }
    var reader = ByteReader(bytes, format: WebPDecoder.type)
    try reader.seek(to: payload.lowerBound)
    background = Array(copying: try reader.read(4))
    loopCount = LoopCount(rawCount: Int(try reader.readUInt16LittleEndian()))
  }

  private mutating func readFrame(_ bytes: Span<UInt8>, at payload: Range<Int>) throws(CodecError) {
    guard payload.count >= AnimationFrameHeader.byteCount else { return }
    var reader = ByteReader(bytes, format: WebPDecoder.type)
    try reader.seek(to: payload.lowerBound)
    let header = try AnimationFrameHeader(parsing: &reader, payload: payload)
    frames?.append(
      Frame(
        region: header.region, duration: header.duration, isDisposed: header.isDisposed, isBlended: header.isBlended))
  }

  /// The properties that are common to all formats.
  var info: ImageInfo {
    let isAnimated = coding == .animated
    var info = ImageInfo(
      type: WebPDecoder.type, width: size.width, height: size.height, bitDepth: 8,
      colorModel: coding == .lossy || coding == .lossyWithAlpha ? .yCbCr : coding == .lossless ? .rgb : nil,
      hasAlpha: hasAlpha, frameCount: isAnimated ? frames?.count : 1, loopCount: loopCount, coding: coding.rawValue)
    if let iccProfile { info.colorSpace = .icc(iccProfile) }
    if let frames { info.duration = frames.reduce(.zero) { $0 + $1.duration } }
    return info
  }
}
