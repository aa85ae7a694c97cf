// LZW data of one frame in, palette indices in stored order out, GIF89a section 22.

internal import ByteCompression
internal import ImageCore

/// Decodes the indices of frames, one after the other, with the same memory.
struct IndexDecoder: Sendable {
  /// Sub-blocks are at most 255 bytes long: they are gathered, and decoded this many bytes at a time.
  private static let gatheredByteCount = 1 << 14

  private var lzw: LZWDecoder
  private var gathered: [UInt8]
  private var gatheredCount = 0
  private var storage: [UInt8] = []
  /// Pixels of the frame.
  private(set) var pixelCount = 0
  private var hasValidCodeSize = false

  init() {
    lzw = LZWDecoder(LZWCoding(literalWidth: 8, bitOrder: .leastSignificantFirst))
    gathered = [UInt8](repeating: 0, count: Self.gatheredByteCount)
  }

  /// Starts a frame.
  ///
  /// - Throws: ``DecodeError/Kind/limitExceeded`` when it has too many pixels.
  mutating func begin(_ header: FrameHeader, limits: DecodingLimits) throws(DecodeError) {
    pixelCount = try limits.checkedByteCount(
      width: header.width, height: header.height, bytesPerPixel: 1, format: GIFDecoder.type,
      byteOffset: header.dataOffset)
    gatheredCount = 0
    hasValidCodeSize = header.hasValidCodeSize
    lzw.restart(
      LZWCoding(literalWidth: hasValidCodeSize ? header.minimumCodeSize : 8, bitOrder: .leastSignificantFirst))
  }

  /// Takes bytes of a sub-block.
  mutating func append(_ bytes: Span<UInt8>) {
    guard lzw.status == .needsInput, hasValidCodeSize else { return }
    var start = 0
    while start < bytes.count {
      let from = gatheredCount
      let count = min(bytes.count - start, gathered.count - from)
      var target = gathered.mutableSpan
      var room = target._mutatingExtracting(from..<from + count)
      copyBytes(bytes.extracting(start..<start + count), into: &room)
      gatheredCount = from + count
      start += count
      if gatheredCount == gathered.count { flush() }
    }
  }

  /// Decodes what was gathered.
  mutating func flush() {
    guard gatheredCount > 0 else { return }
    let input = gathered
    let count = gatheredCount
    gatheredCount = 0
    // Taken out while it is borrowed, so that the decoder may change.
    var pixels: [UInt8] = []
    swap(&pixels, &storage)
    defer { swap(&pixels, &storage) }
    // Not before there is data: a header alone must cost nothing. What a large frame needed is not kept for small ones.
    if pixels.count < pixelCount || pixels.count / 4 > pixelCount {
      pixels = []
      pixels = [UInt8](repeating: 0, count: pixelCount)
    }
    var target = pixels.mutableSpan
    var indices = target._mutatingExtracting(0..<pixelCount)
    lzw.decode(input.span.extracting(0..<count), into: &indices)
  }

  /// Pixels that are decoded, in stored order.
  var decodedCount: Int { lzw.outputCount }
  /// Whether all of them are.
  var isComplete: Bool { decodedCount == pixelCount }
  /// The decoded indices, in stored order.
  var indices: Span<UInt8> {
    @_lifetime(borrow self)
    get { storage.span.extracting(0..<lzw.outputCount) }
  }

  /// What is wrong with the frame now that all its data was given, and whether pixels are missing for it.
  var damage: (reason: String, losesPixels: Bool)? {
    if !hasValidCodeSize { return ("the LZW minimum code size is not 1…11", true) }
    switch lzw.status {
    case .malformed: return ("an LZW code stands for no string", !isComplete)
    case _ where !isComplete: return ("the image data ends before the image does", true)
    case .needsInput: return ("the image data has no end of information code", false)
    case .ended, .excess: return nil
    }
  }

  /// Whether the data goes on behind the last pixel.
  var hasExcess: Bool { lzw.status == .excess }

  /// The highest index that was decoded.
  var highestIndex: UInt8 {
    let indices = indices
    var highest: UInt8 = 0
    for position in indices.indices { highest = max(highest, indices[position]) }
    return highest
  }
}
