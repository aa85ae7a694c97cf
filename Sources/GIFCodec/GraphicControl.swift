// Delay, transparency and disposal of the image that follows, GIF89a section 23.

internal import ImageCore

/// A graphic control extension.
struct GraphicControl: Hashable, Sendable {
  var disposal = AnimationFrameInfo.Disposal.keep
  /// In hundredths of a second.
  var delay = 0
  var transparentIndex: UInt8?

  /// What holds for an image without a graphic control extension.
  init() {}

  /// Reads the data of the extension; `nil` when it is too short.
  init?(_ data: [UInt8]) {
    guard data.count >= 4 else { return nil }
    // Some writers count disposal from one bit further up, so 4 stands for 3, as in browsers. Codes 5…7 are unknown.
    switch data[0] >> 2 & 7 {
    case 2: disposal = .clear
    case 3, 4: disposal = .restorePrevious
    default: disposal = .keep
    }
    delay = Int(data[1]) | Int(data[2]) << 8
    if data[0] & 1 != 0 { transparentIndex = data[3] }
  }
}
