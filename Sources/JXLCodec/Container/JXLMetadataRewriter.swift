// Replaces the metadata of a file and leaves its codestream unchanged (ISO/IEC 18181-2, 9).

public import ImageCoding
internal import MetadataFormats

/// Rewrites a JPEG XL file with different metadata. The codestream is copied, not decoded.
///
/// A bare codestream is put into a container if there is metadata to store. Data for the reconstruction of a JPEG file,
/// which includes the metadata of that file, is dropped. If metadata is stripped, boxes of unknown kinds and bytes after the last box
/// are dropped as well; bytes after the end of the codestream within its box, which only decoding can tell, stay.
package struct JXLMetadataRewriter: MetadataRewriter {
  /// ``JXLDecoder/type``.
  package static var type: AssetType { JXLDecoder.type }
  /// Whether boxes of unknown kinds are copied; `true` by default. Set to `false` to strip all metadata.
  package var keepsUnknownParts: Bool

  /// Creates a rewriter. By default it copies unknown boxes.
  package init(keepsUnknownParts: Bool = true) {
    self.keepsUnknownParts = keepsUnknownParts
  }

  /// Returns the file with its EXIF block and XMP packet replaced by those of `metadata`, without the EXIF thumbnail. The
  /// orientation in the EXIF block is set to upright, since that of the picture is stated in the codestream. Texts and
  /// comments, which JPEG XL cannot store, are dropped.
  ///
  /// - Throws: `CodecError.Kind.malformed` if the file has no codestream; `CodecError.Kind.truncated` if it ends
  ///   within one; `CodecError.Kind.encodingFailed` if metadata exceeds 4 GiB; `CodecError.Kind.limitExceeded`.
  package func rewrite(
    _ bytes: Span<UInt8>, metadata: ImageMetadata, orientation: ImageOrientation?, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    guard case .yes = JXLDecoder().probe(bytes) else {
      throw CodecError(.malformed, "the signature is damaged", format: JXLDecoder.type, byteOffset: 0)
    }
    try budget.allocate(bytes.count)
    try budget.chargeWork(2 * bytes.count)
    let descriptive = try descriptiveBoxes(metadata)
    if bytes[0] == 0xFF {
      let codestream = Array(copying: bytes)
      if descriptive.isEmpty { return codestream }
      return Self.start + descriptive + (try box("jxlc", codestream))
    }
    return try copied(bytes, insertingBeforeCodestream: descriptive, &budget)
  }

  // MARK: Boxes

  /// The signature, and the box of the file type that every file has.
  private static let start: [UInt8] = JXLContainer.signature + [0, 0, 0, 20] + Array("ftypjxl \0\0\0\0jxl ".utf8)

  private func descriptiveBoxes(_ metadata: ImageMetadata) throws(CodecError) -> [UInt8] {
    var boxes: [UInt8] = []
    if let exif = metadata.exif {
      // The offset of the TIFF header comes first.
      boxes += try box("Exif", [0, 0, 0, 0] + exifBlock(exifBlockRemovingThumbnail(exif), settingOrientation: .up))
    }
    if let xmp = metadata.xmp { boxes += try box("xml ", xmp) }
    return boxes
  }

  private func box(_ type: FourCharacterCode, _ content: [UInt8]) throws(CodecError) -> [UInt8] {
    guard let size = UInt32(exactly: content.count + Box.headerByteCount) else {
      throw CodecError(.encodingFailed, "the box '\(type)' exceeds 4 GiB", format: JXLDecoder.type)
    }
    return size.bigEndianBytes + type.rawValue.bigEndianBytes + content
  }

  private func copied(
    _ bytes: Span<UInt8>, insertingBeforeCodestream descriptive: [UInt8], _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    var output = Self.start
    var hasCodestream = false
    var offset = JXLContainer.signature.count
    while offset < bytes.count, let next = try Box(bytes, at: offset, format: JXLDecoder.type) {
      try budget.chargeWork(50, byteOffset: offset)
      let end = next.content.upperBound
      let isOpen = end == .max
      if stays(next, bytes) {
        let isCodestream = next.type == "jxlc" || next.type == "jxlp"
        guard isOpen || end <= bytes.count else {
          guard isCodestream else { break }
          throw CodecError(
            .truncated, "the file ends within its codestream", format: JXLDecoder.type, byteOffset: bytes.count,
            neededByteCount: end)
        }
        if isCodestream, !hasCodestream {
          output += descriptive
          hasCodestream = true
        }
        output.append(contentsOf: Array(copying: bytes.extracting(offset..<min(end, bytes.count))))
      }
      guard end < bytes.count else { break }
      offset = end
    }
    guard hasCodestream else {
      throw CodecError(.malformed, "there is no codestream", format: JXLDecoder.type, byteOffset: bytes.count)
    }
    return output
  }

  private func stays(_ box: Box, _ bytes: Span<UInt8>) -> Bool {
    switch box.type {
    // The level, the codestream, its index and the gain map.
    case "jxll", "jxlc", "jxlp", "jxli", "jhgm": return true
    case "ftyp", "Exif", "xml ", "jbrd": return false
    case "brob":
      let type = FourCharacterCode(bytes, at: box.content.lowerBound)
      return keepsUnknownParts && type != "Exif" && type != "xml "
    default: return keepsUnknownParts
    }
  }
}

extension JXLDecoder {
  /// Returns a rewriter that copies boxes of unknown kinds.
  public func metadataRewriter(of type: AssetType) -> AnyMetadataRewriter? { JXLMetadataRewriter().erased }
}
