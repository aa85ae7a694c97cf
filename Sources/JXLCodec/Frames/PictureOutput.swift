// The pixels of a composed picture, in the natural format of the image.

internal import ImageCoding

/// Writes rows of pixels, in order.
struct PictureOutput: Sendable {
  private let samples: SampleOutput
  private let rendered: RenderedOutput

  init(_ image: ImageHeader) {
    samples = SampleOutput(image)
    rendered = RenderedOutput(image, samples.natural)
  }

  /// Creates an output of an extra channel as grey samples.
  init(_ image: ImageHeader, extraChannel index: Int) {
    samples = SampleOutput(image, extraChannel: index)
    rendered = RenderedOutput(image, samples.natural, extraChannel: index)
  }

  var natural: PixelFormat { samples.natural }
  private var unitsPerPixel: Int { 2 * natural.samplesPerPixel }

  /// Decodes a row, if the picture is decoded as it is written, and charges the work of writing it.
  func prepare(
    _ picture: inout FrameSequence.Picture, row y: Int, width: Int, _ codestream: Span<UInt8>, parallelism: Int,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    guard case .bands(var bands) = picture else {
      return try budget.chargeWork(count: width, unitsEach: unitsPerPixel)
    }
    // The pixels of bands are only copied.
    try budget.chargeWork(width)
    guard y >= bands.rows.upperBound else { return }
    // Moved out while in use, so that nothing is copied.
    picture = .none
    while y >= bands.rows.upperBound {
      try bands.advance(codestream, parallelism: parallelism, budget: &budget)
    }
    picture = .bands(bands)
  }

  /// Writes columns of a row that has been prepared.
  func write(
    _ picture: FrameSequence.Picture, row y: Int, columns: Range<Int>, into pixels: inout MutableSpan<UInt8>
  ) {
    switch picture {
    case .none: break
    case .samples(let frame): samples.write(frame, row: y, columns: columns, into: &pixels)
    case .rendered(let frame): rendered.write(frame, row: y, columns: columns, into: &pixels)
    case .bands(let bands): bands.write(row: y, columns: columns, into: &pixels)
    }
    if natural.colorModel == .cmyk { invertInks(of: &pixels, natural) }
  }
}

/// Inverts the inks of a row: a sample of 0 is full ink in the file, and none in a bitmap. Samples that are multiplied by
/// opacity are full if they equal it.
private func invertInks(of pixels: inout MutableSpan<UInt8>, _ format: PixelFormat) {
  let byteCount = format.sampleType.byteCount
  let isAssociated = format.alpha == .premultiplied
  for start in stride(from: 0, to: pixels.count, by: format.bytesPerPixel) {
    let alpha = start + 4 * byteCount
    for offset in stride(from: start, to: alpha, by: byteCount) {
      switch format.sampleType {
      case .uint8:
        let full = isAssociated ? pixels[alpha] : .max
        pixels[offset] = full - min(full, pixels[offset])
      case .uint16:
        let full = isAssociated ? nativeUInt16(pixels.span, at: alpha) : .max
        storeNativeUInt16(full - min(full, nativeUInt16(pixels.span, at: offset)), into: &pixels, at: offset)
      case .float16:
        let full = isAssociated ? Float(halfPrecisionBits: nativeUInt16(pixels.span, at: alpha)) : 1
        let sample = Float(halfPrecisionBits: nativeUInt16(pixels.span, at: offset))
        storeNativeUInt16((full - sample).halfPrecisionBits, into: &pixels, at: offset)
      case .float32:
        let full = isAssociated ? Float(bitPattern: nativeUInt32(pixels.span, at: alpha)) : 1
        let sample = Float(bitPattern: nativeUInt32(pixels.span, at: offset))
        storeNativeUInt32((full - sample).bitPattern, into: &pixels, at: offset)
      }
    }
  }
}
