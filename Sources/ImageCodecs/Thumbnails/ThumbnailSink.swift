// The stages between a decoder and the thumbnail, each on rows.

internal import ColorManagement
internal import ImageCoding
internal import JPEGCodec
internal import Resampling

/// Converts, resizes and crops the rows of an image as they are decoded, and collects or encodes the result.
///
/// All buffers are allocated when the image begins.
final class ThumbnailSink: ImageRowSink {
  private let request: Thumbnail
  /// The size of the stored image according to its headers. Decoders may reduce it.
  private let original: PixelSize
  private let orientation: ImageOrientation
  private let isDrawing: Bool
  /// The geometry, if it does not follow from the request.
  private let geometry: ThumbnailGeometry?
  private var first: (any ImageRowSink)?
  private var conversion: ColorConvertingSink?
  private let output: ThumbnailOutput

  /// - Parameters:
  ///   - geometry: the geometry of the stored image, if it does not follow from the request.
  ///   - encoder: encodes rows that need nothing but encoding; `nil` if a bitmap is wanted.
  init(
    _ request: Thumbnail, of original: PixelSize, orientation: ImageOrientation,
    isDrawing: Bool = false, geometry: ThumbnailGeometry? = nil,
    encoder: JPEGEncoder? = nil
  ) {
    self.request = request
    self.original = original
    self.orientation = orientation
    self.isDrawing = isDrawing
    self.geometry = geometry
    output = ThumbnailOutput(encoder: encoder, orientation: orientation)
  }

  func begin(_ image: StreamedImage, budget: inout ResourceBudget) throws(CodecError) {
    let decoded = PixelSize(width: image.width, height: image.height)
    let size = decoded.isReduction(of: original) ? original : decoded
    let upright = orientation.swapsAxes ? size.transposed : size
    let geometry =
      geometry ?? request.geometry(of: upright, isDrawing: isDrawing).stored(as: orientation)
    // From the last stage to the first.
    let order = request.colorOrder(for: image)
    var next: any ImageRowSink = output
    if order == .afterResizing { next = convertingColors(to: next) }
    let resizing = ResizingSink(
      part: geometry.part.pixels(of: decoded), toWidth: geometry.size.width, height: geometry.size.height,
      filter: request.filter, light: request.light, destination: next)
    next = resizing
    if order == .beforeResizing { next = convertingColors(to: next) }
    try next.begin(image, budget: &budget)
    first = next
  }

  private func convertingColors(to destination: any ImageRowSink) -> ColorConvertingSink {
    let conversion = ColorConvertingSink(to: .sRGB, destination: destination)
    self.conversion = conversion
    return conversion
  }

  func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    try first?.append(row, budget: &budget)
  }

  /// The defects of the colour space.
  var diagnostics: [ImageDiagnostic] { conversion?.diagnostics ?? [] }

  /// Returns the thumbnail.
  func finish(budget: inout ResourceBudget) throws(CodecError) -> ThumbnailOutput.Content {
    first = nil
    return try output.finish(budget: &budget)
  }
}

extension Thumbnail {
  /// The order of colour conversion and resizing.
  enum ColorOrder {
    case never, beforeResizing, afterResizing
  }

  /// Usually colours are converted after resizing, as there are fewer pixels then, and an average of encoded samples is
  /// about the same in any RGB space. But averages of inks are not the inks of averages, and linear light is computed
  /// by sRGB's transfer function, so that sRGB must come first.
  func colorOrder(for image: StreamedImage) -> ColorOrder {
    guard color == .sRGB else { return .never }
    if image.format.colorModel == .cmyk { return .beforeResizing }
    let definition = image.colorSpace.definition
    if definition == .unspecified || definition == .sRGB { return .never }
    return light == .linear ? .beforeResizing : .afterResizing
  }
}
