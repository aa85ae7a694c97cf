// The meaning of a frame's components. JFIF (ITU-T T.871) and Adobe (Technical Note 5116) segments define it; without
// them it is inferred from the component identifiers. The order of precedence is libjpeg's.

internal import ImageCoding

extension ImageInfo.StoredColorModel {
  /// Determines the meaning of a frame's components.
  ///
  /// - Parameter adobeTransform: the transform code of the Adobe segment, if there is one.
  init(frame: FrameHeader, hasJFIF: Bool, adobeTransform: UInt8?) {
    let identifiers = frame.components.map { $0.identifier }
    switch identifiers.count {
    case 1:
      self = .gray
    case 3:
      if hasJFIF {
        self = .yCbCr
      } else if let adobeTransform {
        self = adobeTransform == 0 ? .rgb : .yCbCr
      } else {
        // The letters R, G, B.
        self = identifiers == [0x52, 0x47, 0x42] ? .rgb : .yCbCr
      }
    default:
      // Adobe writes inverted samples, and so do all other writers of four-component files.
      self = (adobeTransform ?? 0) == 0 ? .cmyk : .ycck
    }
  }

  /// The pixel format that needs no conversion.
  ///
  /// CMYK is kept as `cmyk8`. A conversion to RGB uses no profile: `(255 − ink)(255 − black)`.
  var naturalFormat: PixelFormat {
    switch self {
    case .gray: .gray8
    case .cmyk, .ycck: .cmyk8
    default: .rgb8
    }
  }
}
