// The steps after resizing, on the small bitmap: orientation, sample format, background, sharpening.

internal import ImageCoding

/// Orients, flattens, sharpens and converts a resized thumbnail.
struct ThumbnailFinishing {
  private let request: Thumbnail
  private let options: DecodingOptions
  private let colorConversion: ColorConversion

  init(_ request: Thumbnail, _ options: DecodingOptions, _ colorConversion: ColorConversion) {
    self.request = request
    self.options = options
    self.colorConversion = colorConversion
  }

  /// Whether colours are converted that the request keeps.
  var convertsColors: Bool { request.color == .source && colorConversion != .keep }

  /// Applies the orientation and everything of the request that is done after resizing.
  ///
  /// - Returns: a diagnostic if colours are converted and the profile is broken.
  @discardableResult
  func apply(
    to bitmap: inout Bitmap, _ budget: inout ResourceBudget
  ) throws(CodecError) -> ImageDiagnostic? {
    try bitmap.applyOrientation(options.orientation, budget: &budget)
    if request.color == .sRGB { try convert(&bitmap, to: bitmap.format.narrowed.straight, &budget) }
    if let background = request.background { try flatten(&bitmap, onto: background, &budget) }
    if request.sharpening > 0 {
      try convert(&bitmap, to: bitmap.format.narrowed.straight, &budget)
      try budget.allocate(bitmap.byteCount)
      let byteCount = bitmap.byteCount
      bitmap = try Sharpening(amount: request.sharpening).applied(to: bitmap, budget: &budget)
      budget.release(byteCount)
    }
    try pad(&bitmap, &budget)
    if convertsColors { return try colorConversion.apply(to: &bitmap, options, budget: &budget) }
    if let format = options.pixelFormat { try convert(&bitmap, to: format, &budget) }
    return nil
  }

  /// Places the thumbnail on a background of the requested size.
  private func pad(_ bitmap: inout Bitmap, _ budget: inout ResourceBudget) throws(CodecError) {
    guard case .padded(let gravity) = request.fit else { return }
    let size = PixelSize(width: request.width ?? bitmap.width, height: request.height ?? bitmap.height)
    guard bitmap.orientation == .up else {
      throw CodecError(.unsupported, "padding of a thumbnail whose orientation is reported, not applied")
    }
    guard size != bitmap.pixelSize else { return }
    let color = request.background ?? .clear
    let model: PixelFormat.ColorModel = request.background == nil && bitmap.format.colorModel == .gray ? .gray : .rgb
    let alpha: PixelFormat.Alpha = color.alpha == 255 ? .none : .straight
    try convert(&bitmap, to: PixelFormat(model, alpha: alpha, sampleType: bitmap.format.sampleType), &budget)
    try budget.allocatePixels(width: size.width, height: size.height, bytesPerPixel: bitmap.format.bytesPerPixel)
    var padded = try Bitmap(width: size.width, height: size.height, format: bitmap.format, limits: budget.limits)
    padded.colorSpace = bitmap.colorSpace
    padded.significantBits = bitmap.significantBits
    if color != .clear {
      try budget.requireWork(count: size.width * size.height, unitsEach: Self.workPerFlattenedPixel)
      let pixel = try Bitmap(
        width: 1, height: 1, format: .rgba8, pixels: [color.red, color.green, color.blue, color.alpha]
      ).converted(to: bitmap.format)
      try padded.fill(with: pixel.packedPixels, budget: &budget)
    }
    let (across, down) = gravity.position
    padded.replacePixels(
      atX: (size.width - bitmap.width) * across / 2, y: (size.height - bitmap.height) * down / 2, with: bitmap)
    budget.release(bitmap.byteCount)
    bitmap = padded
  }

  private func convert(
    _ bitmap: inout Bitmap, to format: PixelFormat, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    guard bitmap.format != format else { return }
    try bitmap.convert(to: format, budget: &budget)
    if format.sampleType == .uint8 { bitmap.significantBits = nil }
  }

  private static let workPerFlattenedPixel = 4

  /// Replaces transparency by a colour. The samples of the result have 8 bits.
  private func flatten(
    _ bitmap: inout Bitmap, onto background: RGBA8, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    guard bitmap.format.hasAlpha else { return }
    let isGray =
      bitmap.format.colorModel == .gray && background.red == background.green
      && background.red == background.blue
    let model: PixelFormat.ColorModel = isGray ? .gray : .rgb
    try convert(&bitmap, to: PixelFormat(model, alpha: .straight), &budget)
    let colors = isGray ? [background.red] : [background.red, background.green, background.blue]
    let (samples, channels) = (colors.count + 1, colors.count)
    try budget.requireWork(count: bitmap.width * bitmap.height, unitsEach: Self.workPerFlattenedPixel)
    for y in 0..<bitmap.height {
      try budget.chargeWork(count: bitmap.width, unitsEach: Self.workPerFlattenedPixel)
      var row = bitmap.mutableRow(y)
      var index = 0
      while index < row.count {
        let alpha = UInt32(row[index &+ channels])
        for channel in 0..<channels {
          let sum =
            UInt32(row[index &+ channel]) &* alpha &+ UInt32(colors[channel]) &* (255 &- alpha)
          row[index &+ channel] = UInt8(truncatingIfNeeded: (sum &+ 127) / 255)
        }
        row[index &+ channels] = 255
        index &+= samples
      }
    }
    try convert(&bitmap, to: PixelFormat(model), &budget)
  }
}
