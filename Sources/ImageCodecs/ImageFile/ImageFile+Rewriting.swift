// Removing and replacing the metadata of a file without decoding pixels.

internal import ImageCoding

extension ImageFile {
  /// The kinds of content to remove from a file in addition to metadata.
  public struct StrippingOptions: OptionSet, Hashable, Sendable {
    /// The bits of the options.
    public let rawValue: Int

    /// Creates options from their bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// All that runs scripts or loads resources in SVG documents, so that they are safe to be served to browsers:
    /// scripts, handlers of events, `foreignObject`, external links, `@import`, and everything that is not known to
    /// draw. Other formats have none.
    public static let activeContent = StrippingOptions(rawValue: 1)
  }

  /// Returns the file without EXIF, XMP, IPTC, texts, comments, thumbnails, private application data and anything after
  /// the image, such as further images. The pages of a TIFF are kept. The colour profile and the orientation are kept,
  /// because the image would look different without them.
  ///
  /// The result shows the same picture, or the call throws. Of damaged files, JPEG, PNG and GIF files that are cut off,
  /// or whose compressed data is damaged, are stripped as they are; WebP, HEIC, AVIF and TIFF files whose chunks, boxes
  /// or directories contradict one another are refused, even if they can be decoded. To keep such pictures, decode them
  /// and encode them again.
  ///
  /// Bytes that decoders do not use are dropped, such as those after the last code of compressed image data. To find
  /// them, the data of JPEG, PNG, GIF and TIFF files is decompressed, but not decoded to pixels. The article
  /// “Metadata and privacy” lists what remains.
  ///
  /// In HEIC and AVIF files, further images, thumbnails among them, are kept without their metadata.
  ///
  /// SVG documents keep their titles and descriptions, which viewers show; the pictures that they embed are stripped as
  /// well, or written as PNG if their format is not rewritten; compressed documents are written uncompressed. They may
  /// still contain scripts and links unless ``StrippingOptions/activeContent`` is removed as well.
  ///
  /// - Parameter content: what is removed in addition.
  /// - Throws: `CodecError.Kind.unsupported` if the type is not one of ``ImageFormatRegistry/strippableTypes``,
  ///   naming it; `CodecError.Kind.malformed` for damaged files; the errors of the limits.
  public func stripped(removing content: StrippingOptions = []) throws(CodecError) -> [UInt8] {
    try spending { (budget) throws(CodecError) in
      try withBytes { (bytes) throws(CodecError) in
        let stripping = MetadataStripping(removing: content, formats: formats)
        return try stripping.strip(bytes, of: type, budget: &budget)
      }
    }
  }

  /// Returns the file with other EXIF, XMP, IPTC, texts and comments. The coded image data, the colour profile and the
  /// orientation are unchanged: the orientation in the EXIF block is set to that of the file. Anything after the image,
  /// such as further images with their own metadata, is dropped.
  ///
  /// - Parameter metadata: what the file has instead of its own metadata.
  /// - Throws: `CodecError.Kind.unsupported` if the type is SVG or not one of
  ///   ``ImageFormatRegistry/strippableTypes``, naming it; `CodecError.Kind.encodingFailed` if the format cannot hold
  ///   the metadata; the errors of the limits.
  public func replacingMetadata(with metadata: ImageMetadata) throws(CodecError) -> [UInt8] {
    try spending { (budget) throws(CodecError) in try replacingMetadata(with: metadata, budget: &budget) }
  }

  /// Replaces the metadata as a part of a call.
  package func replacingMetadata(
    with metadata: ImageMetadata, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    try withBytes { (bytes) throws(CodecError) in
      guard let rewriter = formats.metadataRewriter(of: type) else {
        throw CodecError(.unsupported, "metadata cannot be replaced in \(type.formatName) files", format: type)
      }
      return try rewriter.rewrite(bytes, metadata: metadata, orientation: nil, budget: &budget)
    }
  }
}

extension ImageFormatRegistry {
  /// The types whose metadata can be removed; see `ImageFile.stripped(removing:)`.
  public var strippableTypes: Set<AssetType> {
    let types = decoders.flatMap(\.types)
    return Set(types.filter { $0 == .svg || metadataRewriter(of: $0) != nil })
  }
}
