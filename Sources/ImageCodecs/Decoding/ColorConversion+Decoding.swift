// The colour conversion that decoding options request, for all entry points of the module.

internal import ColorManagement
public import ImageCoding

extension DecodingOptions {
  /// The options for the format's decoder: in the image's natural format and its own colours, if colours are converted
  /// afterwards.
  var beforeColorConversion: DecodingOptions {
    guard convertsColors else { return self }
    var options = self
    options.colorConversion = .keep
    options.pixelFormat = nil
    return options
  }

  /// Whether colours are converted.
  var convertsColors: Bool { colorConversion != .keep }

  /// Converts the colours of a decoded image, and then its pixel format, as the options request.
  ///
  /// - Returns: a diagnostic if the image's profile is broken and was ignored.
  /// - Throws: in strict mode, the error of a broken profile; the errors of the target and of the budget.
  func convertColors(
    of bitmap: inout Bitmap, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageDiagnostic? {
    guard case .to(let target, let intent, let compensatesBlackPoint, let toneMapping) = colorConversion else {
      return nil
    }
    let heldByteCount = budget.heldByteCount
    let transform: ColorTransform
    var diagnostic: ImageDiagnostic?
    if tolerance == .strict {
      transform = try ColorTransform.cached(
        from: bitmap.colorSpace, format: bitmap.format, to: target, intent: intent,
        blackPointCompensation: compensatesBlackPoint, toneMapping: toneMapping, budget: &budget)
    } else {
      (transform, diagnostic) = try ColorTransform.ignoringBrokenProfile(
        from: bitmap.colorSpace, format: bitmap.format, to: target, intent: intent,
        blackPointCompensation: compensatesBlackPoint, toneMapping: toneMapping, budget: &budget)
    }
    let tableByteCount = budget.heldByteCount - heldByteCount
    defer { budget.release(tableByteCount) }
    try bitmap.convertColors(by: transform, budget: &budget)
    if let pixelFormat { try bitmap.convert(to: pixelFormat, budget: &budget) }
    return diagnostic
  }
}

extension DecodingOptions {
  /// Converts the colours of a decoded image as the options request. Its metadata then describes no colour space, because
  /// the bitmap does.
  func convertColors(of image: inout DecodedImage, budget: inout ResourceBudget) throws(CodecError) {
    guard convertsColors else { return }
    if let diagnostic = try convertColors(of: &image.bitmap, budget: &budget) {
      image.details.diagnostics.append(diagnostic)
    }
    image.details.metadata.removeColorSpace()
  }
}

extension ImageMetadata {
  /// Removes the description of the colour space in the file, after its colours have been converted.
  mutating func removeColorSpace() {
    iccProfile = nil
    iccProfileName = nil
    gamma = nil
    chromaticities = nil
    sRGBRenderingIntent = nil
    codePoints = nil
    masteringDisplay = nil
    contentLightLevel = nil
  }
}

extension ImageFormatDecoder {
  /// Decodes the image and converts its colours as the options request.
  func decodeConvertingColors(
    _ bytes: Span<UInt8>, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodedImage {
    var bitmap = Bitmap()
    let details = try decode(bytes, into: &bitmap, options: options.beforeColorConversion, budget: &budget)
    var image = DecodedImage(bitmap: bitmap, details: details)
    // Released, so that the pixels can be converted in place.
    bitmap = Bitmap()
    try options.convertColors(of: &image, budget: &budget)
    return image
  }
}

extension ImageFormatRegistry {
  /// Decodes an image of any known format and passes its rows to a sink, from top to bottom, as they become final. Colours
  /// are converted as the options request. An animation yields its still picture.
  ///
  /// - Parameter budget: charged for all resources that the decode uses.
  /// - Throws: ``CodecError/Kind/unrecognizedFormat``, the errors of the format's decoder and those of the sink.
  public func decode(
    _ bytes: Span<UInt8>, to sink: any ImageRowSink, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    let decoder = try decoder(for: bytes)
    guard case .to(let target, let intent, let compensatesBlackPoint, let toneMapping) = options.colorConversion else {
      return try decoder.decode(bytes, to: sink, options: options, budget: &budget)
    }
    let destination = options.pixelFormat.map { PixelConvertingSink(to: $0, destination: sink) as any ImageRowSink }
    let converting = ColorConvertingSink(
      to: target, intent: intent, blackPointCompensation: compensatesBlackPoint, toneMapping: toneMapping,
      destination: destination ?? sink)
    var details = try decoder.decode(bytes, to: converting, options: options.beforeColorConversion, budget: &budget)
    if options.tolerance == .strict, let diagnostic = converting.diagnostics.first {
      throw CodecError(.malformed, diagnostic.reason, format: details.info.type)
    }
    details.diagnostics += converting.diagnostics
    details.metadata.removeColorSpace()
    return details
  }

  /// Decodes an image of any known format within the limits of the options and passes its rows to a sink. See
  /// ``decode(_:to:options:budget:)``.
  public func decode(
    _ bytes: Span<UInt8>, to sink: any ImageRowSink, options: DecodingOptions = DecodingOptions()
  ) throws(CodecError) -> DecodingDetails {
    var budget = ResourceBudget(options)
    return try decode(bytes, to: sink, options: options, budget: &budget)
  }
}

/// Converts rows to a pixel format and passes them on.
private final class PixelConvertingSink: ImageRowSink {
  private let target: PixelFormat
  private let destination: any ImageRowSink
  private var converter: PixelRowConverter?
  private var output: [UInt8] = []

  init(to target: PixelFormat, destination: any ImageRowSink) {
    self.target = target
    self.destination = destination
  }

  func begin(_ image: StreamedImage, budget: inout ResourceBudget) throws(CodecError) {
    var converted = image
    converted.format = target
    converted.colorSpace = image.colorSpace.applying(from: image.format, to: target)
    converter = PixelRowConverter(from: image.format, to: target)
    let (byteCount, overflow) = image.width.multipliedReportingOverflow(by: target.bytesPerPixel)
    guard !overflow else { throw CodecError(.limitExceeded, "a row exceeds the address space") }
    try budget.allocate(byteCount)
    output = [UInt8](repeating: 0, count: byteCount)
    try destination.begin(converted, budget: &budget)
  }

  func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    try budget.chargeWork(count: row.count, unitsEach: 2)
    // Moved out of the property while it is borrowed, so that nothing is copied.
    var bytes = output
    output = []
    defer { output = bytes }
    var span = bytes.mutableSpan
    converter?.convert(row, into: &span)
    try destination.append(bytes.span, budget: &budget)
  }
}
