// The levels of compression.

/// The effort of a search for matches.
struct MatchEffort: Sendable {
  /// The number of earlier positions that are compared.
  var depth: Int
  /// The length of a match that is taken without a look at others.
  var niceLength: Int
  /// The number of bytes after the start of a match at which a better one may begin: 0…2.
  var patience: Int
  /// Whether matches of three bytes are looked for.
  var findsShort: Bool

  /// The effort of a level: 1 (fastest) … 9 (smallest).
  init(level: Int, findsShort: Bool) {
    self.findsShort = findsShort
    switch level {
    case ...1: (depth, niceLength, patience) = (2, 16, 0)
    case 2: (depth, niceLength, patience) = (6, 24, 0)
    case 3: (depth, niceLength, patience) = (12, 32, 0)
    case 4: (depth, niceLength, patience) = (12, 32, 1)
    case 5: (depth, niceLength, patience) = (16, 48, 1)
    case 6: (depth, niceLength, patience) = (26, 128, 1)
    case 7: (depth, niceLength, patience) = (100, 130, 1)
    case 8: (depth, niceLength, patience) = (200, 258, 2)
    default: (depth, niceLength, patience) = (400, 258, 2)
    }
  }
}
