// EXIF and XMP from their boxes (ISO/IEC 18181-2, 9.6 to 9.8).

internal import ByteCompression
internal import ImageCoding

extension JXLContainer {
  /// Returns the metadata. Blocks that are damaged or too large are left out and reported.
  func readMetadata(
    _ file: Span<UInt8>, budget: inout ResourceBudget, report: (CodecError) throws(CodecError) -> Void
  ) throws(CodecError) -> ImageMetadata {
    var result = ImageMetadata()
    for box in metadata {
      do throws(CodecError) {
        guard let bytes = try content(of: box, file, &budget) else { continue }
        if box.type == "xml " {
          result.xmp = bytes
        } else {
          result.exif = try Self.exifBlock(bytes, box)
        }
      } catch {
        guard error.isDamage || error.kind == .limitExceeded else { throw error }
        try report(error)
      }
    }
    return result
  }

  private func content(
    of box: MetadataBox, _ file: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8]? {
    let stored = file.extracting(box.content)
    guard box.isCompressed else {
      guard budget.admitMetadata(stored.count) else {
        throw CodecError(
          .limitExceeded, "the box '\(box.type)' exceeds the limit of metadata", format: JXLDecoder.type,
          byteOffset: box.content.lowerBound, limit: .metadata)
      }
      return Array(copying: stored)
    }
    let heldByteCount = budget.heldByteCount
    defer { budget.settle(heldByteCount: min(budget.heldByteCount, heldByteCount)) }
    let bytes = try BrotliStream.decompress(
      stored, maximumByteCount: budget.metadataAllowance, budget: &budget, byteOffset: box.content.lowerBound)
    budget.settle(heldByteCount: heldByteCount)
    guard budget.admitMetadata(bytes.count) else { return nil }
    return bytes
  }

  /// Returns the content of a box, which is charged as memory.
  ///
  /// - Throws: `CodecError.Kind.limitExceeded` if it has more bytes than `maximumByteCount`.
  func content(
    of box: MetadataBox, _ file: Span<UInt8>, maximumByteCount: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    let stored = file.extracting(box.content)
    guard !box.isCompressed else {
      return try BrotliStream.decompress(
        stored, maximumByteCount: maximumByteCount, budget: &budget, byteOffset: box.content.lowerBound)
    }
    guard stored.count <= maximumByteCount else {
      throw CodecError(
        .limitExceeded, "the box '\(box.type)' has more than \(maximumByteCount) bytes", format: JXLDecoder.type,
        byteOffset: box.content.lowerBound, limit: .metadata)
    }
    try budget.allocate(stored.count)
    return Array(copying: stored)
  }

  /// The TIFF stream of an EXIF block, which follows an offset to it.
  private static func exifBlock(_ bytes: [UInt8], _ box: MetadataBox) throws(CodecError) -> [UInt8] {
    let offset = FourCharacterCode(bytes.span, at: 0)?.rawValue ?? .max
    guard UInt64(offset) + 4 <= UInt64(bytes.count) else {
      throw CodecError(
        .malformed, "the offset of the EXIF block is \(offset)", format: JXLDecoder.type,
        byteOffset: box.content.lowerBound)
    }
    return Array(bytes[(4 + Int(offset))...])
  }
}
