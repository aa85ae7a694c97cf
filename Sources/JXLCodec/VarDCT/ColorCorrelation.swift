// The correlation of X and B with Y (ISO/IEC 18181-1, I.2.3).

internal import ImageCoding

/// `LfChannelCorrelation`.
struct ColorCorrelation: Sendable {
  private var colorFactor: Float = 84
  private(set) var baseX: Float = 0
  private(set) var baseB: Float = 1
  /// The factors of the LF coefficients.
  private(set) var lowFrequencyX: Float = 0
  private(set) var lowFrequencyB: Float = 1

  init() {}

  init(parsing bits: inout BitReader) throws(CodecError) {
    if try bits.readFlag() { return }
    colorFactor = Float(try bits.readInt(.value(84), .value(256), .bits(8, offset: 2), .bits(16, offset: 258)))
    baseX = try bits.readF16()
    baseB = try bits.readF16()
    guard max(abs(baseX), abs(baseB)) <= 4 else {
      throw bits.error(.malformed, "the correlation of colours is too large")
    }
    lowFrequencyX = factorX(Int32(try bits.readInt(8)) - 128)
    lowFrequencyB = factorB(Int32(try bits.readInt(8)) - 128)
  }

  /// Whether the correlation is that of a JPEG file: there is none but that of the tiles, by the default factor.
  var isIntegral: Bool {
    colorFactor == 84 && baseX == 0 && baseB == 0 && lowFrequencyX == 0 && lowFrequencyB == 0
  }

  /// The factors of a tile, for its stored values.
  @inline(__always)
  func factorX(_ value: Int32) -> Float { baseX + Float(value) / colorFactor }
  @inline(__always)
  func factorB(_ value: Int32) -> Float { baseB + Float(value) / colorFactor }
}
