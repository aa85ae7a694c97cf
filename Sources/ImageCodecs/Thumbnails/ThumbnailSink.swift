// The stages between a decoder and the small bitmap, each on rows: inks to RGB, resizing, cropping.

internal import ImageCore
internal import Resampling

/// Resizes and crops the rows of an image as they are decoded, and collects the result.
///
/// All buffers are allocated when the image begins, and are charged to the decode.
final class ThumbnailSink: ChargedRowSink {
  private let request: Thumbnail
  /// The size of the stored image according to its headers. Decoders may reduce it.
  private let original: PixelSize
  private let orientation: ImageOrientation
  private let isDrawing: Bool
  private var budget: ResourceBudget
  private var first: (any ImageRowSink)?
  private var resizing: ResizingSink?
  private var collected: RegionCollector?

  init(
    _ request: Thumbnail, of original: PixelSize, orientation: ImageOrientation, isDrawing: Bool = false,
    budget: ResourceBudget
  ) {
    self.request = request
    self.original = original
    self.orientation = orientation
    self.isDrawing = isDrawing
    self.budget = budget
  }

  var heldByteCount: Int { (resizing?.budget ?? budget).heldByteCount }

  func begin(_ image: StreamedImage) throws(CodecError) {
    let decoded = PixelSize(width: image.width, height: image.height)
    let size = isReduced(decoded) ? original : decoded
    let upright = orientation.swapsAxes ? size.transposed : size
    let geometry = request.geometry(of: upright, isDrawing: isDrawing).stored(as: orientation)
    var working = image
    working.format = workingFormat(of: image.format)
    working.colorSpace = image.colorSpace.applying(from: image.format, to: working.format)
    let region = geometry.region
    let collector = RegionCollector(region)
    try collector.prepare(format: working.format, colorSpace: working.colorSpace, budget: &budget)
    let resizing = ResizingSink(
      toWidth: geometry.scaled.width, height: geometry.scaled.height, filter: request.filter, light: request.light,
      destination: collector, budget: budget)
    collected = collector
    self.resizing = resizing
    let first: any ImageRowSink =
      working.format == image.format ? resizing : FormatConvertingSink(to: working, destination: resizing)
    try first.begin(image)
    self.first = first
  }

  func append(_ row: Span<UInt8>) throws(CodecError) {
    try first?.append(row)
  }

  /// Returns the collected rows.
  func finish() -> Bitmap {
    first = nil
    resizing = nil
    defer { collected = nil }
    return collected?.bitmap ?? Bitmap()
  }

  /// Whether the decoder has reduced the image, or kept its size: the aspect ratio is the same up to rounding.
  private func isReduced(_ decoded: PixelSize) -> Bool {
    guard decoded.width <= original.width, decoded.height <= original.height else { return false }
    return abs(decoded.width * original.height - decoded.height * original.width)
      <= max(original.width, original.height)
  }

  /// Averages of inks are not the inks of averages, so CMYK becomes RGB before it is resized.
  private func workingFormat(of format: PixelFormat) -> PixelFormat {
    guard format.colorModel == .cmyk, request.color == .sRGB else { return format }
    return PixelFormat(.rgb, alpha: format.alpha, sampleType: format.sampleType)
  }
}

/// Converts rows to another pixel format.
final class FormatConvertingSink: ImageRowSink {
  private let image: StreamedImage
  private let destination: any ImageRowSink
  private var converter: PixelRowConverter?
  private var row: [UInt8] = []

  /// - Parameter image: the properties that the destination is told.
  init(to image: StreamedImage, destination: any ImageRowSink) {
    self.image = image
    self.destination = destination
  }

  func begin(_ source: StreamedImage) throws(CodecError) {
    converter = PixelRowConverter(from: source.format, to: image.format)
    row = [UInt8](repeating: 0, count: image.width * image.format.bytesPerPixel)
    try destination.begin(image)
  }

  func append(_ source: Span<UInt8>) throws(CodecError) {
    // Moved out of the property, because a property of a class cannot be borrowed for the call.
    var row = row
    self.row = []
    defer { self.row = row }
    var target = row.mutableSpan
    converter?.convert(source, into: &target)
    try destination.append(row.span)
  }
}

/// Collects a region of an image in a bitmap.
final class RegionCollector: ImageRowSink {
  private let region: PixelRegion
  private(set) var bitmap = Bitmap()
  private var y = 0

  init(_ region: PixelRegion) {
    self.region = region
  }

  /// Allocates the bitmap.
  func prepare(
    format: PixelFormat, colorSpace: ColorSpace, budget: inout ResourceBudget
  ) throws(CodecError) {
    try bitmap.reset(width: region.width, height: region.height, format: format, budget: &budget)
    bitmap.zeroPixels(rows: 0..<region.height)
    bitmap.colorSpace = colorSpace
  }

  func begin(_ image: StreamedImage) throws(CodecError) {
    guard region.fits(in: PixelSize(width: image.width, height: image.height)) else {
      throw CodecError(.invalidArgument, "the region is outside the resized image")
    }
  }

  func append(_ row: Span<UInt8>) throws(CodecError) {
    defer { y += 1 }
    guard y >= region.y, y - region.y < region.height else { return }
    let bytesPerPixel = bitmap.format.bytesPerPixel
    let start = region.x * bytesPerPixel
    var target = bitmap.mutableRow(y - region.y)
    copyBytes(row.extracting(start..<start + region.width * bytesPerPixel), into: &target)
  }
}
