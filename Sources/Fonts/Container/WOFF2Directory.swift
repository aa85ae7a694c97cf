// The directory of a WOFF 2 file: its tables and the faces of a collection (WOFF 2.0, section 4).

internal import ImageCore

/// The header and the directories of a WOFF 2 file.
struct WOFF2Directory {
  /// The maximum number of faces in a collection, each of which is parsed.
  private static let maximumFaceCount = 256

  private(set) var tables: [WOFF2File.Table] = []
  private(set) var faces: [[Int]] = []
  /// The size of the decompressed data.
  private(set) var byteCount = 0
  private(set) var compressedRange = 0..<0

  /// The number of faces in a file; 1 if it is damaged.
  static func faceCount(_ bytes: [UInt8]) -> Int {
    (try? WOFF2Directory(parsing: bytes.span))?.faces.count ?? 1
  }

  /// - Throws: `CodecError.Kind.malformed` or `CodecError.Kind.truncated`.
  init(parsing file: Span<UInt8>) throws(CodecError) {
    var header = WOFF2Cursor(position: 4, end: file.count)
    guard file.count >= 48 else {
      throw CodecError(.truncated, "the font ends within its header", format: .font, byteOffset: file.count)
    }
    let flavor = Tag(rawValue: UInt32(truncatingIfNeeded: try header.uint32(file)))
    let length = try header.uint32(file)
    guard length <= file.count else {
      throw CodecError(
        .truncated, "the WOFF 2 font is cut off", format: .font, byteOffset: file.count, neededByteCount: length)
    }
    guard length == file.count else {
      throw CodecError(.malformed, "bytes follow the WOFF 2 font", format: .font, byteOffset: length)
    }
    let tableCount = try header.uint16(file)
    guard tableCount > 0 else { throw CodecError(.malformed, "the font has no tables", format: .font, byteOffset: 12) }
    // A reserved number and the size of the font before compression, which is a hint.
    _ = try header.skip(6)
    let compressedCount = try header.uint32(file)
    _ = try header.skip(4)
    try checkBlocks(&header, file)

    for _ in 0..<tableCount { try readTable(&header, file) }
    if flavor == "ttcf" {
      try readFaces(&header, file)
    } else {
      faces = [Array(tables.indices)]
    }
    for face in faces { try check(face, byteOffset: header.position) }
    guard compressedCount <= header.remaining else {
      throw CodecError(.malformed, "the compressed data is outside the file", format: .font, byteOffset: 20)
    }
    compressedRange = header.position..<header.position + compressedCount
  }

  /// Checks the positions of metadata and private data, which are not used.
  private func checkBlocks(_ header: inout WOFF2Cursor, _ file: Span<UInt8>) throws(CodecError) {
    let start = header.position
    let (metadata, metadataCount) = (try header.uint32(file), try header.uint32(file))
    _ = try header.skip(4)
    let (other, otherCount) = (try header.uint32(file), try header.uint32(file))
    guard metadata <= file.count, metadataCount <= file.count - metadata, other <= file.count,
      otherCount <= file.count - other
    else { throw CodecError(.malformed, "metadata is outside the file", format: .font, byteOffset: start) }
  }

  private mutating func readTable(_ header: inout WOFF2Cursor, _ file: Span<UInt8>) throws(CodecError) {
    let start = header.position
    let flags = try header.uint8(file)
    let tag: Tag
    if flags & 63 == 63 {
      tag = Tag(rawValue: UInt32(truncatingIfNeeded: try header.uint32(file)))
    } else {
      tag = WOFF2Directory.knownTags[flags & 63]
    }
    let originalCount = try header.base128(file)
    let version = flags >> 6
    let isOutline = tag == "glyf" || tag == "loca"
    let isTransformed: Bool
    switch (version, isOutline, tag) {
    case (0, true, _), (1, false, "hmtx"): isTransformed = true
    case (3, true, _), (0, false, _): isTransformed = false
    default:
      throw CodecError(
        .malformed, "the table \(tag) has an unknown transform", format: .font, byteOffset: start)
    }
    let count = isTransformed ? try header.base128(file) : originalCount
    guard tag != "loca" || !isTransformed || count == 0 else {
      throw CodecError(.malformed, "the transformed table loca is not empty", format: .font, byteOffset: start)
    }
    let (end, overflow) = byteCount.addingReportingOverflow(count)
    guard !overflow else {
      throw CodecError(.limitExceeded, "the font's tables are too large", format: .font, byteOffset: start)
    }
    tables.append(
      WOFF2File.Table(tag: tag, byteCount: originalCount, isTransformed: isTransformed, range: byteCount..<end))
    byteCount = end
  }

  private mutating func readFaces(_ header: inout WOFF2Cursor, _ file: Span<UInt8>) throws(CodecError) {
    // The version of the collection.
    _ = try header.skip(4)
    let start = header.position
    let count = try header.short(file)
    guard count > 0 else {
      throw CodecError(.malformed, "the collection has no faces", format: .font, byteOffset: start)
    }
    guard count <= WOFF2Directory.maximumFaceCount else {
      throw CodecError(
        .limitExceeded, "the collection has more than \(WOFF2Directory.maximumFaceCount) faces", format: .font,
        byteOffset: start)
    }
    for _ in 0..<count {
      let tableCount = try header.short(file)
      // The version of the face.
      _ = try header.skip(4)
      var face: [Int] = []
      for _ in 0..<tableCount {
        let index = try header.short(file)
        guard index < tables.count else {
          throw CodecError(.malformed, "a face has an unknown table", format: .font, byteOffset: header.position)
        }
        face.append(index)
      }
      faces.append(face)
    }
  }

  /// Checks that a face has no table twice, and that `glyf` and `loca` are both there and transformed, or neither is.
  private func check(_ face: [Int], byteOffset: Int) throws(CodecError) {
    var seen: Set<Tag> = []
    for index in face {
      guard seen.insert(tables[index].tag).inserted else {
        throw CodecError(
          .malformed, "a face has the table \(tables[index].tag) twice", format: .font, byteOffset: byteOffset)
      }
    }
    let glyphs = face.first { tables[$0].tag == "glyf" }
    let locations = face.first { tables[$0].tag == "loca" }
    switch (glyphs, locations) {
    case (nil, nil): break
    case (let glyphs?, let locations?) where tables[glyphs].isTransformed == tables[locations].isTransformed: break
    default:
      throw CodecError(.malformed, "glyf and loca are not a pair", format: .font, byteOffset: byteOffset)
    }
  }

  /// The tags that are stored as numbers.
  private static let knownTags: [Tag] = [
    "cmap", "head", "hhea", "hmtx", "maxp", "name", "OS/2", "post", "cvt ", "fpgm", "glyf", "loca", "prep", "CFF ",
    "VORG", "EBDT", "EBLC", "gasp", "hdmx", "kern", "LTSH", "PCLT", "VDMX", "vhea", "vmtx", "BASE", "GDEF", "GPOS",
    "GSUB", "EBSC", "JSTF", "MATH", "CBDT", "CBLC", "COLR", "CPAL", "SVG ", "sbix", "acnt", "avar", "bdat", "bloc",
    "bsln", "cvar", "fdsc", "feat", "fmtx", "fvar", "gvar", "hsty", "just", "lcar", "mort", "morx", "opbd", "prop",
    "trak", "Zapf", "Silf", "Glat", "Gloc", "Feat", "Sill",
  ]
}
