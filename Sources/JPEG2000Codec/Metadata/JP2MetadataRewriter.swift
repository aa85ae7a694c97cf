// Replaces the metadata of a file; its codestreams are copied (ITU-T T.800, annex I).

public import ImageCoding
internal import MetadataFormats

/// Rewrites a JPEG 2000 file with different metadata. Codestreams are copied, not decoded; their comments are blanked, and
/// bytes after their end are dropped.
///
/// A bare codestream remains one if there is no metadata to store, and cannot store any.
package struct JP2MetadataRewriter: MetadataRewriter {
  /// ``JPEG2000Decoder/type``.
  package static var type: AssetType { JPEG2000Decoder.type }
  /// Whether boxes of unknown kinds are copied; `true` by default. Set to `false` to strip all metadata.
  package var keepsUnknownParts: Bool

  /// Creates a rewriter. By default it copies unknown boxes.
  package init(keepsUnknownParts: Bool = true) {
    self.keepsUnknownParts = keepsUnknownParts
  }

  /// Returns the file with its EXIF, XMP and IPTC blocks replaced by those of `metadata`, without the EXIF thumbnail. Texts
  /// and comments are dropped.
  ///
  /// - Throws: `CodecError.Kind.malformed` if the file has no codestream in a box; `CodecError.Kind.unsupported` if
  ///   parts of it are located by their offsets in the file, or if metadata is to be added to a bare codestream;
  ///   `CodecError.Kind.encodingFailed` if metadata exceeds 4 GiB; `CodecError.Kind.limitExceeded`.
  package func rewrite(
    _ bytes: Span<UInt8>, metadata: ImageMetadata, orientation: ImageOrientation?, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    guard case .yes = JPEG2000Decoder().probe(bytes) else {
      throw .jpeg2000(.malformed, "the signature is damaged", at: 0)
    }
    // The EXIF block may follow the codestream, so that reading the headers does not reach it.
    let options = InfoOptions(limits: budget.limits)
    let orientation =
      if let orientation { orientation } else {
        try JPEG2000Decoder().metadata(bytes, options: options, budget: &budget).orientation
      }
    try budget.allocate(bytes.count)
    try budget.chargeWork(2 * bytes.count)
    let descriptive = try descriptiveBoxes(metadata, orientation)
    guard bytes[0] == 0xFF else { return try copied(bytes, insertingBeforeCodestream: descriptive, &budget) }
    guard descriptive.isEmpty else {
      throw .jpeg2000(.unsupported, "a codestream without a file has no place for metadata")
    }
    return try CodestreamCopy.make(of: bytes, &budget)
  }

  // MARK: Boxes

  private func descriptiveBoxes(
    _ metadata: ImageMetadata, _ orientation: ImageOrientation
  ) throws(CodecError) -> [UInt8] {
    var boxes: [UInt8] = []
    if let exif = metadata.exif.map(exifBlockRemovingThumbnail) {
      boxes += try box("uuid", JP2Container.exifIdentifier + exifBlock(exif, settingOrientation: orientation))
    } else if orientation != .up {
      boxes += try box("uuid", JP2Container.exifIdentifier + exifBlock(orientation: orientation))
    }
    if let iptc = metadata.iptc { boxes += try box("uuid", JP2Container.iptcIdentifier + iptc) }
    if let xmp = metadata.xmp { boxes += try box("uuid", JP2Container.xmpIdentifier + xmp) }
    return boxes
  }

  private func box(_ type: FourCharacterCode, _ content: [UInt8]) throws(CodecError) -> [UInt8] {
    guard let size = UInt32(exactly: content.count + Box.headerByteCount) else {
      throw .jpeg2000(.encodingFailed, "the box '\(type)' exceeds 4 GiB")
    }
    return [size, type.rawValue].flatMap { value in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    } + content
  }

  private func copied(
    _ bytes: Span<UInt8>, insertingBeforeCodestream descriptive: [UInt8], _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    var output = JP2Container.signature
    var hasCodestream = false
    var offset = JP2Container.signature.count
    while let next = try nextBox(bytes, at: offset, isRequired: !hasCodestream) {
      try budget.chargeWork(50, byteOffset: offset)
      let content = next.content.clamped(to: 0..<bytes.count)
      switch next.type {
      case "jp2c":
        if !hasCodestream { output += descriptive }
        hasCodestream = true
        output += try box("jp2c", CodestreamCopy.make(of: bytes.extracting(content), &budget))
      case "jp2h", "jpch", "jplh":
        output += try box(next.type, children(bytes, of: content, &budget))
      default:
        if try stays(next, bytes) { output += try box(next.type, Array(copying: bytes.extracting(content))) }
      }
      guard next.content.upperBound < bytes.count else { break }
      offset = next.content.upperBound
    }
    guard hasCodestream else { throw .jpeg2000(.malformed, "there is no codestream", at: bytes.count) }
    return output
  }

  /// Reads a box. Bytes after the codestream may be garbage.
  private func nextBox(_ bytes: Span<UInt8>, at offset: Int, isRequired: Bool) throws(CodecError) -> Box? {
    do throws(CodecError) {
      return try Box(bytes, at: offset, format: JPEG2000Decoder.type)
    } catch {
      guard isRequired else { return nil }
      throw error
    }
  }

  /// Returns the boxes in a header without those that describe the image in words.
  private func children(
    _ bytes: Span<UInt8>, of header: Range<Int>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    var output: [UInt8] = []
    var offset = header.lowerBound
    let bytes = bytes.extracting(0..<header.upperBound)
    while let next = try nextBox(bytes, at: offset, isRequired: false) {
      try budget.chargeWork(50, byteOffset: offset)
      let stays =
        switch next.type {
        case "ihdr", "bpcc", "colr", "pclr", "cmap", "cdef", "res ", "cgrp", "opct", "creg": true
        default: keepsUnknownParts && next.type != "uuid"
        }
      if stays {
        output += try box(next.type, Array(copying: bytes.extracting(next.content.clamped(to: 0..<bytes.count))))
      }
      guard next.content.upperBound < bytes.count else { break }
      offset = next.content.upperBound
    }
    return output
  }

  private func stays(_ box: Box, _ bytes: Span<UInt8>) throws(CodecError) -> Bool {
    switch box.type {
    case "ftyp", "rreq", "comp": return true
    case "ftbl", "dtbl":
      throw .jpeg2000(.unsupported, "metadata of files with fragment tables is not changed", at: box.content.lowerBound)
    case "uuid": return keepsUnknownParts && !JP2Container.isMetadata(box, bytes)
    default: return keepsUnknownParts
    }
  }
}

extension JPEG2000Decoder {
  /// Returns a rewriter that copies boxes of unknown kinds.
  public func metadataRewriter(of type: AssetType) -> AnyMetadataRewriter? { JP2MetadataRewriter().erased }
}
