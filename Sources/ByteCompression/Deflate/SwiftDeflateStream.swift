// DEFLATE compression without the system's zlib: streams of about the same size in less time.

internal import ImageCore

/// A DEFLATE stream being compressed.
package final class SwiftDeflateStream {
  package typealias Strategy = DeflateStrategy

  private static let windowByteCount = 32 << 10
  /// The number of bytes that are divided at once. Blocks are parts of that.
  private static let partByteCount = 128 << 10

  private let level: Int
  private let strategy: Strategy
  private let isRaw: Bool
  /// The bytes before the part in the stream, at most a window, and the part received so far.
  private var bytes: [UInt8] = []
  /// The start of the part in `bytes`.
  private var partStart = 0
  /// The stream position of the first byte of `bytes`, modulo 2^32. It starts at two windows, so that an empty slot of a
  /// table is too far away.
  private var streamOffset: UInt32 = 64 << 10
  /// The searches for matches. There are two at high levels, because more effort does not always make a part smaller.
  private var searches: [LazyMatching]
  private var parts: [DividedPart]
  private var checksum = Adler32()
  private var output: DeflateOutput

  /// Opens a stream at the given compression level.
  ///
  /// - Parameters:
  ///   - level: 0 (stored) … 9 (smallest).
  ///   - isRaw: whether to leave out the zlib header and checksum.
  package init(level: Int, strategy: Strategy = .standard, isRaw: Bool = false) {
    self.level = min(max(level, 0), 9)
    self.strategy = strategy
    self.isRaw = isRaw
    searches = (self.level > 7 ? [self.level, 6] : [self.level]).map {
      LazyMatching(MatchEffort(level: $0, findsShort: strategy != .filtered))
    }
    parts = searches.map { _ in DividedPart() }
    output = DeflateOutput(header: isRaw ? [] : zlibHeader(level: self.level))
  }

  /// The number of compressed bytes not taken yet.
  package var outputByteCount: Int { output.byteCount }

  /// Compresses bytes. Returns `true`: nothing can fail.
  @discardableResult
  package func append(_ input: Span<UInt8>) -> Bool {
    if !isRaw { checksum.update(input) }
    var start = 0
    while start < input.count {
      let count = min(input.count - start, partStart + Self.partByteCount - bytes.count)
      bytes.append(copying: input.extracting(start..<start + count))
      start += count
      if bytes.count == partStart + Self.partByteCount { compressPart(isFinal: false) }
    }
    return true
  }

  /// Sets the bytes that matches may refer to before the first byte, at most 32 KiB. Only for raw streams, before any
  /// byte is appended. Returns `false` otherwise.
  package func setDictionary(_ dictionary: Span<UInt8>) -> Bool {
    guard isRaw, bytes.isEmpty, dictionary.count <= Self.windowByteCount else { return false }
    bytes.append(copying: dictionary)
    partStart = bytes.count
    for index in searches.indices { searches[index].enter(dictionary, streamOffset: streamOffset) }
    return true
  }

  /// Ends the current block on a byte boundary, so that another stream can follow. Returns everything compressed since
  /// the last ``takeOutput()``. The result is never `nil`.
  package func flush() -> [UInt8]? {
    if bytes.count > partStart { compressPart(isFinal: false) }
    let nothing: [UInt8] = []
    output.store(nothing.span, isFinal: false)
    return takeOutput()
  }

  /// Ends the stream. Returns everything compressed since the last ``takeOutput()``. The result is never `nil`.
  package func finish() -> [UInt8]? {
    compressPart(isFinal: true)
    if !isRaw { output.append(checksum: checksum.value) }
    return takeOutput()
  }

  /// Returns the bytes compressed since the last call.
  package func takeOutput() -> [UInt8] { output.take() }

  private func compressPart(isFinal: Bool) {
    let part = partStart..<bytes.count
    defer { slide() }
    // Moved out of its property while borrowed, so that it is mutated in place later.
    var bytes: [UInt8] = []
    swap(&bytes, &self.bytes)
    defer { self.bytes = bytes }
    if level == 0 { return output.store(bytes.span.extracting(part), isFinal: isFinal) }
    let choices = strategy == .standard || strategy == .filtered ? searches.count : 1
    for index in 0..<choices { divide(bytes.span, part, by: index) }
    var best = 0
    if choices > 1 {
      let sizes = parts.map { $0.bitCount(bytes.span, from: part.lowerBound) }
      best = sizes[1] < sizes[0] ? 1 : 0
    }
    parts[best].write(bytes.span, from: part.lowerBound, isFinal: isFinal, to: &output)
  }

  /// Divides a part into literals and matches.
  private func divide(_ bytes: Span<UInt8>, _ part: Range<Int>, by index: Int) {
    let (strategy, streamOffset) = (strategy, streamOffset)
    parts[index].divide(bytes, part) { sequences in
      switch strategy {
      case .standard, .filtered:
        searches[index].divide(bytes, block: part, streamOffset: streamOffset, into: &sequences)
      case .runLength: divideIntoRuns(bytes, part, into: &sequences)
      case .huffmanOnly: appendLiterals(part.count, to: &sequences, at: 0)
      }
    }
  }

  /// Keeps a window before the next part.
  private func slide() {
    let excess = max(0, bytes.count - Self.windowByteCount)
    bytes.removeFirst(excess)
    streamOffset &+= UInt32(truncatingIfNeeded: excess)
    partStart = bytes.count
  }
}

/// The header of a stream with a window of 32 KiB; the level is only informative. RFC 1950, section 2.2.
func zlibHeader(level: Int) -> [UInt8] {
  level < 2 ? [0x78, 0x01] : level < 6 ? [0x78, 0x5E] : level == 6 ? [0x78, 0x9C] : [0x78, 0xDA]
}
