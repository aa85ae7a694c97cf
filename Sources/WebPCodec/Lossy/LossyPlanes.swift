// A whole key frame as planes.

internal import ImageCore
package import PixelPlanes

extension WebPDecoder {
  /// Decodes a VP8 key frame, the payload of a `VP8 ` chunk, into planes.
  ///
  /// - Throws: ``CodecError``, also for damage that an image would be shown with.
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
    try decoder.advance(payload, offset: 0, isFinal: true, &budget) { y, row in
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
