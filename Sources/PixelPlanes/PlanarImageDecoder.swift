// Formats whose images are coded in planes.

public import ImageCore

/// A decoder that can return the planes of an image as well as its pixels.
public protocol PlanarImageDecoder: ImageFormatDecoder {
  /// Decodes the planes of an image, before any conversion of colours, crop or rotation.
  ///
  /// - Parameter budget: charged for all resources that the decode uses.
  /// - Throws: ``CodecError/Kind/unsupported`` if the image is not coded in planes.
  func planes(
    _ bytes: Span<UInt8>, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> PlanarPicture
}

extension PlanarImageDecoder {
  /// Decodes the planes of an image within the limits of the options.
  public func planes(
    _ bytes: Span<UInt8>, options: DecodingOptions = DecodingOptions()
  ) throws(CodecError) -> PlanarPicture {
    var budget = ResourceBudget(options)
    return try planes(bytes, options: options, budget: &budget)
  }
}
