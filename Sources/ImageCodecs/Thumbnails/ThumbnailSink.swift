// The stages between a decoder and the small bitmap, each on rows: colour if it is needed before, resizing, cropping.

internal import ColorManagement
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
  private let budget: ResourceBudget
  private var conversion: ColorConvertingSink?
  private var resizing: ResizingSink?
  private var collector: RegionCollector?

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

  var heldByteCount: Int {
    [conversion?.budget, resizing?.budget, collector?.budget].reduce(0) { $0 + ($1?.heldByteCount ?? 0) }
  }

  func begin(_ image: StreamedImage) throws(CodecError) {
    let decoded = PixelSize(width: image.width, height: image.height)
    let size = isReduced(decoded) ? original : decoded
    let upright = orientation.swapsAxes ? size.transposed : size
    let geometry = request.geometry(of: upright, isDrawing: isDrawing).stored(as: orientation)
    let collector = RegionCollector(geometry.region, budget: budget)
    let resizing = ResizingSink(
      toWidth: geometry.scaled.width, height: geometry.scaled.height, filter: request.filter, light: request.light,
      destination: collector, budget: budget)
    self.collector = collector
    self.resizing = resizing
    if request.convertsBeforeResizing(image) {
      let conversion = ColorConvertingSink(to: .sRGB, destination: resizing, budget: budget)
      self.conversion = conversion
      try conversion.begin(image)
    } else {
      try resizing.begin(image)
    }
  }

  func append(_ row: Span<UInt8>) throws(CodecError) {
    if let conversion {
      try conversion.append(row)
    } else {
      try resizing?.append(row)
    }
  }

  /// The defects of the colour space.
  var diagnostics: [ImageDiagnostic] { conversion?.diagnostics ?? [] }

  /// Returns the collected rows.
  func finish() -> Bitmap {
    conversion = nil
    resizing = nil
    defer { collector = nil }
    return collector?.bitmap ?? Bitmap()
  }

  /// Whether the decoder has reduced the image, or kept its size: the aspect ratio is the same up to rounding.
  private func isReduced(_ decoded: PixelSize) -> Bool {
    guard decoded.width <= original.width, decoded.height <= original.height else { return false }
    return abs(decoded.width * original.height - decoded.height * original.width)
      <= max(original.width, original.height)
  }
}

extension Thumbnail {
  /// Whether colours are converted before rows are resized. Usually they are converted afterwards, as there are fewer
  /// pixels then, and an average of encoded samples is about the same in any RGB space. But averages of inks are not the
  /// inks of averages, and linear light is computed by sRGB's transfer function.
  func convertsBeforeResizing(_ image: StreamedImage) -> Bool {
    guard color == .sRGB else { return false }
    return image.format.colorModel == .cmyk || (light == .linear && !image.colorSpace.isAlreadySRGB)
  }
}

extension ColorSpace {
  /// Whether samples are those of sRGB, by convention or because the file says so.
  var isAlreadySRGB: Bool { definition == .unspecified || definition == .sRGB }
}

/// Collects a region of an image in a bitmap.
final class RegionCollector: ImageRowSink {
  private let region: PixelRegion
  private(set) var bitmap = Bitmap()
  private(set) var budget: ResourceBudget
  private var y = 0

  init(_ region: PixelRegion, budget: ResourceBudget) {
    self.region = region
    self.budget = budget
  }

  func begin(_ image: StreamedImage) throws(CodecError) {
    guard region.fits(in: PixelSize(width: image.width, height: image.height)) else {
      throw CodecError(.invalidArgument, "the region is outside the resized image")
    }
    try bitmap.reset(width: region.width, height: region.height, format: image.format, budget: &budget)
    bitmap.zeroPixels(rows: 0..<region.height)
    bitmap.colorSpace = image.colorSpace
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
