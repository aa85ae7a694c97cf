// Alpha that is coded as a picture: that of image items and of tracks.

internal import ImageCoding
internal import PixelPlanes

extension PlanarPicture {
  /// Returns luma as alpha in full range. Its memory remains charged, that of chroma is credited.
  ///
  /// Alpha has the full range, whatever an HEVC stream says. That of AV1 may have limited range in files of early
  /// encoders, and is expanded as in libavif.
  ///
  /// - Parameter code: the coding of the picture.
  consuming func alphaPlane(codedAs code: String, budget: inout ResourceBudget) throws(CodecError) -> SamplePlane {
    let isLimited = coding.range == .limited && code == "av01"
    var plane = luma
    budget.release(rawPlanesByteCount - plane.width * plane.height * (plane.isWide ? 2 : 1))
    _ = consume self
    if isLimited { try plane.expandLimitedRange(budget: &budget) }
    return plane
  }
}
