// The conversion of colours, which follows the decode of a format.

internal import ColorManagement
internal import ImageCoding

extension DecodingOptions {
  /// The options for the decoder of a format: in the image's natural format, if its colours are converted afterwards.
  func keepingFormat(if convertsColors: Bool) -> DecodingOptions {
    guard convertsColors else { return self }
    var options = self
    options.pixelFormat = nil
    return options
  }
}

extension ColorConversion {
  /// Converts the colours of a decoded image, and then its pixel format to that of the options.
  ///
  /// - Returns: a diagnostic if the image's profile is broken and was ignored.
  /// - Throws: in strict mode, the error of a broken profile; the errors of the target and of the budget.
  package func apply(
    to bitmap: inout Bitmap, _ options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageDiagnostic? {
    guard case .to(let target, let intent, let compensatesBlackPoint, let toneMapping) = self else { return nil }
    let heldByteCount = budget.heldByteCount
    let transform: ColorTransform
    var diagnostic: ImageDiagnostic?
    if options.tolerance == .strict {
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
    if let format = options.pixelFormat { try bitmap.convert(to: format, budget: &budget) }
    return diagnostic
  }

  /// Converts the colours of a decoded image. Its metadata then describes no colour space, because the bitmap does.
  func apply(
    to image: inout DecodedImage, _ options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) {
    guard self != .keep else { return }
    if let diagnostic = try apply(to: &image.bitmap, options, budget: &budget) {
      image.details.diagnostics.append(diagnostic)
    }
    image.details.metadata.removeColorSpace()
  }
}

extension ImageMetadata {
  /// Removes the description of the colour space in the file, after its colours have been converted.
  mutating func removeColorSpace() {
    colorSpace = .unspecified
    iccProfileName = nil
    sRGBRenderingIntent = nil
  }
}

extension ImageFormatDecoder {
  /// Decodes the image and converts its colours.
  func decode(
    _ bytes: Span<UInt8>, _ options: DecodingOptions, convertingColors conversion: ColorConversion,
    budget: inout ResourceBudget
  ) throws(CodecError) -> DecodedImage {
    var bitmap = Bitmap()
    let decoding = options.keepingFormat(if: conversion != .keep)
    let details = try decode(bytes, into: &bitmap, options: decoding, budget: &budget)
    var image = DecodedImage(bitmap: bitmap, details: details)
    // Released, so that the pixels can be converted in place.
    bitmap = Bitmap()
    try conversion.apply(to: &image, options, budget: &budget)
    return image
  }

  /// Decodes the image, converts its colours and passes its rows to a sink.
  func decode(
    _ bytes: Span<UInt8>, to sink: any ImageRowSink, _ options: DecodingOptions,
    convertingColors conversion: ColorConversion, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    guard case .to(let target, let intent, let compensatesBlackPoint, let toneMapping) = conversion else {
      return try decode(bytes, to: sink, options: options, budget: &budget)
    }
    let destination = options.pixelFormat.map { PixelConvertingSink(to: $0, destination: sink) as any ImageRowSink }
    let converting = ColorConvertingSink(
      to: target, intent: intent, blackPointCompensation: compensatesBlackPoint, toneMapping: toneMapping,
      destination: destination ?? sink)
    let decoding = options.keepingFormat(if: true)
    var details = try decode(bytes, to: converting, options: decoding, budget: &budget)
    if options.tolerance == .strict, let diagnostic = converting.diagnostics.first {
      throw CodecError(.malformed, diagnostic.reason, format: details.info.type)
    }
    details.diagnostics += converting.diagnostics
    details.metadata.removeColorSpace()
    return details
  }
}
