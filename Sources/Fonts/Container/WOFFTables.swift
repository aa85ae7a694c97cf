// WOFF 1.0 files: an OpenType font whose tables are compressed individually with zlib.

internal import ByteCompression
internal import ImageCore

/// Reads the tables of a WOFF file.
enum WOFFTables {
  private static let headerByteCount = 44
  private static let recordByteCount = 20

  /// Returns the tables, decompressed.
  ///
  /// - Throws: `CodecError.Kind.truncated` if the file is cut off, `CodecError.Kind.malformed` if tables overlap or
  ///   their sizes are wrong, `CodecError.Kind.limitExceeded`.
  static func read(_ file: TableBytes, budget: inout ResourceBudget) throws(CodecError) -> [Tag: TableBytes] {
    let count = file.uint16(at: 12)
    guard count > 0 || file.count < headerByteCount else {
      throw CodecError(.malformed, "the font has no tables", format: .font, byteOffset: 12)
    }
    let directoryEnd = headerByteCount + count * recordByteCount
    guard file.count >= directoryEnd else {
      throw CodecError(.truncated, "the font ends within its table directory", format: .font, byteOffset: file.count)
    }
    guard file.uint32(at: 8) <= file.count else {
      throw CodecError(
        .truncated, "the WOFF font is cut off", format: .font, byteOffset: file.count,
        neededByteCount: file.uint32(at: 8))
    }
    try checkPositions(file, count: count, directoryEnd: directoryEnd)
    var tables: [Tag: TableBytes] = [:]
    var remaining = FontContainer.maximumByteCount
    for record in 0..<count {
      let offset = headerByteCount + record * recordByteCount
      let start = file.uint32(at: offset + 4)
      let (storedCount, byteCount) = (file.uint32(at: offset + 8), file.uint32(at: offset + 12))
      guard storedCount <= byteCount else {
        throw CodecError(.malformed, "a table is larger when compressed", format: .font, byteOffset: offset)
      }
      guard byteCount <= remaining else {
        throw CodecError(.limitExceeded, "the font's tables are too large", format: .font, byteOffset: offset)
      }
      remaining -= byteCount
      guard storedCount < byteCount else {
        tables[file.tag(at: offset)] = file.part(at: start, count: storedCount)
        continue
      }
      try budget.allocate(byteCount, byteOffset: offset)
      let stored = file.bytes(at: start, count: storedCount)
      let table = try ZlibBlock.decompress(
        stored.span, maximumByteCount: byteCount, format: .font, byteOffset: start
      ) { (count) throws(CodecError) in
        try budget.chargeWork(count: count, unitsEach: 2, byteOffset: start)
      }
      guard table.count == byteCount else {
        throw CodecError(
          .malformed, "a table has \(table.count) bytes instead of \(byteCount)", format: .font, byteOffset: start)
      }
      tables[file.tag(at: offset)] = TableBytes(table)
    }
    return tables
  }

  /// Checks that tables are within the file and do not overlap, so that few bytes cannot be decompressed many times.
  private static func checkPositions(_ file: TableBytes, count: Int, directoryEnd: Int) throws(CodecError) {
    let positions = (0..<count).map { record in
      let offset = headerByteCount + record * recordByteCount
      return (start: file.uint32(at: offset + 4), count: file.uint32(at: offset + 8), record: offset)
    }
    var end = directoryEnd
    for position in positions.sorted(by: { ($0.start, $0.count) < ($1.start, $1.count) }) {
      guard file.contains(position.start, position.count) else {
        throw CodecError(.truncated, "a table is outside the file", format: .font, byteOffset: position.record)
      }
      guard position.start >= end else {
        throw CodecError(.malformed, "tables overlap", format: .font, byteOffset: position.record)
      }
      end = position.start + position.count
    }
  }
}
