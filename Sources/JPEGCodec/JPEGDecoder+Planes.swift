// The planes of a JPEG before any conversion.

public import ImageCoding
public import PixelPlanes

extension JPEGDecoder: PlanarImageDecoder {
  /// Decodes the planes of a gray, YCbCr or RGB image at their own resolutions.
  ///
  /// - Throws: `CodecError.Kind.unsupported` for inks and for samplings that `ChromaFormat` does not have, and the
  ///   errors of `decode(_:into:options:budget:)`. Damage is an error even in lenient mode.
  public func planes(
    _ bytes: Span<UInt8>, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> PlanarPicture {
    try options.checkImageIndex(format: Self.type)
    try options.checkKeyFrame(format: Self.type)
    return try DecodingContext.spending(&budget, options, format: Self.type) { (context) throws(CodecError) in
      try planes(bytes, &context)
    }
  }

  private func planes(
    _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> PlanarPicture {
    let core = try JPEGCore(readingCoefficientsOf: bytes, &context)
    guard let frame = core.frame, let buffered = core.buffered, let info = core.info else {
      throw core.error(.truncated, "the input ends before the first scan")
    }
    let layout = try PlaneLayout(frame, model: info.colorModel)
    var picture = try PlanarPicture(
      width: frame.width, height: frame.height, bitDepth: 8, chromaFormat: layout.chromaFormat, coding: layout.coding,
      budget: &context.budget)
    try context.budget.allocate(SampleBands.byteCount(for: frame))
    let renderer = BufferedRenderer(buffered, frame: frame, smoothsBlocks: false)
    var bands = SampleBands(frame: frame, pool: context.budget.bufferPool)
    for band in 0..<frame.mcuRowCount {
      try context.budget.chargeWork(count: frame.mcusPerRow * frame.components.count, unitsEach: 800)
      renderer.render(band: band, of: buffered.planes, into: &bands)
      for (index, component) in layout.components.enumerated() {
        picture.withMutablePlane(component) { copyRows(ofBand: band, component: index, of: bands, into: &$0) }
      }
    }
    picture.colorSpace = info.colorSpace
    return picture
  }

  /// Copies the rows of a band to the plane of a component.
  private func copyRows(
    ofBand band: Int, component index: Int, of bands: borrowing SampleBands, into plane: inout SamplePlane
  ) {
    let source = bands.planes[index]
    let first = band * source.bandRowCount
    for y in first..<max(first, min(first + source.bandRowCount, plane.height)) {
      let start = source.start + ((band & 1) * source.bandRowCount + y - first) * source.stride
      let samples = bands.samples.span.extracting(start..<start + plane.width)
      var row = plane.mutableNarrowRow(y)
      for x in samples.indices { row[x] = samples[x] }
    }
  }
}

/// The planes that the components of a frame become.
private struct PlaneLayout {
  let chromaFormat: ChromaFormat
  let coding: PlanarPicture.Coding
  /// The plane of each component, in the order of the frame.
  let components: [PlanarPicture.Component]

  init(_ frame: FrameHeader, model: ImageInfo.StoredColorModel?) throws(CodecError) {
    let factors = frame.components.map { [$0.horizontalFactor, $0.verticalFactor] }
    switch model {
    case .gray:
      (chromaFormat, coding, components) = (.monochrome, .jfif, [.luma])
      return
    case .yCbCr: (coding, components) = (.jfif, [.luma, .cb, .cr])
    case .rgb:
      // The identity matrix has green in place of luma.
      coding = PlanarPicture.Coding(matrix: .identity, range: .full, siting: .center)
      components = [.cr, .luma, .cb]
    default: throw CodecError(.unsupported, "images of inks have no planes to decode", format: JPEGDecoder.type)
    }
    let (luma, chroma) = (factors[0], factors[1])
    guard factors[1] == factors[2] else {
      throw CodecError(.unsupported, "planes of this sampling are not supported", format: JPEGDecoder.type)
    }
    switch luma {
    case chroma: chromaFormat = .yuv444
    case [2 * chroma[0], chroma[1]]: chromaFormat = .yuv422
    case [2 * chroma[0], 2 * chroma[1]]: chromaFormat = .yuv420
    case [chroma[0], 2 * chroma[1]]: chromaFormat = .yuv440
    case [4 * chroma[0], chroma[1]]: chromaFormat = .yuv411
    default:
      throw CodecError(.unsupported, "planes of this sampling are not supported", format: JPEGDecoder.type)
    }
  }
}
