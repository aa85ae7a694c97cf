// The stages of a raw file: containers → sensor data, developed, or an embedded picture.

package import ImageCoding

extension RawDecoder: WholeFileDecoder {
  // Directories and pictures may be anywhere in the file.
  package var hasHeaders: Bool { false }

  package func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    let file = try RawFile(bytes, jpegDecoder: jpegDecoder, budget: &context.budget)
    context.identify(as: file.format.type)
    let metadata = try file.readMetadata(bytes, jpegDecoder: jpegDecoder, budget: &context.budget)
    guard case .unsupported(let name) = file.sensor else { throw file.hasNoPicture }
    if context.options.requiresSensorData {
      throw CodecError(.unsupported, "\(name) are not supported", format: file.format.type)
    }
    guard let picture = file.picture(for: context.options.targetSize) else { throw file.hasNoPicture }
    context.note(.warning, "\(name) are not supported; this is an embedded picture")
    try EmbeddedPictureDecoder(jpegDecoder: jpegDecoder).decode(picture, bytes, into: &bitmap, &context)
    bitmap.orientation = file.orientation
    return DecodingDetails(
      info: file.info(of: file.largestPicture ?? picture), metadata: metadata, isComplete: !context.foundDamage)
  }
}

extension RawFile {
  /// Returns the smallest picture that is at least as large as a target, or the largest of all.
  ///
  /// - Parameter target: the size of the upright picture; `nil` selects the largest.
  func picture(for target: PixelSize?) -> EmbeddedPicture? {
    guard let target else { return largestPicture }
    let needed = orientation.swapsAxes ? target.transposed : target
    let sufficient = pictures.filter { $0.size.width >= needed.width && $0.size.height >= needed.height }
    return sufficient.min { $0.size.width * $0.size.height < $1.size.width * $1.size.height } ?? largestPicture
  }
}
