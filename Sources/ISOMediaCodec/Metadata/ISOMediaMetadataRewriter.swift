// Replaces the metadata of a HEIF or AVIF file and leaves its images unchanged.

public import ImageCoding
internal import MetadataFormats

/// Rewrites a HEIC, HEIF or AVIF file with different metadata. Coded images are copied, not decoded, and so are their
/// properties, among them rotation, crop and colour.
///
/// The result contains the file type box, the meta box, the movie box of an image sequence, and one media data box with
/// only the bytes that the images and tracks use. The positions in the tables are rewritten. All other bytes are
/// dropped: free space, data of removed items, and bytes after the last box.
///
/// If metadata is stripped, SEI messages in HEVC-coded items and in configurations are dropped too, except those about how
/// a picture is shown. Samples of tracks are copied, and so are items in other codings.
package struct ISOMediaMetadataRewriter: MetadataRewriter {
  /// ``ISOMediaDecoder/heif``.
  package static var type: AssetType { ISOMediaDecoder.heif }
  /// Whether boxes, properties and items of unknown kinds are copied; `true` by default. Set to `false` to strip all
  /// metadata, also the names of items, descriptions, times and tracks other than of pictures and sound.
  package var keepsUnknownParts: Bool
  private let jpegRewriter: AnyMetadataRewriter?
  private let jpeg2000Rewriter: AnyMetadataRewriter?

  /// Creates a rewriter. By default it copies unknown boxes.
  ///
  /// - Parameters:
  ///   - jpegRewriter: removes the metadata in JPEG-coded items, such as thumbnails, if all metadata is stripped. If it is
  ///     `nil` or fails, such thumbnails are removed, and other JPEG-coded items are `CodecError.Kind.unsupported`.
  ///   - jpeg2000Rewriter: removes that in items coded as JPEG 2000; if it is `nil`, they are
  ///     `CodecError.Kind.unsupported`.
  package init(
    keepsUnknownParts: Bool = true, jpegRewriter: AnyMetadataRewriter? = nil,
    jpeg2000Rewriter: AnyMetadataRewriter? = nil
  ) {
    self.keepsUnknownParts = keepsUnknownParts
    self.jpegRewriter = jpegRewriter
    self.jpeg2000Rewriter = jpeg2000Rewriter
  }

  /// Returns the file with its EXIF block and XMP packet replaced by those of `metadata`, without the EXIF thumbnail.
  /// The orientation in the EXIF block is set to upright, since rotation is a property of the image. Texts and
  /// comments, which HEIF cannot store, are dropped.
  ///
  /// - Throws: `CodecError.Kind.malformed`; `CodecError.Kind.truncated` if the data of an image is not all in the
  ///   file; `CodecError.Kind.unsupported` for files with movie fragments; `CodecError.Kind.encodingFailed` if the
  ///   item identifiers are used up; `CodecError.Kind.limitExceeded`.
  package func rewrite(
    _ bytes: Span<UInt8>, metadata: ImageMetadata, orientation: ImageOrientation?, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    let boxes = try topLevelBoxes(bytes, &budget)
    guard let meta = boxes.first(where: { $0.type == "meta" }) else {
      throw CodecError(.malformed, "there is no meta box", format: ISOMediaDecoder.heif, byteOffset: bytes.count)
    }
    let table = try ItemTable(bytes, in: meta.fullPayload, type: ISOMediaDecoder.heif, isStrict: false, budget: &budget)
    var items = ItemSelection(table, keepsUnknown: keepsUnknownParts)
    try budget.chargeWork(count: table.items.count + table.references.count, unitsEach: 200)
    for reference in table.references {
      try budget.chargeWork(count: reference.to.count, unitsEach: Self.workPerReferenceTarget)
    }
    if !keepsUnknownParts { try rewriteData(of: &items, bytes, &budget) }
    if let exif = metadata.exif {
      try items.add("Exif", [0, 0, 0, 0] + exifBlock(exifBlockRemovingThumbnail(exif), settingOrientation: .up))
    }
    if let xmp = metadata.xmp { try items.add("mime", contentType: "application/rdf+xml", xmp) }

    var movies: [MovieCopy] = []
    for box in boxes where box.type == "moov" {
      movies.append(try MovieCopy(box, bytes, keepsUnknown: keepsUnknownParts, budget: &budget))
    }
    let data = try MediaData(items, movies.flatMap { $0.sampleRanges }, bytes, budget: &budget)
    return try assembled(boxes, meta, items, movies, data, bytes, &budget)
  }

  /// The work of examining a target of a reference, and of writing it twice: sizes are determined first.
  private static let workPerReferenceTarget = 200

  private func topLevelBoxes(
    _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [ISOBox] {
    var boxes: [ISOBox] = []
    var iterator = ISOBoxIterator(bytes, in: 0..<bytes.count)
    while let box = iterator.next() {
      try budget.chargeWork(ISOBoxIterator.workPerBox)
      switch box.type {
      case "ftyp", "meta", "moov": try box.requireComplete(ISOMediaDecoder.heif)
      case "moof":
        throw CodecError(
          .unsupported, "metadata of files with movie fragments cannot be rewritten", format: ISOMediaDecoder.heif,
          byteOffset: box.payload.lowerBound)
      case "mdat", "free", "skip": continue
      case "uuid" where bytes.isXMP(box): continue
      default: guard keepsUnknownParts, box.isComplete else { continue }
      }
      try budget.allocate(MemoryLayout<ISOBox>.stride)
      boxes.append(box)
    }
    return boxes
  }

  /// Removes metadata and unused bytes from the data of items.
  private func rewriteData(
    of items: inout ItemSelection, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    for id in items.kept {
      guard let item = items.table.items[id] else { continue }
      switch item.type {
      case "jpeg", "mime": try rewriteJPEG(id, of: &items, bytes, &budget)
      case "j2k1": try rewriteCodestream(id, of: &items, bytes, &budget)
      case "hvc1", "hev1":
        try rewritePicture(
          id, of: &items, bytes, configuration: "hvcC", HEVCContent.units, HEVCContent.lengthByteCount, &budget)
      case "avc1", "avc3":
        try rewritePicture(
          id, of: &items, bytes, configuration: "avcC", AVCContent.units, AVCContent.lengthByteCount, &budget)
      case "grid":
        guard let data = try data(of: id, in: items.table, bytes, &budget), data.count > 1 else { continue }
        // Version, flags, rows, columns, and a size in 16 or 32 bits.
        let byteCount = data[1] & 1 == 1 ? 12 : 8
        if data.count > byteCount {
          items.replacements[id] = Array(data.prefix(byteCount))
        } else {
          budget.release(data.count)
        }
      default: break
      }
    }
  }

  /// Removes comments from a JPEG 2000 codestream.
  private func rewriteCodestream(
    _ id: UInt32, of items: inout ItemSelection, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    guard let data = try data(of: id, in: items.table, bytes, &budget) else { return }
    guard let jpeg2000Rewriter else {
      throw CodecError(
        .unsupported, "metadata cannot be removed from images coded as JPEG 2000", format: ISOMediaDecoder.heif)
    }
    let format = budget.format
    try budget.descend()
    defer {
      budget.ascend()
      budget.format = format
    }
    items.replacements[id] = try jpeg2000Rewriter.stripNested(data.span, budget: &budget)
    budget.release(data.count)
  }

  /// Removes texts from a picture that consists of NAL units.
  ///
  /// - Parameters:
  ///   - configuration: the type of the property with the parameter sets.
  ///   - lengthByteCount: returns the number of bytes of the length before each NAL unit.
  private func rewritePicture(
    _ id: UInt32, of items: inout ItemSelection, _ bytes: Span<UInt8>, configuration type: FourCharacterCode,
    _ units: NALContent, _ lengthByteCount: (Span<UInt8>) -> Int?, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    guard let configuration = items.table.properties(of: id).first(where: { $0.type == type }),
      let lengthByteCount = lengthByteCount(bytes.extracting(configuration.payload)),
      let data = try data(of: id, in: items.table, bytes, &budget)
    else { return }
    if let picture = try units.picture(data.span, lengthByteCount: lengthByteCount, budget: &budget) {
      items.replacements[id] = picture
    } else {
      budget.release(data.count)
    }
  }

  /// Returns the data of an item; `nil` if it is not completely in the file, or longer than the file, as the data of
  /// overlapping extents can be.
  private func data(
    of id: UInt32, in table: ItemTable, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8]? {
    guard let extents = table.extents(of: id, inputByteCount: bytes.count) else { return nil }
    try budget.chargeWork(count: extents.count, unitsEach: 100)
    var byteCount = 0
    for extent in extents {
      guard extent.upperBound <= bytes.count, extent.count <= bytes.count - byteCount else { return nil }
      byteCount += extent.count
    }
    try budget.allocate(byteCount)
    try budget.chargeWork(2 * byteCount)
    var data: [UInt8] = []
    data.reserveCapacity(byteCount)
    for extent in extents { data.append(copying: bytes.extracting(extent)) }
    return data
  }

  private func rewriteJPEG(
    _ id: UInt32, of items: inout ItemSelection, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let data = try data(of: id, in: items.table, bytes, &budget) ?? []
    defer { budget.release(data.count) }
    if let jpegRewriter {
      do throws(CodecError) {
        let result = try jpegRewriter.stripNested(data.span, budget: &budget)
        try budget.allocate(result.count)
        items.replacements[id] = result
        return
      } catch {
        if error.kind == .limitExceeded || error.isInterruption { throw error }
      }
    }
    // Whether an item is a thumbnail depends on all references and their targets.
    let targetCount = items.table.references.reduce(0) { $0 + $1.to.count }
    try budget.chargeWork(count: items.table.references.count + items.kept.count, unitsEach: 100)
    try budget.chargeWork(count: targetCount, unitsEach: 2)
    guard items.isThumbnail(id) else {
      throw CodecError(
        .unsupported, "the metadata in a JPEG-coded item cannot be removed", format: ISOMediaDecoder.heif)
    }
    items.remove(id)
  }

  /// Joins the boxes. The media data follows all others.
  private func assembled(
    _ boxes: [ISOBox], _ meta: ISOBox, _ items: ItemSelection, _ movies: [MovieCopy], _ data: MediaData,
    _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    let offsetByteCount = bytes.count + data.byteCount > 0x4000_0000 ? 8 : 4
    let writer = MetaBoxWriter(
      items: items, data: data, offsetByteCount: offsetByteCount, keepsUnknown: keepsUnknownParts)
    let headerByteCount = offsetByteCount == 8 ? 16 : 8
    let metaByteCount = try writer.box(meta, bytes, dataStart: 0).count
    var dataStart = headerByteCount
    for box in boxes {
      switch box.type {
      case "meta": dataStart += box == meta ? metaByteCount : 0
      case "moov": break
      default: dataStart += 8 + box.payload.count
      }
    }
    for movie in movies { dataStart += movie.bytes.count }
    try budget.allocate(dataStart + data.byteCount)
    var output = ByteWriter(.bigEndian)
    var movieIndex = 0
    for box in boxes {
      switch box.type {
      case "meta": if box == meta { output.append(try writer.box(meta, bytes, dataStart: dataStart)) }
      case "moov":
        output.append(try movies[movieIndex].bytes(data, dataStart: dataStart))
        movieIndex += 1
      default: output.append(box.type, copying: bytes.extracting(box.payload))
      }
    }
    if headerByteCount == 16 {
      output.append(1 as UInt32)
      output.append(("mdat" as FourCharacterCode).rawValue)
      output.append(UInt64(data.byteCount + 16), byteCount: 8)
    } else {
      output.append(UInt32(truncatingIfNeeded: data.byteCount + 8))
      output.append(("mdat" as FourCharacterCode).rawValue)
    }
    data.append(to: &output, bytes)
    return output.bytes
  }
}

extension ISOMediaDecoder {
  /// Returns a rewriter that copies parts of unknown kinds; `nil` for videos.
  public func metadataRewriter(of type: AssetType) -> AnyMetadataRewriter? {
    isVideo(type)
      ? nil
      : ISOMediaMetadataRewriter(
        jpegRewriter: jpegDecoder?.metadataRewriter(of: Self.jpeg),
        jpeg2000Rewriter: jpeg2000Decoder?.metadataRewriter(of: Self.jpeg2000)
      ).erased
  }
}

extension Span<UInt8> {
  /// Whether a `uuid` box contains an XMP packet (XMP specification, part 3, section 1.1.6).
  func isXMP(_ box: ISOBox) -> Bool {
    let identifier: [UInt8] = [
      0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]
    guard box.payload.count >= 16 else { return false }
    return identifier.indices.allSatisfy { self[box.payload.lowerBound + $0] == identifier[$0] }
  }
}

extension ByteWriter {
  /// Appends a box with a copied payload.
  mutating func append(_ type: FourCharacterCode, copying payload: Span<UInt8>) {
    append(UInt32(truncatingIfNeeded: payload.count + 8))
    append(type.rawValue)
    append(copying: payload)
  }

  /// Appends a box with a payload.
  mutating func append(_ type: FourCharacterCode, _ payload: [UInt8]) {
    append(type, copying: payload.span)
  }
}
