// The decompression of one strip or tile into its stored rows, in pieces, whatever the scheme.

internal import ByteCompression
internal import ImageCoding

/// Decompresses a block after the other, reusing tables and buffers.
struct BlockReader {
  /// The source of the current block's bytes.
  private enum Source {
    case stored(position: Int)
    case packBits(PackBitsReader)
    case sgiLog(SGILogReader)
    case deflate(InflateStream, position: Int)
    case fax(FaxReader)
    /// The whole block has been decompressed to ``buffer``.
    case buffered(position: Int)
  }

  private let layout: ImageLayout
  private let embedded: EmbeddedImageReader
  private var source = Source.stored(position: 0)
  private var lzw: LZWDecoder?
  private var inflate = WholeInflate()
  private var fax: FaxReader?
  /// Blocks that are decompressed at once.
  private var buffer: [UInt8] = []
  private(set) var bufferedByteCount = 0
  /// The input with reversed bits, if the file stores it so.
  private var reversed: [UInt8] = []
  /// The description of the current block's damage; `nil` if it is valid so far.
  private(set) var damage: String?

  init(_ layout: ImageLayout, _ embedded: EmbeddedImageReader) {
    self.layout = layout
    self.embedded = embedded
  }

  /// Prepares for a block.
  ///
  /// - Parameters:
  ///   - input: the coded bytes.
  ///   - byteCount: the number of bytes of the block.
  ///   - width, rowCount: its size in pixels.
  mutating func begin(
    _ input: Span<UInt8>, byteCount: Int, width: Int, rowCount: Int, _ context: inout DecodingContext
  ) throws(CodecError) {
    damage = nil
    // The bytes are read once, by whatever scheme.
    try context.budget.chargeWork(Self.workPerBlock + input.count)
    if layout.reversesBits { try reverseBits(input, &context) }
    switch layout.compression {
    case .stored, .sgiLog24: source = .stored(position: 0)
    case .sgiLog:
      let bytesPerPixel = layout.photometric == .logLuv ? 4 : 2
      source = .sgiLog(SGILogReader(width: width, bytesPerPixel: bytesPerPixel))
    case .packBits: source = .packBits(PackBitsReader())
    case .deflate:
      try context.budget.chargeWork(Self.workPerInflate)
      guard inflatesWhole(byteCount: byteCount) else {
        source = .deflate(InflateStream(.zlib), position: 0)
        return
      }
      try resizeBuffer(byteCount + Self.margin, &context)
      try context.budget.chargeWork(byteCount)
      var bytes: [UInt8] = []
      swap(&bytes, &buffer)
      defer { swap(&bytes, &buffer) }
      var bytesSpan = bytes.mutableSpan
      var output = bytesSpan._mutatingExtracting(0..<byteCount + Self.margin)
      if let count = inflate.inflate(input, into: &output) {
        bufferedByteCount = min(count, byteCount)
        source = .buffered(position: 0)
      } else {
        source = .deflate(InflateStream(.zlib), position: 0)
      }
    case .modifiedHuffman, .group3, .group4:
      if fax == nil { try context.budget.allocate(count: layout.grid.blockWidth + 8, bytesEach: 8) }
      var reader = fax ?? FaxReader(FaxCoding(layout), width: width)
      fax = nil
      reader.restart(width: width)
      source = .fax(reader)
    case .lzw:
      try resizeBuffer(byteCount, &context)
      var bytes: [UInt8] = []
      swap(&bytes, &buffer)
      defer { swap(&bytes, &buffer) }
      var bytesSpan = bytes.mutableSpan
      var output = bytesSpan._mutatingExtracting(0..<byteCount)
      bufferedByteCount = try decodeLZW(input, into: &output, &context)
      source = .buffered(position: 0)
    case .jpeg, .webP, .jpeg2000, .jpeg2000YCbCr, .jpegXL:
      try resizeBuffer(byteCount, &context)
      var bytes: [UInt8] = []
      swap(&bytes, &buffer)
      defer { swap(&bytes, &buffer) }
      var bytesSpan = bytes.mutableSpan
      var output = bytesSpan._mutatingExtracting(0..<byteCount)
      bufferedByteCount = try embedded.read(
        input, width: width, rowCount: rowCount, into: &output, damage: &damage, &context)
      source = .buffered(position: 0)
    }
  }

  /// The work units for starting a block.
  private static let workPerBlock = 500
  /// The largest block of Deflate that is decompressed at once. Others are decompressed in parts, by zlib.
  private static let wholeByteCount = 1 << 20
  /// The room beyond a block of Deflate with which it is decompressed fast up to its end.
  static let margin = 320
  /// The work units for opening a DEFLATE stream.
  private static let workPerInflate = 3_000

  /// The work units for decoding a row of facsimile data, in addition to its bytes.
  private static let workPerFaxRow = 50

  /// Decompresses the next bytes of the block.
  ///
  /// - Parameter input: the bytes passed to ``begin(_:byteCount:width:rowCount:_:)``.
  /// - Returns: the number of bytes written. Fewer than the output holds if the block is damaged or ends early.
  mutating func read(
    _ input: Span<UInt8>, into output: inout MutableSpan<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Int {
    try context.budget.chargeWork(output.count)
    if layout.compression.isFax {
      let rowByteCount = (layout.grid.blockWidth + 7) / 8
      try context.budget.chargeWork(count: output.count / rowByteCount, unitsEach: Self.workPerFaxRow)
    }
    if !layout.reversesBits { return readPlain(input, into: &output) }
    var bytes: [UInt8] = []
    swap(&bytes, &reversed)
    defer { swap(&bytes, &reversed) }
    return readPlain(bytes.span.extracting(0..<input.count), into: &output)
  }

  private mutating func readPlain(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Int {
    switch source {
    case .stored(let position):
      let count = copyBytes(input, from: position, into: &output)
      source = .stored(position: position + count)
      return count
    case .packBits(var reader):
      let count = reader.read(input, into: &output)
      source = .packBits(reader)
      return count
    case .sgiLog(var reader):
      let count = reader.read(input, into: &output)
      source = .sgiLog(reader)
      return count
    case .deflate(let stream, let position):
      return inflate(stream, input, from: position, into: &output)
    case .fax(var reader):
      source = .stored(position: 0)
      let count = reader.read(input, into: &output)
      damage = reader.damage
      source = .fax(reader)
      return count
    case .buffered(let position):
      let count = copyBytes(buffer.span.extracting(0..<bufferedByteCount), from: position, into: &output)
      source = .buffered(position: position + count)
      return count
    }
  }

  private func copyBytes(_ input: Span<UInt8>, from position: Int, into output: inout MutableSpan<UInt8>) -> Int {
    let count = max(0, min(output.count, input.count - position))
    guard count > 0 else { return 0 }
    let part = input.extracting(position..<position + count)
    for index in 0..<count { output[index] = part[index] }
    return count
  }

  private mutating func inflate(
    _ stream: InflateStream, _ input: Span<UInt8>, from start: Int, into output: inout MutableSpan<UInt8>
  ) -> Int {
    var position = start
    var written = 0
    while written < output.count, damage == nil {
      var rest = output._mutatingExtracting(written..<output.count)
      let progress = stream.inflate(input.extracting(position..<input.count), into: &rest)
      position += progress.consumedCount
      written += progress.producedCount
      if case .damaged(let reason) = progress.status { damage = reason }
      if progress.status != .needsMore || (progress.producedCount == 0 && progress.consumedCount == 0) { break }
    }
    source = .deflate(stream, position: position)
    return written
  }

  /// Returns the coding of an LZW stream. The first two bytes of streams by old writers, which fill bytes from the low
  /// end, cannot begin a stream by TIFF 6.0.
  static func lzwCoding(of input: Span<UInt8>) -> LZWCoding {
    let isOld = input.count >= 2 && input[0] == 0 && input[1] & 1 == 1
    return LZWCoding(
      literalWidth: 8, bitOrder: isOld ? .leastSignificantFirst : .mostSignificantFirst, hasEarlyChange: !isOld)
  }

  /// Decompresses LZW.
  ///
  /// - Returns: the number of bytes written.
  private mutating func decodeLZW(
    _ input: Span<UInt8>, into output: inout MutableSpan<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Int {
    try context.budget.chargeWorkInParts(count: output.count, unitsEach: 1)
    let interruption = context.budget.interruption
    if layout.reversesBits {
      var bytes: [UInt8] = []
      swap(&bytes, &reversed)
      defer { swap(&bytes, &reversed) }
      return try decodePlainLZW(bytes.span.extracting(0..<input.count), into: &output, interruption)
    }
    return try decodePlainLZW(input, into: &output, interruption)
  }

  /// The bytes of input that are decompressed between two checks. Each code of nine bits or more can be a string of up
  /// to four thousand bytes.
  private static let bytesBetweenChecks = 8 << 10

  private mutating func decodePlainLZW(
    _ input: Span<UInt8>, into output: inout MutableSpan<UInt8>, _ interruption: Interruption
  ) throws(CodecError) -> Int {
    let coding = Self.lzwCoding(of: input)
    var decoder: LZWDecoder
    if var kept = lzw {
      lzw = nil
      kept.restart(coding)
      decoder = kept
    } else {
      decoder = LZWDecoder(coding)
    }
    var position = 0
    repeat {
      let end = min(input.count, position + Self.bytesBetweenChecks)
      decoder.decode(input.extracting(position..<end), into: &output)
      position = end
      try interruption.check()
    } while position < input.count && decoder.status == .needsInput
    if decoder.status == .malformed { damage = "an LZW code is not in the table" }
    let count = decoder.outputCount
    lzw = decoder
    return count
  }

  /// Finishes the current block, keeping its buffers for the next.
  mutating func end() {
    if case .fax(let reader) = source { fax = reader }
    source = .stored(position: 0)
  }

  /// The bytes held by buffers, as charged to the budget.
  private mutating func resizeBuffer(_ byteCount: Int, _ context: inout DecodingContext) throws(CodecError) {
    guard buffer.count < byteCount else { return }
    try context.budget.allocate(byteCount - buffer.count)
    buffer = []
    buffer = [UInt8](repeating: 0, count: byteCount)
  }

  private mutating func reverseBits(_ input: Span<UInt8>, _ context: inout DecodingContext) throws(CodecError) {
    if reversed.count < input.count {
      try context.budget.allocate(input.count - reversed.count)
      reversed = []
      reversed = [UInt8](repeating: 0, count: input.count)
    }
    var output = reversed.mutableSpan
    for index in input.indices {
      var byte = input[index]
      byte = byte &<< 4 | byte &>> 4
      byte = (byte & 0x33) &<< 2 | (byte &>> 2) & 0x33
      output[index] = (byte & 0x55) &<< 1 | (byte &>> 1) & 0x55
    }
  }
}

// MARK: - Whole blocks

extension BlockReader {
  /// Whether all of the current block has been decompressed, to the buffer.
  var isWhole: Bool {
    if case .buffered = source { true } else { false }
  }

  /// Exchanges the buffer that holds the block for another, which saves a copy.
  mutating func exchangeBuffer(with other: inout [UInt8]) { swap(&buffer, &other) }

  private func inflatesWhole(byteCount: Int) -> Bool { byteCount <= Self.wholeByteCount && !layout.reversesBits }

  /// Returns whether blocks of this image can be decompressed directly into the bitmap, instead of to a buffer.
  func canReadInPlace(byteCount: Int) -> Bool {
    layout.compression == .lzw || (layout.compression == .deflate && inflatesWhole(byteCount: byteCount))
  }

  /// Decompresses a block at once.
  ///
  /// - Parameters:
  ///   - byteCount: the number of bytes of the block.
  ///   - output: holds them, and up to ``margin`` bytes more, whose content is arbitrary afterwards.
  /// - Returns: the number of bytes written. Fewer than `byteCount` if the block is damaged or ends early.
  mutating func readInPlace(
    _ input: Span<UInt8>, byteCount: Int, into output: inout MutableSpan<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Int {
    damage = nil
    try context.budget.chargeWork(Self.workPerBlock + input.count)
    if layout.reversesBits { try reverseBits(input, &context) }
    if layout.compression == .deflate {
      try context.budget.chargeWork(Self.workPerInflate)
      if let count = inflate.inflate(input, into: &output) { return min(count, byteCount) }
      var block = output._mutatingExtracting(0..<byteCount)
      return inflate(InflateStream(.zlib), input, from: 0, into: &block)
    }
    var block = output._mutatingExtracting(0..<byteCount)
    return try decodeLZW(input, into: &block, &context)
  }
}
