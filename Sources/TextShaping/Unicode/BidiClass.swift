// The bidirectional character types of the Unicode Bidirectional Algorithm (UAX #9, section 3.2).

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
  package static func isAlwaysLeftToRight(_ scalar: Unicode.Scalar) -> Bool {
    // Below the Hebrew block there are neither right-to-left letters nor directional formatting characters.
    scalar.value < 0x590
  }
}
