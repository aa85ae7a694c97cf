// The colour spaces that Core Graphics knows by name.

/// A colour space with a name in Core Graphics.
package enum DisplayColorSpace: Equatable, Sendable {
  /// BT.709's primaries with sRGB's transfer function, without one, and with those of HDR.
  case sRGB, linearSRGB, bt709PQ, bt709HLG
  /// Display P3, and its primaries with other transfer functions.
  case displayP3, linearDisplayP3, displayP3PQ, displayP3HLG
  /// BT.2020's primaries with its transfer function, without one, and with those of BT.2100.
  case bt2020, linearBT2020, bt2100PQ, bt2100HLG

  /// The colour space that is closest to the code points of a bitmap's, without those of profiles: sRGB if there are none.
  package init(_ space: ColorSpace) {
    guard case .codePoints(let points) = space.definition else {
      self = .sRGB
      return
    }
    // The numbers of primaries and transfer functions are those of ITU-T H.273.
    self =
      switch (points.colorPrimaries, points.transferFunction) {
      case (1, 16): .bt709PQ
      case (1, 18): .bt709HLG
      case (1, 8): .linearSRGB
      case (12, 16): .displayP3PQ
      case (12, 18): .displayP3HLG
      case (12, 8): .linearDisplayP3
      case (12, _): .displayP3
      case (_, 16): .bt2100PQ
      case (_, 18): .bt2100HLG
      case (9, 8): .linearBT2020
      case (9, _): .bt2020
      default: .sRGB
      }
  }
}
