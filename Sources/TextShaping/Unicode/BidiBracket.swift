// Paired brackets of the bidirectional algorithm (UAX #9, section 3.1.3).

/// Paired brackets (Bidi_Paired_Bracket).
enum BidiBracket {
  /// The kind of a bracket, with a value that is equal for both brackets of a pair.
  enum Kind: Equatable {
    case opening(UInt32)
    case closing(UInt32)
  }

  static func kind(of scalar: Unicode.Scalar) -> Kind? {
    let value = scalar.value
    switch value {
    case 0x5d, 0x7d, 0xff3d, 0xff5d: return .closing(value - 2)
    case 0x5b, 0x7b, 0xff3b, 0xff5b, 0x298d, 0x298f: return .opening(value)
    case 0x298e: return .closing(0x298f)
    case 0x2990: return .closing(0x298d)
    // Canonically equivalent to 3008 and 3009.
    case 0x2329: return .opening(0x3008)
    case 0x232a: return .closing(0x3008)
    default:
      if contains(value) { return .opening(value) }
      return value > 0 && contains(value - 1) ? .closing(value - 1) : nil
    }
  }

  private static func contains(_ value: UInt32) -> Bool {
    var low = 0
    var high = openings.count
    while low < high {
      let middle = (low + high) / 2
      if openings[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low < openings.count && openings[low] == value
  }
}
