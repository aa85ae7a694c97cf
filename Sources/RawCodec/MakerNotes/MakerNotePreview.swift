// Previews in maker notes. Their layout is the makers' own; ExifTool documents it.

internal import ImageCoding
internal import MetadataFormats

/// Finds the preview to which the maker note of a file refers.
enum MakerNotePreview {
  /// The position of a directory in a file: the start of the structure to which its offsets relate, and its own offset
  /// there.
  private struct Place {
    var base: Int
    var offset: UInt64
    var header: TIFFHeader
  }

  static func collect(
    _ tree: DirectoryTree, _ file: Span<UInt8>, allowance: inout Int, _ collector: inout PictureCollector,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    guard let exif = tree.exif, let note = tree.fields(exif, in: file).range(.makerNote) else { return }
    let start = tree.range.lowerBound + note.lowerBound
    let bytes = file.extracting(start..<start + note.count)
    let order = tree.header
    let file0 = tree.range.lowerBound
    if starts(bytes, with: "Nikon\0"), bytes.count > 18 {
      var reader = ByteReader(bytes.extracting(10..<bytes.count))
      guard let header = try? TIFFHeader(parsing: &reader) else { return }
      let place = Place(base: start + 10, offset: header.firstDirectoryOffset, header: header)
      guard let preview = try pointer(0x0011, place, file, &allowance, &budget) else { return }
      try collect(0x0201, 0x0202, preview, base: place.base, file, &allowance, &collector, &budget)
    } else if starts(bytes, with: "OLYMPUS\0II") {
      try collectOlympus(
        Place(base: start, offset: 12, header: order), note: start, file, &allowance, &collector, &budget)
    } else if starts(bytes, with: "OM SYSTEM\0") {
      try collectOlympus(
        Place(base: start, offset: 16, header: order), note: start, file, &allowance, &collector, &budget)
    } else if starts(bytes, with: "OLYMP\0") {
      let place = Place(base: file0, offset: UInt64(note.lowerBound + 8), header: order)
      try collectOlympus(place, note: start, file, &allowance, &collector, &budget)
    } else if starts(bytes, with: "AOC\0") {
      let place = Place(base: file0, offset: UInt64(note.lowerBound + 6), header: order)
      try collect(0x0004, 0x0003, place, base: file0, file, &allowance, &collector, &budget)
    } else if starts(bytes, with: "PENTAX \0") {
      let place = Place(base: start, offset: 10, header: order)
      try collect(0x0004, 0x0003, place, base: start, file, &allowance, &collector, &budget)
    } else {
      // Minolta's note is a directory without a header.
      let place = Place(base: file0, offset: UInt64(note.lowerBound), header: order)
      try collect(0x0088, 0x0089, place, base: file0, file, &allowance, &collector, &budget)
    }
  }

  /// Whether something follows a text at the start of a note.
  private static func starts(_ bytes: Span<UInt8>, with text: String) -> Bool {
    bytes.count > text.utf8.count && bytes.starts(with: text)
  }

  /// Olympus: the directory of camera settings refers to the preview, relative to the start of the note.
  private static func collectOlympus(
    _ place: Place, note: Int, _ file: Span<UInt8>, _ allowance: inout Int, _ collector: inout PictureCollector,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    guard let settings = try pointer(0x2020, place, file, &allowance, &budget) else { return }
    try collect(0x0101, 0x0102, settings, base: note, file, &allowance, &collector, &budget)
  }

  /// Reads a directory; `nil` if it is damaged.
  private static func directory(
    _ place: Place, _ file: Span<UInt8>, _ allowance: inout Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> TIFFDirectory? {
    guard allowance > 0 else { return nil }
    allowance -= 1
    do throws(CodecError) {
      return try TIFFDirectory(
        file.extracting(place.base..<file.count), at: place.offset, header: place.header, keepsIncomplete: true,
        budget: &budget)
    } catch {
      if !error.isDamage { throw error }
      return nil
    }
  }

  /// Returns the directory to which a field of another one points. Its values may also be stored in the field itself.
  private static func pointer(
    _ tag: UInt16, _ place: Place, _ file: Span<UInt8>, _ allowance: inout Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Place? {
    guard let field = try directory(place, file, &allowance, &budget)?[tag] else { return nil }
    var target = place
    if field.count == 1 {
      let bytes = file.extracting(place.base..<file.count)
      guard let offset = field.integer(in: bytes, header: place.header), offset > 0 else { return nil }
      target.offset = UInt64(offset)
    } else {
      target.offset = UInt64(field.values.lowerBound)
    }
    return target
  }

  /// Adds the JPEG stream to which two fields of a directory refer.
  private static func collect(
    _ offsetTag: UInt16, _ countTag: UInt16, _ place: Place, base: Int, _ file: Span<UInt8>, _ allowance: inout Int,
    _ collector: inout PictureCollector, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    guard let directory = try directory(place, file, &allowance, &budget) else { return }
    let bytes = file.extracting(place.base..<file.count)
    guard let offset = directory[offsetTag]?.integer(in: bytes, header: place.header),
      let count = directory[countTag]?.integer(in: bytes, header: place.header), offset >= 0,
      offset <= file.count
    else { return }
    try collector.addJPEG(byteRange(at: base + offset, count: count), as: .preview, in: file, budget: &budget)
  }
}
