// Raw files that are TIFF files (CR2, NEF, ARW, DNG and others) or differ from them only in the number 42 (ORF).

internal import ImageCoding
internal import MetadataFormats

/// Reads raw files with the directories of TIFF.
enum TIFFRawContainer {
  /// Returns the header of a file; `nil` if it is not one of TIFF or ORF, or incomplete.
  static func header(_ bytes: Span<UInt8>) -> TIFFHeader? {
    var reader = ByteReader(bytes)
    if let header = try? TIFFHeader(parsing: &reader) { return header }
    guard isOlympus(bytes) else { return nil }
    let isBigEndian = bytes[0] == 0x4D
    reader = ByteReader(bytes)
    guard (try? reader.skip(4)) != nil,
      let offset = try? reader.readInteger(byteCount: 4, isBigEndian: isBigEndian)
    else { return nil }
    return TIFFHeader(isBigEndian: isBigEndian, firstDirectoryOffset: offset)
  }

  /// Whether the file starts with IIRO, IIRS or MMOR.
  private static func isOlympus(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count >= 4 else { return false }
    switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
    case (0x49, 0x49, 0x52, 0x4F), (0x49, 0x49, 0x52, 0x53), (0x4D, 0x4D, 0x4F, 0x52): return true
    default: return false
    }
  }

  static func read(
    _ bytes: Span<UInt8>, _ collector: inout PictureCollector, budget: inout ResourceBudget
  ) throws(CodecError) -> RawFile {
    guard let header = header(bytes) else { throw notRaw }
    var allowance = DirectoryTree.maximumCount
    let tree = try DirectoryTree(bytes, in: 0..<bytes.count, header: header, allowance: &allowance, budget: &budget)
    guard let main = tree.main, let format = format(main, header, bytes) else { throw notRaw }
    budget.format = format.type
    for node in tree.nodes where node.role != .exif {
      try collectPictures(of: node, tree, format, bytes, &collector, budget: &budget)
    }
    try MakerNotePreview.collect(tree, bytes, allowance: &allowance, &collector, budget: &budget)
    let orientation = tree.fields(main, in: bytes).integer(.orientation)
    return RawFile(
      format: format, pictures: collector.pictures, orientation: ImageOrientation(tag: orientation),
      metadata: .directory(tree), sensor: sensor(tree, format, bytes))
  }

  private static var notRaw: CodecError {
    CodecError(.unrecognizedFormat, "the file is no camera raw file", byteOffset: 0)
  }

  /// Adds the pictures to which a directory refers.
  private static func collectPictures(
    of node: DirectoryTree.Node, _ tree: DirectoryTree, _ format: RawFormat, _ bytes: Span<UInt8>,
    _ collector: inout PictureCollector, budget: inout ResourceBudget
  ) throws(CodecError) {
    let fields = tree.fields(node.directory, in: bytes)
    let kind = kind(of: node, fields, format)
    try collector.addJPEG(
      byteRange(at: fields.integer(.jpegOffset), count: fields.integer(.jpegByteCount)), as: kind, in: bytes,
      budget: &budget)
    let subfileType = fields.integer(.newSubfileType) ?? 0
    switch fields.integer(.compression) ?? 1 {
    case 6, 7, 99:
      guard fields.count(.stripOffsets) == 1 else { return }
      try collector.addJPEG(
        byteRange(at: fields.integer(.stripOffsets), count: fields.integer(.stripByteCounts)), as: kind, in: bytes,
        budget: &budget)
    case 1 where subfileType & 1 == 1 && fields.integer(.photometricInterpretation) == 2:
      guard let coding = coding(fields), let offset = contiguousPixels(fields), let width = fields.integer(.imageWidth),
        let height = fields.integer(.imageLength)
      else { return }
      try collector.addPixels(
        at: offset, size: PixelSize(width: width, height: height), coding: coding, as: .thumbnail, in: bytes,
        budget: &budget)
    default: break
    }
  }

  /// The coding of uncompressed pixels; `nil` unless they are interleaved RGB of 8 or 16 bits.
  private static func coding(_ fields: borrowing RawFields) -> EmbeddedPicture.Coding? {
    guard fields.integer(.samplesPerPixel) == 3, fields.integer(.planarConfiguration) ?? 1 == 1 else { return nil }
    switch fields.integers(.bitsPerSample, maximumCount: 3) {
    case [8, 8, 8]: return .rgb8
    case [16, 16, 16]: return .rgb16(isBigEndian: fields.header.isBigEndian)
    default: return nil
    }
  }

  /// The position of pixels in strips that follow each other without gaps; `nil` if they do not.
  private static func contiguousPixels(_ fields: borrowing RawFields) -> Int? {
    let offsets = fields.integers(.stripOffsets, maximumCount: 1_024)
    let counts = fields.integers(.stripByteCounts, maximumCount: 1_024)
    guard let first = offsets.first, offsets.count == counts.count, offsets.count == fields.count(.stripOffsets) else {
      return nil
    }
    for index in offsets.indices.dropFirst() {
      let (end, overflow) = offsets[index - 1].addingReportingOverflow(counts[index - 1])
      guard !overflow, offsets[index] == end else { return nil }
    }
    return first
  }

  private static func kind(
    of node: DirectoryTree.Node, _ fields: borrowing RawFields, _ format: RawFormat
  ) -> EmbeddedPicture.Kind {
    switch (format, node.role) {
    case (.dng, .subdirectory), (.cr2, .page(0)), (.arw, .page(0)), (.sr2, .page(0)): .preview
    case (.dng, _), (_, .page(0)), (_, .page(1)): .thumbnail
    // The thumbnail of Samsung is in a subdirectory of the second page, which follows that page.
    case (.srw, .subdirectory) where fields.directory.nextOffset == 0 && isThumbnail(fields): .thumbnail
    default: .fullSize
    }
  }

  /// Whether a JPEG stream is so short that it is a thumbnail.
  private static func isThumbnail(_ fields: borrowing RawFields) -> Bool {
    (fields.integer(.jpegByteCount) ?? 0) < 65_536
  }

  /// Returns the data of the sensor, or the name of a coding that is not decoded.
  private static func sensor(_ tree: DirectoryTree, _ format: RawFormat, _ bytes: Span<UInt8>) -> RawFile.SensorData {
    let image = tree.nodes.first { node in
      guard node.role != .exif else { return false }
      let fields = tree.fields(node.directory, in: bytes)
      let photometric = fields.integer(.photometricInterpretation)
      return fields.integer(.newSubfileType) ?? 0 == 0 && (photometric == 32803 || photometric == 34892)
    }
    if format == .dng {
      guard let image else { return .unsupported("a DNG without sensor data") }
      return .dng(tree, sensor: image.directory)
    }
    let compression = image.flatMap { tree.fields($0.directory, in: bytes).integer(.compression) }
    let name = compression.map { " of compression \($0)" } ?? ""
    return .unsupported("sensor data of \(format.rawValue.uppercased()) files\(name)")
  }
}

extension ImageOrientation {
  /// The orientation of a value of the tag; upright if there is none or it is invalid.
  init(tag: Int?) {
    self = tag.flatMap { UInt8(exactly: $0) }.flatMap(ImageOrientation.init(rawValue:)) ?? .up
  }

  /// The orientation of a picture that is to be turned clockwise by a number of degrees.
  init(clockwiseDegrees degrees: Int) {
    switch degrees {
    case 90: self = ImageOrientation(tag: 6)
    case 180: self = ImageOrientation(tag: 3)
    case 270: self = ImageOrientation(tag: 8)
    default: self = .up
    }
  }
}
