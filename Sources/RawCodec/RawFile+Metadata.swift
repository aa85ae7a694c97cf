// The metadata of raw files, as an EXIF block whatever the container.

internal import ImageCoding
internal import MetadataFormats

extension RawFile {
  /// Reads the metadata. The orientation of a preview is not part of it.
  func readMetadata(
    _ bytes: Span<UInt8>, jpegDecoder: AnyImageFormatDecoder, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageMetadata {
    switch metadata {
    case .directory(let tree): return try read(tree, bytes, budget: &budget)
    case .jpeg(let range, let fallback):
      do throws(CodecError) {
        let found = try jpegDecoder.metadata(
          bytes.extracting(range), options: InfoOptions(limits: budget.limits), budget: &budget)
        if found.exif != nil || fallback == nil {
          var metadata = ImageMetadata()
          (metadata.exif, metadata.xmp, metadata.iptc) = (found.exif, found.xmp, found.iptc)
          return metadata
        }
      } catch {
        if !error.isDamage { throw error }
      }
      return try fallback.map { (tree) throws(CodecError) in try read(tree, bytes, budget: &budget) } ?? ImageMetadata()
    case .boxes(let image, let exif, let gps):
      var metadata = ImageMetadata()
      metadata.exif = try exifBlock(
        joining: bytes.extracting(image), exif: bytes.extracting(exif), gps: bytes.extracting(gps), budget: &budget)
      return metadata
    case .properties(let properties):
      var metadata = ImageMetadata()
      metadata.exif = properties.exifBlock
      return metadata
    }
  }

  private func read(
    _ tree: DirectoryTree, _ bytes: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageMetadata {
    var metadata = ImageMetadata()
    guard let main = tree.main else { return metadata }
    let structure = bytes.extracting(tree.range)
    metadata.exif = try exifBlock(ofTIFF: structure, header: tree.header, directory: main, budget: &budget)
    let fields = tree.fields(main, in: bytes)
    if let range = fields.range(.xmp), range.count > 4, budget.admitMetadata(range.count) {
      metadata.xmp = Array(copying: structure.extracting(range))
    }
    if let range = fields.range(.iptc), range.count > 4, budget.admitMetadata(range.count) {
      metadata.iptc = Array(copying: structure.extracting(range))
    }
    return metadata
  }
}
