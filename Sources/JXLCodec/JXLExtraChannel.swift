// The channels of an image in addition to its colours: their description, which is public.

/// A channel in addition to the colours (ISO/IEC 18181-1, A.9).
public struct JXLExtraChannel: Hashable, Sendable {
  /// The meaning of a channel.
  public enum Kind: Hashable, Sendable {
    /// Opacity. The colours may be multiplied by it.
    case alpha(isAssociated: Bool)
    /// The distance from the camera.
    case depth
    /// The amount of an ink with a linear colour and a solidity, each from 0 to 1. It is part of the decoded pixels.
    case spotColor(red: Float, green: Float, blue: Float, solidity: Float)
    /// A selection, such as a mask for editing.
    case selectionMask
    /// The fourth ink of CMYK.
    case black
    /// The samples of a filter before the sensor, with its index.
    case colorFilterArray(index: Int)
    /// Infrared radiation.
    case thermal
    /// A reserved or unknown kind, with its number.
    case other(Int)
  }

  /// The meaning of the samples.
  public let kind: Kind
  /// The name of the channel; empty if there is none.
  public let name: String
  /// The number of bits of a sample.
  public let bitDepth: Int
  /// The factor by which the channel is stored smaller than the image: 1, 2, 4 or 8. Decoded channels have the size of
  /// the image.
  public let reductionFactor: Int

  init(_ channel: ExtraChannel) {
    kind =
      switch channel.kind {
      case .alpha(let isAssociated): .alpha(isAssociated: isAssociated)
      case .depth: .depth
      case .spot(let red, let green, let blue, let solidity):
        .spotColor(red: red, green: green, blue: blue, solidity: solidity)
      case .selectionMask: .selectionMask
      case .black: .black
      case .colorFilterArray(let index): .colorFilterArray(index: index)
      case .thermal: .thermal
      case .other(let number): .other(number)
      }
    (name, bitDepth, reductionFactor) = (channel.name, channel.bitDepth.bitCount, 1 << channel.dimensionShift)
  }
}
