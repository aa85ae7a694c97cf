// The conversion of colours to sRGB, which is what a page takes pixels for.

import ColorManagement
import ImageCoding

enum Colors {
  /// Converts a picture to sRGB, in place. One that specifies no colour space is sRGB already.
  ///
  /// - Returns: a diagnostic if the picture's profile cannot be used for its pixels, which then stay unchanged.
  static func convert(_ picture: inout Bitmap) throws(CodecError) -> ImageDiagnostic? {
    switch picture.colorSpace.definition {
    case .unspecified, .sRGB: return nil
    case .calibrated, .codePoints, .icc: break
    }
    guard unsafe Pictures.convertsColors, !picture.isEmpty else { return nil }
    var budget = ResourceBudget(unsafe Pictures.options.limits)
    let (transform, diagnostic) = try ColorTransform.ignoringBrokenProfile(
      from: picture.colorSpace, format: picture.format, to: .sRGB, budget: &budget)
    try picture.convertColors(by: transform, budget: &budget)
    return diagnostic
  }
}
