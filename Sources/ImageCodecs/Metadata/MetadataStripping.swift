// The stripping of files, and of the pictures that SVG documents embed.

internal import ImageCoding
internal import PNGCodec
internal import SVGCodec

/// Removes metadata from files and from the pictures in them.
struct MetadataStripping: Sendable {
  private let content: ImageFile.StrippingOptions
  private let formats: ImageFormatRegistry

  init(removing content: ImageFile.StrippingOptions, formats: ImageFormatRegistry) {
    self.content = content
    self.formats = formats
  }

  /// Returns a file without its metadata.
  func strip(_ file: Span<UInt8>, of type: AssetType, budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    if type == .svg { return try strip(document: file, budget: &budget) }
    guard var rewriter = formats.metadataRewriter(of: type) else {
      throw CodecError(.unsupported, "metadata cannot be removed from \(type.formatName) files", format: type)
    }
    rewriter.keepsUnknownParts = false
    return try rewriter.rewrite(file, metadata: ImageMetadata(), orientation: nil, budget: &budget)
  }

  private func strip(document: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    let stripper = SVGMetadataStripper(removesActiveContent: content.contains(.activeContent)) {
      picture, budget throws(CodecError) in
      try self.strip(picture: picture, budget: &budget)
    }
    return try stripper.strip(document, budget: &budget)
  }

  /// Returns an embedded picture without its metadata; `nil` if its format is not known.
  private func strip(picture: [UInt8], budget: inout ResourceBudget) throws(CodecError) -> [UInt8]? {
    guard let type = formats.type(of: picture.span) else { return nil }
    if type == .svg { return try strip(document: picture.span, budget: &budget) }
    let held = budget.heldByteCount
    let format = budget.format
    budget.format = type
    let isRewritten = formats.metadataRewriter(of: type) != nil
    let stripped =
      try isRewritten ? strip(picture.span, of: type, budget: &budget) : encodedAgain(picture, budget: &budget)
    budget.format = format
    budget.settle(heldByteCount: held)
    try budget.allocate(stripped.count)
    return stripped
  }

  /// Returns a picture of a format whose metadata cannot be removed as a PNG.
  private func encodedAgain(_ picture: [UInt8], budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    try budget.descend()
    defer { budget.ascend() }
    let file = try ImageFile(picture, options: DecodingOptions(limits: budget.limits), formats: formats)
    return try PNGEncoder().encode(try file.decode(budget: &budget).bitmap, metadata: nil, budget: &budget)
  }
}
