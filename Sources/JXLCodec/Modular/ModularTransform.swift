// The transforms of Modular images (ISO/IEC 18181-1, H.6).

internal import ImageCoding

/// A transform as it is stored. Before a stream is decoded, transforms change the list of channels; afterwards they are
/// undone in reverse order.
enum ModularTransform: Sendable {
  case colorTransform(ReversibleColorTransform)
  case palette(PaletteTransform)
  case squeeze(SqueezeTransform)

  init(parsing bits: inout BitReader, budget: inout ResourceBudget) throws(CodecError) {
    switch try bits.readInt(2) {
    case 0: self = .colorTransform(try ReversibleColorTransform(parsing: &bits))
    case 1: self = .palette(try PaletteTransform(parsing: &bits))
    case 2: self = .squeeze(try SqueezeTransform(parsing: &bits, budget: &budget))
    default: throw bits.error(.malformed, "a transform of a Modular image is unknown")
    }
  }

  /// Changes the list of channels to those that are coded.
  mutating func prepare(_ image: inout ModularImage, _ budget: inout ResourceBudget) throws(CodecError) {
    switch self {
    case .colorTransform(let transform): try transform.check(image)
    case .palette(let transform): try transform.prepare(&image, &budget)
    case .squeeze(var transform):
      try transform.prepare(&image, &budget)
      self = .squeeze(transform)
    }
  }

  /// Undoes the transform.
  func undo(
    _ image: inout ModularImage, _ weights: WeightedParameters, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    switch self {
    case .colorTransform(let transform): try transform.undo(&image, &budget)
    case .palette(let transform): try transform.undo(&image, weights, &budget)
    case .squeeze(let transform): try transform.undo(&image, &budget)
    }
  }

  /// The samples of the channels on which a sample of the picture can depend.
  enum Reach: Int, Comparable {
    /// Those at the same place.
    case sample
    /// Those before it in rows and columns, and the next two averages: its neighbours on the left and above follow from
    /// their own ones.
    case squeezed
    case all

    static func < (left: Reach, right: Reach) -> Bool { left.rawValue < right.rawValue }
  }

  var reach: Reach {
    switch self {
    case .colorTransform: .sample
    case .palette(let transform): transform.isLocal ? .sample : .all
    case .squeeze: .squeezed
    }
  }

  var isColorTransform: Bool {
    if case .colorTransform = self { true } else { false }
  }

  /// Reads the index of the first channel of a transform.
  static func readFirstChannel(_ bits: inout BitReader) throws(CodecError) -> Int {
    try bits.readInt(.bits(3), .bits(6, offset: 8), .bits(10, offset: 72), .bits(13, offset: 1096))
  }
}
