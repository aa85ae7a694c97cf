// WOFF 2 files: all tables are compressed together, and some are transformed (WOFF 2.0).

internal import ByteCompression
internal import ImageCore

/// The decompressed data of a WOFF 2 file and the directory of its faces.
struct WOFF2File {
  /// A table, or its transformed form.
  struct Table {
    var tag: Tag
    /// The size in the font that was compressed.
    var byteCount: Int
    var isTransformed: Bool
    /// The position in the decompressed data.
    var range: Range<Int>
  }

  /// The decompressed data.
  private let data: TableBytes
  private let tables: [Table]
  /// For each face the indices of its tables.
  private let faces: [[Int]]

  /// Decompresses a file.
  ///
  /// - Throws: `CodecError` if the directory or the data is damaged, or a limit is exceeded.
  init(parsing bytes: [UInt8], budget: inout ResourceBudget) throws(CodecError) {
    let directory = try WOFF2Directory(parsing: bytes.span)
    guard directory.byteCount <= FontContainer.maximumByteCount else {
      throw CodecError(.limitExceeded, "the font's tables are too large", format: .font, byteOffset: 16)
    }
    let compressed = bytes.span.extracting(directory.compressedRange)
    let result = try BrotliStream.decompress(
      compressed, maximumByteCount: directory.byteCount, budget: &budget,
      byteOffset: directory.compressedRange.lowerBound)
    guard result.count == directory.byteCount else {
      throw CodecError(
        .malformed, "the decompressed data has \(result.count) bytes instead of \(directory.byteCount)", format: .font,
        byteOffset: directory.compressedRange.upperBound)
    }
    data = TableBytes(result)
    tables = directory.tables
    faces = directory.faces
  }

  /// The tables of all faces, with transforms undone.
  func containers(budget: inout ResourceBudget) throws(CodecError) -> [FontContainer] {
    var outlines: [Int: WOFF2Glyphs.Tables] = [:]
    var result: [FontContainer] = []
    for face in faces { result.append(try container(face, &outlines, &budget)) }
    return result
  }

  /// The tables of one face, with transforms undone.
  func container(_ index: Int, budget: inout ResourceBudget) throws(CodecError) -> FontContainer {
    guard faces.indices.contains(index) else {
      throw CodecError(.invalidArgument, "the file has no face \(index)", format: .font)
    }
    var outlines: [Int: WOFF2Glyphs.Tables] = [:]
    return try container(faces[index], &outlines, &budget)
  }

  /// - Parameter outlines: the `glyf` and `loca` tables that are reconstructed, by the index of `glyf`.
  private func container(
    _ face: [Int], _ outlines: inout [Int: WOFF2Glyphs.Tables], _ budget: inout ResourceBudget
  ) throws(CodecError) -> FontContainer {
    var result: [Tag: TableBytes] = [:]
    var transformedMetrics: TableBytes?
    for index in face {
      let table = tables[index]
      let bytes = data.part(at: table.range.lowerBound, count: table.range.count)
      switch (table.tag, table.isTransformed) {
      case ("glyf", true):
        let known = outlines[index]
        let reconstructed: WOFF2Glyphs.Tables
        if let known { reconstructed = known } else { reconstructed = try WOFF2Glyphs.tables(bytes, budget: &budget) }
        outlines[index] = reconstructed
        result["glyf"] = reconstructed.glyphs
        result["loca"] = reconstructed.locations
      case ("loca", true): break
      case ("hmtx", true): transformedMetrics = bytes
      default: result[table.tag] = bytes
      }
    }
    if face.contains(where: { tables[$0].tag == "glyf" && tables[$0].isTransformed }), let head = result["head"] {
      result["head"] = WOFF2Glyphs.withLongLocations(head)
    }
    if let transformedMetrics {
      result["hmtx"] = try WOFF2Metrics.table(transformedMetrics, tables: result, budget: &budget)
    }
    return FontContainer(tables: result)
  }
}
