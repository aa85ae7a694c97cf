// The sinks of all thumbnails of an image.

internal import ImageCoding
internal import JPEGCodec

/// Passes the rows of an image to the stages of each thumbnail.
final class ThumbnailSinks: ImageRowSink {
  /// The options for decoding, with the smallest size that suffices for all thumbnails.
  let decodingOptions: DecodingOptions
  /// The orientation that the sizes of the thumbnails assume.
  let orientation: ImageOrientation
  private let sinks: [ThumbnailSink]

  init(of info: ImageInfo, orientation: ImageOrientation, for maker: ThumbnailMaker) {
    self.orientation = orientation
    let upright = orientation.swapsAxes ? info.size.transposed : info.size
    var decoding = maker.decodingOptions
    decoding.targetSize = Self.decodedSize(of: info, upright: upright, for: maker.requests)
    decodingOptions = decoding
    let isUpright = orientation == .up || maker.options.orientation == .report
    sinks = maker.requests.map { request in
      ThumbnailSink(request, of: info.size, orientation: orientation, encoder: isUpright ? maker.encoder : nil)
    }
  }

  /// The size that decoders are asked for. JPEG's reduced sizes are averages of squares, so that twice the size is left
  /// to the filter. The thumbnails in HEIF files have been resized well.
  private static func decodedSize(
    of info: ImageInfo, upright: PixelSize, for requests: [Thumbnail]
  ) -> PixelSize {
    let sizes = requests.map { $0.geometry(of: upright, isDrawing: false).scaled }
    func side(_ largest: Int?) -> Int {
      // Twice the largest side of a thumbnail is too large for 32 bits.
      info.type == JPEGDecoder.type ? Int(clamping: 2 * Int64(largest ?? 0)) : largest ?? 0
    }
    return PixelSize(width: side(sizes.lazy.map(\.width).max()), height: side(sizes.lazy.map(\.height).max()))
  }

  func begin(_ image: StreamedImage, budget: inout ResourceBudget) throws(CodecError) {
    for sink in sinks { try sink.begin(image, budget: &budget) }
  }

  func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    for sink in sinks { try sink.append(row, budget: &budget) }
  }

  /// Returns the thumbnails in the order of the requests.
  ///
  /// - Parameter details: those of the decode.
  func finish(
    _ details: DecodingDetails, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [ThumbnailMaker.Made] {
    var made: [ThumbnailMaker.Made] = []
    for sink in sinks {
      var details = details
      details.diagnostics += sink.diagnostics
      made.append(
        ThumbnailMaker.Made(content: try sink.finish(budget: &budget), orientation: orientation, details: details))
    }
    return made
  }
}
