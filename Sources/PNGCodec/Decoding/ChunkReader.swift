// Framing, PNG section 5: the signature, then chunks of length, type, data and CRC. Input is incremental and chunk data
// is passed on in parts, so no chunk is ever buffered here.

internal import ByteCompression
internal import ImageCoding

/// Splits incremental input into chunks.
struct ChunkReader {
  /// A syntax element of the file.
  enum Event {
    /// A chunk begins.
    case begin(ChunkType, byteCount: Int)
    /// The next part of the chunk's data, as a range of input indices.
    case data(Range<Int>)
    /// The chunk is complete.
    case end(ChunkType, isIntact: Bool)
  }

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private enum State {
    case signature
    case header
    case data
    case checksum
  }

  private var state = State.signature
  /// The bytes of the field being read (signature, length and type, or CRC), most significant first.
  private var field: UInt64 = 0
  private var fieldByteCount = 0
  /// The type of the current chunk.
  private(set) var type = ChunkType(code: 0)
  /// The number of bytes of the current chunk's data that follow.
  private(set) var remainingByteCount = 0
  /// The checksum of the current chunk so far; `nil` if it is not checked.
  private var checksum: CRC32?
  /// The number of bytes of the file consumed so far.
  private(set) var byteOffset = 0
  /// The file offset of the current chunk's length field.
  private(set) var chunkOffset = 0

  /// The number of bytes of the file that complete the current chunk, or the header of the next one; `nil` if an `Int`
  /// cannot hold it.
  var neededByteCount: Int? {
    switch state {
    case .signature, .header: return byteOffset - fieldByteCount + 8
    case .data:
      let (end, overflow) = (byteOffset + 4).addingReportingOverflow(remainingByteCount)
      return overflow ? nil : end
    case .checksum: return byteOffset - fieldByteCount + 4
    }
  }

  /// Whether the input so far ends between two chunks.
  var isBetweenChunks: Bool { state == .header && fieldByteCount == 0 }

  /// Returns the next event, or `nil` when `input` is consumed.
  mutating func next(_ input: Span<UInt8>, position: inout Int) throws(CodecError) -> Event? {
    while position < input.count {
      switch state {
      case .signature:
        guard takeField(byteCount: 8, input, &position) else { return nil }
        try checkSignature()
      case .header:
        if fieldByteCount == 0 { chunkOffset = byteOffset }
        guard takeField(byteCount: ChunkHeader.byteCount, input, &position) else { return nil }
        return try beginChunk()
      case .data:
        return takeData(input, &position)
      case .checksum:
        guard takeField(byteCount: 4, input, &position) else { return nil }
        state = .header
        return .end(type, isIntact: checksum.map { UInt32(truncatingIfNeeded: field) == $0.value } ?? true)
      }
    }
    return nil
  }

  /// Leaves the data of the current chunk unread, which is taken for intact.
  mutating func ignoreChecksum() {
    checksum = nil
  }

  /// Collects the bytes of a field across inputs; returns `true` once it is complete.
  private mutating func takeField(byteCount: Int, _ input: Span<UInt8>, _ position: inout Int) -> Bool {
    while fieldByteCount < byteCount, position < input.count {
      field = field << 8 | UInt64(input[position])
      fieldByteCount += 1
      position += 1
      byteOffset += 1
    }
    guard fieldByteCount == byteCount else { return false }
    fieldByteCount = 0
    return true
  }

  private mutating func checkSignature() throws(CodecError) {
    guard field == 0x8950_4E47_0D0A_1A0A else {
      throw CodecError(.malformed, "the PNG signature is damaged", format: PNGDecoder.type, byteOffset: 0)
    }
    state = .header
  }

  private mutating func beginChunk() throws(CodecError) -> Event {
    let header = try ChunkHeader(field, byteOffset: chunkOffset)
    type = header.type
    var checksum = CRC32()
    let typeBytes = (0..<4).map { UInt8(truncatingIfNeeded: type.code >> (24 - $0 * 8)) }
    checksum.update(typeBytes.span)
    self.checksum = checksum
    remainingByteCount = header.dataByteCount
    state = remainingByteCount == 0 ? .checksum : .data
    return .begin(type, byteCount: remainingByteCount)
  }

  private mutating func takeData(_ input: Span<UInt8>, _ position: inout Int) -> Event {
    let part = position..<position + min(remainingByteCount, input.count - position)
    checksum?.update(input.extracting(part))
    position = part.upperBound
    byteOffset += part.count
    remainingByteCount -= part.count
    if remainingByteCount == 0 { state = .checksum }
    return .data(part)
  }
}
