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
    let options = context.options
    let source = try file.source(bytes, requiresSensor: options.requiresSensorData, budget: &context.budget)
    var info = file.info(of: source)
    let target = options.region == nil ? options.targetSize : nil
    let stored = file.orientation.swapsAxes ? target?.transposed : target
    // Requests for data of the sensor, a rendering or a colour space are not met by pictures of the camera's.
    let acceptsReduced =
      !options.requiresSensorData && options.rawRendering == .neutral && options.rawColorSpace == .sRGB
    let reduced = stored.flatMap { acceptsReduced ? file.smallestPicture(for: $0, shapedAs: info.size) : nil }
    let pictures = EmbeddedPictureDecoder(jpegDecoder: jpegDecoder)
    var isDamaged = false
    switch source {
    case .sensor(let layout, let tree, let sensor):
      if let reduced {
        try pictures.decode(reduced, bytes, into: &bitmap, &context)
      } else if let main = tree.main {
        var development = try Development(
          layout, sensor: tree.fields(sensor, in: bytes), main: tree.fields(main, in: bytes), &context, target: stored)
        isDamaged = try development.run(bytes, self, into: &bitmap, &context)
        info.colorSpace = bitmap.colorSpace
      }
    case .picture(let largest, let reason):
      if reason.kind != .unsupported {
        try context.tolerate(reason, as: .damage)
      } else if reduced == nil {
        context.note(.warning, "\(reason.reason); the picture is an embedded one")
      }
      try pictures.decode(reduced ?? largest, bytes, into: &bitmap, &context)
    }
    bitmap.orientation = file.orientation
    return DecodingDetails(info: info, metadata: metadata, isComplete: !isDamaged && !context.foundDamage)
  }
}

extension RawFile {
  /// Returns the smallest picture that is at least as large as a target, in pixels as stored; `nil` if there is none.
  ///
  /// - Parameter size: the size of the picture whose aspect ratio is wanted: cameras add black bars to some thumbnails.
  ///   `nil` if any will do.
  func smallestPicture(for target: PixelSize, shapedAs size: PixelSize? = nil) -> EmbeddedPicture? {
    pictures.filter { picture in
      picture.size.width >= target.width && picture.size.height >= target.height
        && size.map { picture.hasShape(of: $0) } ?? true
    }
    .min { $0.size.width * $0.size.height < $1.size.width * $1.size.height }
  }
}

extension EmbeddedPicture {
  /// Whether the picture may be a reduction of one of this size: the aspect ratio is the same up to rounding.
  fileprivate func hasShape(of other: PixelSize) -> Bool {
    let difference = Int64(size.width) * Int64(other.height) - Int64(size.height) * Int64(other.width)
    return abs(difference) <= max(other.width, other.height)
  }
}
