// The facts about the picture that a file is decoded to.

internal import ImageCoding

extension RawFile {
  /// Returns the properties of the picture that is decoded.
  ///
  /// - Throws: ``CodecError/Kind/unsupported`` if neither the data of the sensor nor an embedded picture can be decoded.
  func info(_ bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> ImageInfo {
    guard let largestPicture else { throw hasNoPicture }
    return info(of: largestPicture)
  }

  /// Returns the properties of an embedded picture.
  func info(of picture: EmbeddedPicture) -> ImageInfo {
    let isJPEG = picture.coding == .jpeg
    return ImageInfo(
      type: format.type, width: picture.size.width, height: picture.size.height,
      bitDepth: picture.coding.bytesPerPixel == 6 ? 16 : 8, colorModel: isJPEG ? .yCbCr : .rgb,
      orientation: orientation, coding: "preview")
  }

  /// The error of files of which nothing can be decoded.
  var hasNoPicture: CodecError {
    if case .unsupported(let name) = sensor {
      return CodecError(
        .unsupported, "\(name) are not supported, and the file has no embedded picture", format: format.type)
    }
    return CodecError(.malformed, "the file has no picture", format: format.type)
  }
}
