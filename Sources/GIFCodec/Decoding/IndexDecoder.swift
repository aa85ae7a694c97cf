// Decodes the LZW data of a frame to palette indices in stored order, GIF89a section 22.

internal import ByteCompression
internal import ImageCoding

/// Decodes the indices of one frame after another, reusing its memory.
struct IndexDecoder: Sendable {
  /// Sub-blocks hold at most 255 bytes. They are gathered into chunks of this size before decoding.
  private static let gatheredByteCount = 1 << 14

  private var lzw: LZWDecoder
  private var gathered: [UInt8]
  private var gatheredCount = 0
  private var storage: [UInt8] = []
  /// The number of pixels in the frame.
  private(set) var pixelCount = 0
  private var hasValidCodeSize = false

  init() {
    lzw = LZWDecoder(LZWCoding(literalWidth: 8, bitOrder: .leastSignificantFirst))
    gathered = [UInt8](repeating: 0, count: Self.gatheredByteCount)
  }

  /// Begins a frame. Its indices are charged to the budget until the caller releases ``pixelCount`` bytes.
  ///
  /// - Throws: `CodecError.Kind.limitExceeded` if the frame has too many pixels.
  mutating func begin(_ header: FrameHeader, budget: inout ResourceBudget) throws(CodecError) {
    pixelCount = try budget.allocatePixels(
      width: header.width, height: header.height, bytesPerPixel: 1, byteOffset: header.dataOffset)
    gatheredCount = 0
    hasValidCodeSize = header.hasValidCodeSize
    lzw.restart(
      LZWCoding(literalWidth: hasValidCodeSize ? header.minimumCodeSize : 8, bitOrder: .leastSignificantFirst))
  }

  /// Appends bytes of a sub-block.
  mutating func append(_ bytes: Span<UInt8>, _ budget: inout ResourceBudget) throws(CodecError) {
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
      if gatheredCount == gathered.count { try flush(&budget) }
    }
  }

  /// Decodes the gathered bytes.
  mutating func flush(_ budget: inout ResourceBudget) throws(CodecError) {
    guard gatheredCount > 0 else { return }
    let input = gathered
    let count = gatheredCount
    gatheredCount = 0
    // Moved out of the property while borrowed, so that the decoder can be mutated.
    var pixels: [UInt8] = []
    swap(&pixels, &storage)
    defer { swap(&pixels, &storage) }
    // Allocated only once there is data, so that a header alone costs nothing. The buffer of a large frame is not kept
    // for small ones.
    if pixels.count < pixelCount || pixels.count / 4 > pixelCount {
      pixels = []
      pixels = [UInt8](repeating: 0, count: pixelCount)
    }
    var target = pixels.mutableSpan
    var indices = target._mutatingExtracting(0..<pixelCount)
    let before = lzw.outputCount
    lzw.decode(input.span.extracting(0..<count), into: &indices)
    try budget.chargeWork(count * 4 + lzw.outputCount - before)
  }

  /// The number of decoded pixels, in stored order.
  var decodedCount: Int { lzw.outputCount }
  /// Whether all pixels are decoded.
  var isComplete: Bool { decodedCount == pixelCount }
  /// The decoded indices, in stored order.
  var indices: Span<UInt8> {
    @_lifetime(borrow self)
    get { storage.span.extracting(0..<lzw.outputCount) }
  }

  /// The damage of the frame once all of its data has been appended, and whether pixels are missing as a result.
  var damage: (reason: String, losesPixels: Bool)? {
    if !hasValidCodeSize { return ("the LZW minimum code size is not 1…11", true) }
    switch lzw.status {
    case .malformed: return ("an LZW code is not in the table", !isComplete)
    case _ where !isComplete: return ("the image data ends before the last pixel", true)
    case .needsInput: return ("the image data has no end-of-information code", false)
    case .ended, .excess: return nil
    }
  }

  /// Whether the data continues after the last pixel.
  var hasExcess: Bool { lzw.status == .excess }

  /// The highest index decoded so far.
  var highestIndex: UInt8 {
    let indices = indices
    var highest: UInt8 = 0
    for position in indices.indices { highest = max(highest, indices[position]) }
    return highest
  }
}
