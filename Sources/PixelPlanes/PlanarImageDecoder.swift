// Formats whose images are coded as planes.

public import ImageCoding

/// A decoder that can return the planes of an image in addition to its pixels.
public protocol PlanarImageDecoder: ImageFormatDecoder {
  /// Decodes the planes of an image, without colour conversion, cropping or rotation.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - options: the decoding options.
  ///   - budget: the budget to which all resources of the decode are charged.
  /// - Throws: `CodecError.Kind.unsupported` if the image is not coded as planes.
  func planes(
    _ bytes: Span<UInt8>, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> PlanarPicture
}

extension PlanarImageDecoder {
  /// Decodes the planes of an image within the limits in `options`.
  public func planes(
    _ bytes: Span<UInt8>, options: DecodingOptions = DecodingOptions()
  ) throws(CodecError) -> PlanarPicture {
    var budget = ResourceBudget(options)
    return try planes(bytes, options: options, budget: &budget)
  }
}
