// The part of the stored image that a caller requests.

internal import ImageCoding

extension ImageLayout {
  /// Returns the stored pixels that the options select: those of the region, which refers to the upright image if the
  /// orientation is applied, or all.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` unless the region is inside the image.
  func window(of options: DecodingOptions) throws(CodecError) -> PixelRegion {
    try options.storedRegion(of: size, orientation: orientation, format: TIFFDecoder.type)
  }
}
