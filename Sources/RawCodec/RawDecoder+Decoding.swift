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
    let source = try file.source(
      bytes, requiresSensor: context.options.requiresSensorData, budget: &context.budget)
    let target = context.options.region == nil ? context.options.targetSize : nil
    let stored = file.orientation.swapsAxes ? target?.transposed : target
    switch source {
    case .sensor(let layout, let tree, let sensor):
      guard let main = tree.main else { break }
      var development = try Development(
        layout, sensor: tree.fields(sensor, in: bytes), main: tree.fields(main, in: bytes), &context, target: stored)
      let isDamaged = try development.run(bytes, self, into: &bitmap, &context)
      bitmap.orientation = file.orientation
      return DecodingDetails(info: file.info(of: source), metadata: metadata, isComplete: !isDamaged)
    case .picture(let largest, let reason):
      if reason.kind == .unsupported {
        context.note(.warning, "\(reason.reason); the picture is an embedded one")
      } else {
        try context.tolerate(reason, as: .damage)
      }
      let picture = stored.flatMap { file.smallestPicture(for: $0) } ?? largest
      try EmbeddedPictureDecoder(jpegDecoder: jpegDecoder).decode(picture, bytes, into: &bitmap, &context)
    }
    bitmap.orientation = file.orientation
    return DecodingDetails(info: file.info(of: source), metadata: metadata, isComplete: !context.foundDamage)
  }
}

extension RawFile {
  /// Returns the smallest picture that is at least as large as a target, in pixels as stored; `nil` if there is none.
  func smallestPicture(for target: PixelSize) -> EmbeddedPicture? {
    pictures.filter { $0.size.width >= target.width && $0.size.height >= target.height }
      .min { $0.size.width * $0.size.height < $1.size.width * $1.size.height }
  }
}
