// The composition of a frame with an earlier one (ISO/IEC 18181-1, F.4).

internal import ImageCoding

/// `BlendingInfo`, of the colours or of an extra channel.
struct Blending: Hashable, Sendable {
  enum Mode: Int, Hashable, Sendable {
    case replace
    case add
    case blend
    case alphaWeightedAdd
    case multiply

    var usesAlpha: Bool { self == .blend || self == .alphaWeightedAdd }
  }

  private(set) var mode = Mode.replace
  /// The index of the extra channel that is the frame's opacity.
  private(set) var alphaChannel = 0
  /// Whether opacity, or the factor, is clamped to 0…1.
  private(set) var clamps = false
  /// The slot of the frame below.
  private(set) var source = 0

  init() {}

  init(parsing bits: inout BitReader, _ image: ImageHeader, coversCanvas: Bool) throws(CodecError) {
    guard let mode = Mode(rawValue: try bits.readInt(.value(0), .value(1), .value(2), .bits(2, offset: 3))) else {
      throw bits.error(.malformed, "the blend mode is unknown")
    }
    self.mode = mode
    let hasExtraChannels = !image.extraChannels.isEmpty
    if hasExtraChannels, mode.usesAlpha {
      alphaChannel = try bits.readInt(.value(0), .value(1), .value(2), .bits(3, offset: 3))
      guard alphaChannel < image.extraChannels.count else {
        throw bits.error(.malformed, "the opacity of a frame is the missing extra channel \(alphaChannel)")
      }
    }
    if (hasExtraChannels && mode.usesAlpha) || mode == .multiply { clamps = try bits.readFlag() }
    if mode != .replace || !coversCanvas { source = try bits.readInt(2) }
  }
}
