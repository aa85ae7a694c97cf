// The strips or tiles of a page: their positions in the file, as decoders read them, and the bytes of them that decoders
// use.

internal import ByteCompression
internal import ImageCoding
internal import MetadataFormats

/// The coded blocks of a page.
struct PageBlocks {
  /// The bytes of a block.
  struct Extent {
    let range: Range<Int>
    /// Whether the file does not state where the block ends, so that the range extends to the end of the file.
    let isOpen: Bool
  }

  /// The fields that hold positions and lengths.
  let fields: (offsets: TIFFField, byteCounts: TIFFField?)
  /// The tag of the field with the lengths.
  var countsTag: UInt16 {
    let tag: Tag = fields.offsets.tag == Tag.tileOffsets.rawValue ? .tileByteCounts : .stripByteCounts
    return tag.rawValue
  }
  /// The number of blocks that make up the image. The fields may list more.
  let count: Int
  let compression: Int
  private let header: TIFFHeader
  /// The layout of the pixels, unless the page is of a kind that is not decoded.
  private let layout: ImageLayout?
  private let rows: StoredRows?

  /// The work units for preparing to find the end of a block.
  private static let workPerBlock = 3_000
  /// The work units for reading a byte of LZW and a byte of PackBits.
  private static let workPerCodedByte = 8
  /// The number of bytes that are examined at a time.
  private static let pieceByteCount = 1 << 16

  /// - Throws: `CodecError.Kind.malformed` if the directory lacks the size of the image or its blocks.
  init(
    _ container: TIFFContainer, _ bytes: Span<UInt8>, limits: DecodingLimits
  ) throws(CodecError) {
    header = container.header
    compression = container.compression
    fields = try ImageLayout.blockFields(container)
    // Validating the layout spends nothing.
    var context = DecodingContext(DecodingOptions(limits: limits), format: TIFFDecoder.type)
    layout = try? ImageLayout(container, bytes, &context)
    rows = layout.flatMap { try? StoredRows($0) }
    let values = DirectoryValues(container.directory, in: bytes, header: header)
    let grid = layout?.grid ?? (try? ImageLayout.grid(container, values, 1))
    let planeCount = container.isPlanar ? container.samplesPerPixel : 1
    let (needed, overflow) = (grid?.blockCount ?? .max).multipliedReportingOverflow(by: planeCount)
    count = min(fields.offsets.count, overflow ? .max : needed)
  }

  /// Returns the bytes of a block in the file.
  ///
  /// - Throws: `CodecError.Kind.truncated` if the block is not completely in the file.
  func extent(at index: Int, in bytes: Span<UInt8>) throws(CodecError) -> Extent {
    let offset = fields.offsets.integer(at: index, in: bytes, header: header) ?? -1
    let stated = fields.byteCounts?.integer(at: index, in: bytes, header: header) ?? 0
    guard offset >= 0, offset < bytes.count, stated <= bytes.count - offset else {
      throw CodecError(
        .truncated, "the data of strip or tile \(index) is not in the file", format: TIFFDecoder.type,
        byteOffset: bytes.count)
    }
    return Extent(range: offset..<(stated > 0 ? offset + stated : bytes.count), isOpen: stated <= 0)
  }

  /// Returns the number of bytes at the start of a block that decoders use; `nil` if that is not known, because the data
  /// is damaged or coded in a way that is not decoded.
  func usedByteCount(
    of input: Span<UInt8>, at index: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Int? {
    guard let layout, let rows, let blockCount = layout.grid.blockCount else { return nil }
    try budget.chargeWork(Self.workPerBlock)
    let row = index % blockCount / layout.grid.columnCount
    let rowCount = layout.grid.storedRowCount(ofBlockRow: row)
    let unitCount = (rowCount - 1) / rows.rowsPerUnit + 1
    let (byteCount, overflow) = unitCount.multipliedReportingOverflow(by: rows.unitByteCount)
    guard !overflow else { return nil }
    // Decompression takes less than half of the work of decoding.
    budget.allowWork(forDataOf: layout.size, divisor: 2)
    switch layout.compression {
    case .stored, .sgiLog24: return byteCount <= input.count ? byteCount : nil
    case .jpeg, .webP, .jpeg2000, .jpeg2000YCbCr, .jpegXL: return nil
    case _ where !layout.reversesBits: return try codedByteCount(input, layout, rows, unitCount, byteCount, &budget)
    default:
      try budget.allocate(input.count)
      defer { budget.release(input.count) }
      try budget.chargeWork(input.count)
      var reversed: [UInt8] = []
      reversed.reserveCapacity(input.count)
      for place in input.indices { reversed.append(input[place].bitReversed) }
      return try codedByteCount(reversed.span, layout, rows, unitCount, byteCount, &budget)
    }
  }

  private func codedByteCount(
    _ input: Span<UInt8>, _ layout: ImageLayout, _ rows: StoredRows, _ unitCount: Int, _ byteCount: Int,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> Int? {
    switch layout.compression {
    case .deflate:
      var extent = InflateExtent(.zlib)
      let count = try extent.usedByteCount(of: input, budget: &budget)
      return extent.isDamaged || !extent.hasEnded ? nil : count
    case .lzw: return try lzwByteCount(input, byteCount, &budget)
    case .packBits:
      var reader = PackBitsReader()
      return try byteCountRead(input, byteCount, pieceByteCount: Self.pieceByteCount, &budget) { piece in
        (reader.read(input, into: &piece), reader.position)
      }
    case .sgiLog:
      let bytesPerPixel = layout.photometric == .logLuv ? 4 : 2
      var reader = SGILogReader(width: layout.grid.blockWidth, bytesPerPixel: bytesPerPixel)
      return try byteCountRead(input, byteCount, pieceByteCount: rows.unitByteCount, &budget) { piece in
        (reader.read(input, into: &piece), reader.position)
      }
    case .modifiedHuffman, .group3, .group4:
      try budget.allocate(count: layout.grid.blockWidth + 8, bytesEach: 8)
      defer { budget.release((layout.grid.blockWidth + 8) * 8) }
      var reader = FaxReader(FaxCoding(layout), width: layout.grid.blockWidth)
      let count = try byteCountRead(input, byteCount, pieceByteCount: rows.unitByteCount, &budget) { piece in
        let count = reader.read(input, into: &piece)
        return (reader.damage == nil ? count : 0, reader.byteCount)
      }
      return count.map { _ in reader.finish(input) }
    case .stored, .sgiLog24, .jpeg, .webP, .jpeg2000, .jpeg2000YCbCr, .jpegXL: return nil
    }
  }

  /// Decompresses a block piece by piece and returns the number of bytes read; `nil` if the block is incomplete.
  ///
  /// - Parameter read: fills a piece, and returns the number of bytes written and of all bytes read so far.
  private func byteCountRead(
    _ input: Span<UInt8>, _ byteCount: Int, pieceByteCount: Int, _ budget: inout ResourceBudget,
    _ read: (inout MutableSpan<UInt8>) -> (writtenCount: Int, readCount: Int)
  ) throws(CodecError) -> Int? {
    let pieceByteCount = min(pieceByteCount, byteCount)
    try budget.allocate(pieceByteCount)
    defer { budget.release(pieceByteCount) }
    var buffer = [UInt8](repeating: 0, count: pieceByteCount)
    var written = 0
    var position = 0
    while written < byteCount {
      var span = buffer.mutableSpan
      var piece = span._mutatingExtracting(0..<min(pieceByteCount, byteCount - written))
      let count = piece.count
      let (writtenCount, readCount) = read(&piece)
      try budget.chargeWork(100 + count + Self.workPerCodedByte * (readCount - position))
      guard writtenCount == count else { return nil }
      position = readCount
      written += count
    }
    return min(position, input.count)
  }

  private func lzwByteCount(
    _ input: Span<UInt8>, _ byteCount: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Int? {
    var extent = LZWExtent(BlockReader.lzwCoding(of: input), outputByteCount: byteCount)
    var position = 0
    while position < input.count {
      let end = min(input.count, position + Self.pieceByteCount)
      try budget.chargeWork(count: end - position, unitsEach: Self.workPerCodedByte)
      let count = extent.usedByteCount(of: input.extracting(position..<end))
      if extent.isDamaged { return nil }
      position += count
      if extent.hasEnded { return position }
    }
    return nil
  }
}

extension UInt8 {
  /// The byte with its bits in reverse order.
  fileprivate var bitReversed: UInt8 {
    var byte = self &<< 4 | self &>> 4
    byte = (byte & 0x33) &<< 2 | (byte &>> 2) & 0x33
    return (byte & 0x55) &<< 1 | (byte &>> 1) & 0x55
  }
}
