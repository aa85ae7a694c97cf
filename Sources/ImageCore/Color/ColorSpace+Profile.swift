// The ICC profiles that suit pixels.

extension ColorSpace {
  /// Returns the ICC profile if it is for the components of a colour model: that of an image in CMYK is meaningless for
  /// the RGB pixels that were made of it. A profile without a header is returned too.
  package func iccProfile(for model: PixelFormat.ColorModel) -> [UInt8]? {
    guard let iccProfile, iccProfile.count >= 128, FourCharacterCode(iccProfile.span, at: 36) == "acsp" else {
      return iccProfile
    }
    let isSuited =
      switch FourCharacterCode(deviceSpaceOf: iccProfile.span) {
      case "GRAY": model == .gray
      case "CMYK": model == .cmyk
      default: model == .rgb || model == .bgr
      }
    return isSuited ? iccProfile : nil
  }
}

extension FourCharacterCode {
  /// Reads which device space an ICC profile describes, such as `RGB ` or `CMYK`; `nil` if the profile is too short.
  /// ICC.1:2010, section 7.2.8.
  package init?(deviceSpaceOf profile: Span<UInt8>) {
    self.init(profile, at: 16)
  }
}
