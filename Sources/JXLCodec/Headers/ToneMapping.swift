// The brightness of the display that the image was made for (ISO/IEC 18181-1, A.7).

internal import ImageCoding

/// `ToneMapping`.
struct ToneMapping: Hashable, Sendable {
  /// The brightness of the brightest pixel, in cd/m².
  private(set) var intensityTarget: Float = 255
  /// The brightness of the darkest pixel, in cd/m².
  private(set) var minimumBrightness: Float = 0
  /// Whether ``linearBelow`` is a fraction of the brightness of the display.
  private(set) var isRelativeToDisplay = false
  /// The brightness below which tone mapping should change nothing.
  private(set) var linearBelow: Float = 0

  init() {}

  init(parsing bits: inout BitReader) throws(CodecError) {
    if try bits.readFlag() { return }
    intensityTarget = try bits.readF16()
    minimumBrightness = try bits.readF16()
    isRelativeToDisplay = try bits.readFlag()
    linearBelow = try bits.readF16()
    guard intensityTarget > 0, minimumBrightness >= 0, minimumBrightness <= intensityTarget, linearBelow >= 0 else {
      throw bits.error(.malformed, "the intensity target is \(intensityTarget)")
    }
  }
}
