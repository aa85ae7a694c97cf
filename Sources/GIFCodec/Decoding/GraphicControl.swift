// Delay, transparency and disposal of the image that follows, GIF89a section 23.

internal import ImageCoding

/// A graphic control extension.
struct GraphicControl: Hashable, Sendable {
  var disposal = AnimationFrameInfo.Disposal.keep
  /// The delay in hundredths of a second.
  var delay = 0
  var transparentIndex: UInt8?

  /// The values for an image without a graphic control extension.
  init() {}

  /// Parses the data of the extension; `nil` if it is too short.
  init?(_ data: [UInt8]) {
    guard data.count >= 4 else { return nil }
    // Some writers store the disposal method shifted by one bit, so 4 is read as 3, as in browsers. Methods 5…7 are
    // unknown.
    switch data[0] >> 2 & 7 {
    case 2: disposal = .clear
    case 3, 4: disposal = .restorePrevious
    default: disposal = .keep
    }
    delay = Int(data[1]) | Int(data[2]) << 8
    if data[0] & 1 != 0 { transparentIndex = data[3] }
  }
}
