// The bidirectional character types of the Unicode Bidirectional Algorithm (UAX #9, section 3.2), and paired brackets.

/// The Bidi_Class property.
package enum BidiClass: UInt8, CaseIterable, Sendable {
  case leftToRight
  case rightToLeft
  case arabicLetter
  case europeanNumber
  case europeanSeparator
  case europeanTerminator
  case arabicNumber
  case commonSeparator
  case nonspacingMark
  case boundaryNeutral
  case paragraphSeparator
  case segmentSeparator
  case whiteSpace
  case otherNeutral
  case leftToRightEmbedding
  case leftToRightOverride
  case rightToLeftEmbedding
  case rightToLeftOverride
  case popDirectionalFormat
  case leftToRightIsolate
  case rightToLeftIsolate
  case firstStrongIsolate
  case popDirectionalIsolate

  /// Returns the class of a character.
  package init(_ scalar: Unicode.Scalar) {
    self = BidiClass(rawValue: UnicodeRuns.value(of: scalar, in: Self.runStarts)) ?? .leftToRight
  }

  var isIsolateInitiator: Bool {
    self == .leftToRightIsolate || self == .rightToLeftIsolate || self == .firstStrongIsolate
  }

  /// Whether rule X9 removes the character.
  var isRemoved: Bool {
    switch self {
    case .boundaryNeutral, .leftToRightEmbedding, .leftToRightOverride, .rightToLeftEmbedding, .rightToLeftOverride,
      .popDirectionalFormat:
      true
    default: false
    }
  }

  /// NI: the classes to which rules N1 and N2 assign a direction.
  var isNeutralOrIsolate: Bool {
    switch self {
    case .paragraphSeparator, .segmentSeparator, .whiteSpace, .otherNeutral, .popDirectionalIsolate: true
    default: isIsolateInitiator
    }
  }

  /// Returns whether a text that consists only of such characters, at an even base level, is entirely left-to-right.
  static func isAlwaysLeftToRight(_ scalar: Unicode.Scalar) -> Bool {
    // Below the Hebrew block there are neither right-to-left letters nor directional formatting characters.
    scalar.value < 0x590
  }
}

/// Paired brackets (BidiBrackets.txt).
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

  /// The opening brackets whose counterpart is the next code point.
  private static let openings: [UInt32] = [
    0x28, 0xf3a, 0xf3c, 0x169b, 0x2045, 0x207d, 0x208d, 0x2308, 0x230a, 0x2768, 0x276a, 0x276c,
    0x276e, 0x2770, 0x2772, 0x2774, 0x27c5, 0x27e6, 0x27e8, 0x27ea, 0x27ec, 0x27ee, 0x2983, 0x2985, 0x2987, 0x2989,
    0x298b, 0x2991, 0x2993, 0x2995, 0x2997, 0x29d8, 0x29da, 0x29fc, 0x2e22, 0x2e24, 0x2e26, 0x2e28,
    0x2e55, 0x2e57, 0x2e59, 0x2e5b, 0x3008, 0x300a, 0x300c, 0x300e, 0x3010, 0x3014, 0x3016, 0x3018, 0x301a, 0xfe59,
    0xfe5b, 0xfe5d, 0xff08, 0xff5f, 0xff62,
  ]
}
