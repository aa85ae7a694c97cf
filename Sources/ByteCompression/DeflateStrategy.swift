// The parts that the system's compressor of DEFLATE streams and our own have in common.

/// The strategy by which a compressor looks for matches.
package enum DeflateStrategy: Sendable {
  /// For ordinary data.
  case standard
  /// For data filtered by a predictor.
  case filtered
  /// Matches of distance one only.
  case runLength
  /// No matches at all.
  case huffmanOnly
}
