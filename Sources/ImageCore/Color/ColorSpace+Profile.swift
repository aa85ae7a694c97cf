// The ICC profiles that suit pixels.

extension ColorSpace {
  /// Returns the ICC profile if it is for the components of a colour model: that of an image in CMYK is meaningless for
  /// the RGB pixels that were made of it. A profile without a header is returned too.
  package func iccProfile(for model: PixelFormat.ColorModel) -> [UInt8]? {
    guard let iccProfile, iccProfile.count >= 128, FourCharacterCode(iccProfile.span, at: 36) == "acsp" else {
      return iccProfile
    }
    let isSuited =
      switch FourCharacterCode(iccProfile.span, at: 16) {
      case "GRAY": model == .gray
      case "CMYK": model == .cmyk
      default: model == .rgb || model == .bgr
      }
    return isSuited ? iccProfile : nil
  }
}
