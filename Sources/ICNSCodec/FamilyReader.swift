// The entries of a file, which follow one another: four letters, a length that includes the eight bytes of this header,
// and the data. A table of contents may precede them.

internal import ImageCoding

/// Reads the headers of all entries.
struct FamilyReader {
  /// A picture or a mask.
  struct Entry {
    let type: EntryType
    /// The range of the data in the file, which may exceed the input.
    let range: Range<Int>
  }

  /// A violation of the format that lenient decoding tolerates.
  struct Defect {
    let error: CodecError
    let severity: ImageDiagnostic.Severity
  }

  /// Whether the input is all there is, so that a file that ends early is damaged.
  let isWholeFile: Bool
  /// The defects found, each kind once.
  private(set) var defects: [Defect] = []
  /// The first entry whose type is not known, and its offset.
  private(set) var unknownEntry: (code: FourCharacterCode, offset: Int)?
  /// Pictures and masks, at most one of each type.
  private var entries: [Entry] = []
  private var foundTypes: Set<FourCharacterCode> = []
  private var contents = TableOfContents()

  /// The work units for reading the header of an entry.
  private static let workPerEntry = 100
  static let headerByteCount = 8

  init(isWholeFile: Bool) {
    self.isWholeFile = isWholeFile
  }

  /// Reads the family. Of a file that is damaged, the entries before the damage are read.
  ///
  /// - Throws: `CodecError.Kind.malformed` if there are no pictures; `CodecError.Kind.truncated` with the needed
  ///   byte count; `CodecError.Kind.limitExceeded`.
  mutating func read(_ bytes: Span<UInt8>, _ budget: inout ResourceBudget) throws(CodecError) -> IconFamily {
    guard bytes.count >= Self.headerByteCount, let fileEnd = FourCharacterCode(bytes, at: 4)?.rawValue else {
      throw Self.truncated(at: bytes.count, needed: Self.headerByteCount)
    }
    guard FourCharacterCode(bytes, at: 0) == .family else {
      throw Self.error(.malformed, "the file does not start with “icns”", at: 0)
    }
    try readEntries(bytes, upTo: Int64(fileEnd), &budget)
    let family = IconFamily(entries, of: bytes)
    if family.pictures.isEmpty { throw defects.first { $0.severity == .damage }?.error ?? IconFamily.isEmpty }
    return family
  }

  private mutating func readEntries(
    _ bytes: Span<UInt8>, upTo fileEnd: Int64, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var position = Int64(Self.headerByteCount)
    while position < fileEnd {
      try budget.chargeWork(Self.workPerEntry, byteOffset: Int(clamping: position))
      guard fileEnd - position >= Int64(Self.headerByteCount) else {
        add(.malformed, "the file ends inside the header of an entry", at: position, as: .warning)
        break
      }
      let headerEnd = position + Int64(Self.headerByteCount)
      guard headerEnd <= Int64(bytes.count), let header = header(bytes, at: Int(position)) else {
        if isWholeFile { break }
        guard contents.isRead else { throw Self.truncated(at: bytes.count, needed: Int(clamping: headerEnd)) }
        return try readContents(bytes, from: position, &budget)
      }
      guard header.length >= Self.headerByteCount else {
        add(
          .malformed, "the length of an entry is \(header.length), less than that of its header", at: position,
          as: .damage)
        break
      }
      let end = position + Int64(header.length)
      if end > fileEnd { add(.malformed, "an entry extends beyond the end of the file", at: position, as: .damage) }
      add(header.code, from: headerEnd, to: end)
      contents.compare(with: bytes, at: Int(position))
      if header.code == .tableOfContents { contents.read(bytes, from: Int(headerEnd), to: Int(clamping: end)) }
      position = end
    }
    if isWholeFile { checkEnd(bytes.count, fileEnd) }
  }

  /// The type and the length of an entry.
  private func header(_ bytes: Span<UInt8>, at offset: Int) -> (code: FourCharacterCode, length: Int)? {
    guard let code = FourCharacterCode(bytes, at: offset), let length = FourCharacterCode(bytes, at: offset + 4) else {
      return nil
    }
    return (code, Int(clamping: length.rawValue))
  }

  /// Takes the entries whose headers are not in the input from the table of contents.
  private mutating func readContents(
    _ bytes: Span<UInt8>, from start: Int64, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var position = start
    while let offset = contents.next(), let header = header(bytes, at: offset) {
      try budget.chargeWork(Self.workPerEntry, byteOffset: offset)
      let end = position + Int64(max(header.length, Self.headerByteCount))
      add(header.code, from: position + Int64(Self.headerByteCount), to: end)
      position = end
    }
  }

  private mutating func add(_ code: FourCharacterCode, from start: Int64, to end: Int64) {
    guard let type = EntryType.of(code) else {
      if unknownEntry == nil, !EntryType.isKnownWithoutPicture(code) {
        unknownEntry = (code, Int(clamping: start - Int64(Self.headerByteCount)))
      }
      return
    }
    guard foundTypes.insert(code).inserted else {
      return add(.malformed, "there is a second entry of type “\(code)”", at: start, as: .warning)
    }
    entries.append(Entry(type: type, range: Int(clamping: start)..<Int(clamping: end)))
  }

  private mutating func checkEnd(_ byteCount: Int, _ fileEnd: Int64) {
    if Int64(byteCount) < fileEnd {
      add(.truncated, "the file has \(byteCount) of \(fileEnd) bytes", at: Int64(byteCount), as: .damage)
    } else if Int64(byteCount) > fileEnd {
      add(.malformed, "there are bytes after the end of the icon family", at: fileEnd, as: .warning)
    }
    if !contents.isRight {
      add(
        .malformed, "the table of contents differs from the entries", at: Int64(contents.range.lowerBound), as: .warning
      )
    }
  }

  private mutating func add(
    _ kind: CodecError.Kind, _ reason: String, at offset: Int64, as severity: ImageDiagnostic.Severity
  ) {
    guard !defects.contains(where: { $0.error.reason == reason }) else { return }
    defects.append(Defect(error: Self.error(kind, reason, at: Int(clamping: offset)), severity: severity))
  }

  private static func error(_ kind: CodecError.Kind, _ reason: String, at offset: Int) -> CodecError {
    CodecError(kind, reason, format: ICNSDecoder.type, byteOffset: offset)
  }

  private static func truncated(at offset: Int, needed: Int) -> CodecError {
    CodecError(
      .truncated, "the file ends before the header of an entry", format: ICNSDecoder.type, byteOffset: offset,
      neededByteCount: needed)
  }
}

/// The table of contents: the headers of all entries that follow it.
private struct TableOfContents {
  /// The range of the headers in the file.
  private(set) var range = 0..<0
  /// Whether all of it has been read.
  private(set) var isRead = false
  /// The offset of the header that is compared next.
  private var position = 0
  private var isEqual = true

  /// Whether it lists all entries that follow it, or there is none.
  var isRight: Bool { isEqual && position == range.upperBound }

  /// - Parameter end: the end of the entry; a table that exceeds the input is ignored.
  mutating func read(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    guard !isRead, start <= end, end <= bytes.count else { return }
    isRead = true
    range = start..<start + (end - start) / FamilyReader.headerByteCount * FamilyReader.headerByteCount
    position = start
  }

  /// Compares the next header with that of an entry.
  mutating func compare(with bytes: Span<UInt8>, at offset: Int) {
    guard isRead else { return }
    guard let next = next() else {
      isEqual = false
      return
    }
    for index in 0..<FamilyReader.headerByteCount where bytes[next + index] != bytes[offset + index] { isEqual = false }
  }

  /// Returns the offset of the next header; `nil` at the end.
  mutating func next() -> Int? {
    guard position < range.upperBound else { return nil }
    defer { position += FamilyReader.headerByteCount }
    return position
  }
}
