// The planes of a lossy picture.

public import ImageCoding
public import PixelPlanes

extension WebPDecoder: PlanarImageDecoder {
  /// Decodes the planes of a lossy still picture and its alpha plane.
  ///
  /// - Throws: `CodecError.Kind.unsupported` for lossless pictures and animations, which have no planes; any
  ///   `CodecError` for damage, even in lenient mode.
  public func planes(
    _ bytes: Span<UInt8>, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> PlanarPicture {
    try options.checkImageIndex(format: Self.type)
    try options.checkKeyFrame(format: Self.type)
    let container = try WebPContainer(parsing: bytes, budget: &budget)
    let chunks = FrameChunks(bytes, in: 12..<bytes.count)
    guard container.coding != .animated, !chunks.isLossless, let pixels = chunks.pixels else {
      throw CodecError(
        .unsupported, "a picture coded as \(container.coding.rawValue) has no planes to decode", format: Self.type)
    }
    var picture = try planes(ofKeyFrame: bytes.extracting(pixels), budget: &budget)
    if let alpha = chunks.alpha {
      let (width, height) = (picture.width, picture.height)
      try picture.setAlpha(
        try alphaPlane(bytes.extracting(alpha), width: width, height: height, budget: &budget))
    }
    picture.colorSpace = container.info.colorSpace
    return picture
  }

  /// Decodes the payload of an `ALPH` chunk.
  private func alphaPlane(
    _ payload: Span<UInt8>, width: Int, height: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> SamplePlane {
    try budget.allocatePixels(width: width, height: height, bytesPerPixel: 1)
    var decoder = try AlphaDecoder(header: payload[0], width: width, height: height, offset: 1, &budget)
    var samples: [UInt8] = []
    samples.reserveCapacity(width * height)
    try decoder.advance(payload, offset: 0, isFinal: true, &budget) { _, row in
      for x in row.indices { samples.append(row[x]) }
    }
    if let damage = decoder.damage { throw CodecError(.malformed, damage.reason, format: Self.type) }
    return try SamplePlane(width: width, height: height, samples: samples)
  }

  /// Decodes a VP8 key frame, the payload of a `VP8 ` chunk, into planes.
  ///
  /// - Throws: `CodecError`, even for damage that image decoding tolerates.
  package func planes(
    ofKeyFrame payload: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> PlanarPicture {
    var reader = ByteReader(payload, format: Self.type)
    let tag = try FrameTag(parsing: &reader)
    let (width, height) = (tag.width, tag.height)
    let chromaWidth = (width + 1) / 2
    let chromaByteCount = chromaWidth * ((height + 1) / 2)
    try budget.allocatePixels(width: width, height: height, bytesPerPixel: 2)
    budget.allowWork(forPixelCount: width * height)
    var luma: [UInt8] = []
    var (u, v) = ([UInt8](), [UInt8]())
    luma.reserveCapacity(width * height)
    u.reserveCapacity(chromaByteCount)
    v.reserveCapacity(chromaByteCount)
    var decoder = try LossyDecoder(width: width, height: height, payload: 0..<payload.count, &budget)
    try decoder.advance(payload, offset: 0, isFinal: true, &budget) { y, row, _ in
      for x in 0..<width { luma.append(row.luma[x]) }
      guard y % 2 == 0 else { return }
      for x in 0..<chromaWidth {
        u.append(row.u[x])
        v.append(row.v[x])
      }
    }
    if let damage = decoder.damage { throw CodecError(.malformed, damage.reason, format: Self.type) }
    return try PlanarPicture(
      chromaFormat: .yuv420, coding: .webP, luma: SamplePlane(width: width, height: height, samples: luma),
      cb: SamplePlane(width: chromaWidth, height: (height + 1) / 2, samples: u),
      cr: SamplePlane(width: chromaWidth, height: (height + 1) / 2, samples: v))
  }
}
