// The structure of a file being written: blocks, directories and the links between them (TIFF 6.0, section 2).

internal import ImageCoding
internal import MetadataFormats

/// A field of a directory to write.
struct OutputField {
  var tag: UInt16
  var type: TIFFFieldType
  var count: Int
  /// The values in the byte order of the file.
  var values: [UInt8]

  /// The work of copying a field besides its values, and of sorting it into its directory.
  static let workPerField = 300
}

/// A directory to write, with the directories to which its fields point.
struct OutputDirectory {
  var fields: [OutputField] = []
  var children: [(tag: UInt16, directory: [OutputField])] = []

  /// Adds a field, replacing one with the same tag.
  mutating func set(_ field: OutputField) {
    if let index = fields.firstIndex(where: { $0.tag == field.tag }) {
      fields[index] = field
    } else {
      fields.append(field)
    }
  }
}

/// Writes a file. Blocks precede the directory that describes them, and every directory is linked when it has been
/// written, so that nothing of the file is needed again.
struct TIFFFileWriter {
  private let order: ByteWriter.ByteOrder
  private let isBig: Bool
  private var output: EncodedOutput
  /// The position of the link to the next page.
  private var linkPosition: Int

  /// Starts a file.
  init(
    isBigEndian: Bool, isBig: Bool, output: consuming EncodedOutput = EncodedOutput(), budget: inout ResourceBudget
  ) throws(CodecError) {
    order = isBigEndian ? .bigEndian : .littleEndian
    self.isBig = isBig
    var header = ByteWriter(order, after: Array((isBigEndian ? "MM" : "II").utf8))
    header.append(UInt16(isBig ? 43 : 42))
    if isBig {
      header.append(8 as UInt16)
      header.append(0 as UInt16)
    }
    linkPosition = header.count
    header.append(0, byteCount: isBig ? 8 : 4)
    self.output = output
    try self.output.append(header.bytes, budget: &budget)
  }

  /// The number of bytes of an offset.
  private var wideByteCount: Int { isBig ? 8 : 4 }
  /// The number of bytes written.
  var byteCount: Int { output.byteCount }
  /// The number of bytes that the budget holds for the file.
  var chargedByteCount: Int { output.chargedByteCount }

  /// Appends the data of a strip or tile, charges what is kept of it, and returns its offset.
  mutating func append(block: [UInt8], budget: inout ResourceBudget) throws(CodecError) -> Int {
    let offset = try beginBlock(&budget)
    try output.append(block, budget: &budget)
    return offset
  }

  /// Appends a copy of the data of a strip or tile, charges what is kept of it, and returns its range.
  mutating func append(
    copying block: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> Range<Int> {
    let offset = try beginBlock(&budget)
    try output.append(block, budget: &budget)
    return offset..<output.byteCount
  }

  /// Fills up to an even position, where blocks and directories begin, and returns it.
  private mutating func beginBlock(_ budget: inout ResourceBudget) throws(CodecError) -> Int {
    if output.byteCount & 1 == 1 { try output.append([0], budget: &budget) }
    return output.byteCount
  }

  /// Appends a page whose blocks have been appended before.
  mutating func append(page: OutputDirectory, budget: inout ResourceBudget) throws(CodecError) {
    var fields = page.fields
    for (tag, directory) in page.children where !directory.isEmpty {
      let (offset, _) = try append(directory, &budget)
      fields.append(offsets(tag, [offset]))
    }
    let (offset, link) = try append(fields, &budget)
    var value = ByteWriter(order)
    value.append(UInt64(offset), byteCount: wideByteCount)
    try output.replace(at: linkPosition, with: value.bytes)
    linkPosition = link
  }

  /// Returns the output, to be finished.
  ///
  /// - Throws: `CodecError.Kind.encodingFailed` if the file needs BigTIFF but is none.
  consuming func finish() throws(CodecError) -> EncodedOutput {
    guard isBig || UInt64(output.byteCount) <= UInt64(UInt32.max) else {
      throw CodecError(.encodingFailed, "the file exceeds 4 GiB, which requires BigTIFF", format: TIFFDecoder.type)
    }
    return output
  }

  /// Appends values and a directory. Returns its offset and the position of its link.
  private mutating func append(
    _ fields: [OutputField], _ budget: inout ResourceBudget
  ) throws(CodecError) -> (offset: Int, link: Int) {
    let sorted = fields.sorted { $0.tag < $1.tag }
    var positions: [Int] = []
    for field in sorted {
      guard field.values.count > wideByteCount else {
        positions.append(0)
        continue
      }
      positions.append(try append(block: field.values, budget: &budget))
    }
    var writer = ByteWriter(order)
    writer.append(UInt64(sorted.count), byteCount: isBig ? 8 : 2)
    for (field, position) in zip(sorted, positions) {
      writer.append(field.tag)
      writer.append(field.type.rawValue)
      writer.append(UInt64(field.count), byteCount: wideByteCount)
      if field.values.count > wideByteCount {
        writer.append(UInt64(position), byteCount: wideByteCount)
      } else {
        writer.append(field.values + [UInt8](repeating: 0, count: wideByteCount - field.values.count))
      }
    }
    let linkOffset = writer.count
    writer.append(0, byteCount: wideByteCount)
    let offset = try append(block: writer.bytes, budget: &budget)
    return (offset, offset + linkOffset)
  }

  // MARK: Fields in the byte order of the file

  /// Returns a field of 16-bit integers.
  func shorts(_ tag: Tag, _ values: [Int]) -> OutputField {
    OutputField(tag: tag.rawValue, type: .short, count: values.count, values: encoded(values, byteCount: 2))
  }

  /// Returns a field of 32-bit integers.
  func longs(_ tag: Tag, _ values: [Int]) -> OutputField {
    OutputField(tag: tag.rawValue, type: .long, count: values.count, values: encoded(values, byteCount: 4))
  }

  /// Returns a field of offsets or lengths.
  func offsets(_ tag: UInt16, _ values: [Int]) -> OutputField {
    OutputField(
      tag: tag, type: isBig ? .long8 : .long, count: values.count,
      values: encoded(values, byteCount: wideByteCount))
  }

  /// Returns a field of one fraction with a denominator of 10,000.
  func fraction(_ tag: Tag, _ value: Double) -> OutputField {
    let numerator = UInt32(max(0, min(Double(UInt32.max), (value * 10_000).rounded())))
    var writer = ByteWriter(order)
    writer.append(numerator)
    writer.append(10_000 as UInt32)
    return OutputField(tag: tag.rawValue, type: .rational, count: 1, values: writer.bytes)
  }

  /// Returns a field of bytes.
  func bytes(_ tag: Tag, _ values: [UInt8], type: TIFFFieldType = .undefined) -> OutputField {
    OutputField(tag: tag.rawValue, type: type, count: values.count, values: values)
  }

  private func encoded(_ values: [Int], byteCount: Int) -> [UInt8] {
    var writer = ByteWriter(order)
    for value in values { writer.append(UInt64(truncatingIfNeeded: value), byteCount: byteCount) }
    return writer.bytes
  }
}
