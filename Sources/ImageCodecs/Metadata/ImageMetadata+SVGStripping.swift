// Stripping of SVG documents with the pictures that they embed, and of what runs scripts or loads resources.

public import ImageCoding
internal import PNGCodec
internal import SVGCodec

extension ImageMetadata {
  /// What is removed from a file in addition to metadata.
  public struct StrippingOptions: OptionSet, Hashable, Sendable {
    /// The bits of the options.
    public let rawValue: Int

    /// Creates options from their bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// What runs scripts or loads resources in SVG documents, so that they are safe to be served to browsers: scripts,
    /// handlers of events, `foreignObject`, external links, `@import`, and everything that is not known to draw. Other
    /// formats have none.
    public static let activeContent = StrippingOptions(rawValue: 1)
  }

  /// Returns a file without its metadata, as does ``stripped(from:limits:formats:)``, and without what the options name.
  ///
  /// - Parameter file: a JPEG, PNG, WebP, HEIC, AVIF, TIFF, GIF or SVG file.
  /// - Throws: ``CodecError/Kind/unsupported`` for other formats, naming the format; ``CodecError/Kind/malformed`` for
  ///   SVG documents that are not well formed.
  public static func stripped(
    from file: [UInt8], removing options: StrippingOptions, limits: DecodingLimits = .default,
    formats: ImageFormatRegistry = .shared
  ) throws(CodecError) -> [UInt8] {
    guard options.contains(.activeContent), formats.type(of: file.span) == .svg else {
      return try stripped(from: file, limits: limits, formats: formats)
    }
    var budget = ResourceBudget(limits, format: .svg)
    return try strippedDocument(file, removing: options, formats: formats, budget: &budget)
  }

  /// Returns an SVG document without its metadata and that of the pictures that it embeds.
  static func strippedDocument(
    _ file: [UInt8], removing options: StrippingOptions = [], formats: ImageFormatRegistry,
    budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    try DocumentStripping(options: options, formats: formats).strip(file, budget: &budget)
  }
}

/// Strips documents, and documents and pictures in them.
private struct DocumentStripping: Sendable {
  let options: ImageMetadata.StrippingOptions
  let formats: ImageFormatRegistry

  func strip(_ document: [UInt8], budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    let stripper = SVGMetadataStripper(removesActiveContent: options.contains(.activeContent)) {
      picture, budget throws(CodecError) in
      try self.strip(picture: picture, budget: &budget)
    }
    return try stripper.strip(document.span, budget: &budget)
  }

  /// Returns an embedded picture without its metadata; `nil` if its format is not known.
  private func strip(picture: [UInt8], budget: inout ResourceBudget) throws(CodecError) -> [UInt8]? {
    guard let type = formats.type(of: picture.span) else { return nil }
    if type == .svg { return try strip(picture, budget: &budget) }
    let held = budget.heldByteCount
    let format = budget.format
    let stripped =
      if formats.metadataRewriter(of: type) != nil {
        try ImageMetadata().rewrite(picture, isStrip: true, formats: formats, &budget)
      } else {
        try encodedAgain(picture, budget: &budget)
      }
    budget.format = format
    budget.settle(heldByteCount: held)
    try budget.allocate(stripped.count)
    return stripped
  }

  /// Returns a picture of a format whose metadata cannot be removed as a PNG.
  private func encodedAgain(_ picture: [UInt8], budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    try budget.descend()
    defer { budget.ascend() }
    let options = DecodingOptions(limits: budget.limits)
    let image = try DecodedImage(decoding: picture.span, options: options, formats: formats, budget: &budget)
    return try PNGEncoder().encode(image.bitmap, metadata: nil, budget: &budget)
  }
}
