// The channels in addition to the colours (ISO/IEC 18181-1, A.9).

internal import ImageCoding

/// `ExtraChannelInfo`.
struct ExtraChannel: Hashable, Sendable {
  /// The meaning of a channel.
  enum Kind: Hashable, Sendable {
    /// Opacity. The colours may be multiplied by it.
    case alpha(isAssociated: Bool)
    case depth
    /// An ink with its linear colour and its solidity.
    case spot(red: Float, green: Float, blue: Float, solidity: Float)
    case selectionMask
    /// The fourth ink of CMYK.
    case black
    case colorFilterArray(channel: Int)
    case thermal
    /// Reserved and unknown kinds, by their number.
    case other(Int)
  }

  var kind = Kind.alpha(isAssociated: false)
  var bitDepth = BitDepth()
  /// The binary logarithm of the factor by which the channel is smaller than the image.
  var dimensionShift = 0
  var name = ""

  init(parsing bits: inout BitReader) throws(CodecError) {
    if try bits.readFlag() { return }
    let type = try bits.readEnum()
    guard type <= 16 else { throw bits.error(.malformed, "extra channels of type \(type) do not exist") }
    bitDepth = try BitDepth(parsing: &bits)
    dimensionShift = try bits.readInt(.value(0), .value(3), .value(4), .bits(3, offset: 1))
    guard dimensionShift <= 3 else {
      throw bits.error(.malformed, "an extra channel is reduced by 2^\(dimensionShift)")
    }
    name = try bits.readName()
    switch type {
    case 0: kind = .alpha(isAssociated: try bits.readFlag())
    case 1: kind = .depth
    case 2:
      kind = .spot(
        red: try bits.readF16(), green: try bits.readF16(), blue: try bits.readF16(), solidity: try bits.readF16())
    case 3: kind = .selectionMask
    case 4: kind = .black
    case 5:
      kind = .colorFilterArray(
        channel: try bits.readInt(.value(1), .bits(2), .bits(4, offset: 3), .bits(8, offset: 19)))
    case 6: kind = .thermal
    default: kind = .other(type)
    }
  }

  /// Whether the channel is opacity.
  var isAlpha: Bool {
    if case .alpha = kind { true } else { false }
  }

  /// Whether the channel is the amount of an ink.
  var isSpot: Bool {
    if case .spot = kind { true } else { false }
  }
}
