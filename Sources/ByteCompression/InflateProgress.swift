// The parts that the system's decompressor of DEFLATE streams and our own have in common.

/// The container around DEFLATE data.
package enum InflateContainer: Sendable {
  /// RFC 1950: a two-byte header and an Adler-32.
  case zlib
  /// RFC 1951: no container.
  case raw
  /// RFC 1952: a gzip header, CRC-32 and length.
  case gzip
}

/// The effect of a call to a decompressor.
package struct InflateProgress: Hashable, Sendable {
  /// The state of the stream after a call.
  package enum Status: Hashable, Sendable {
    /// All input is consumed or the output is full.
    case needsMore
    /// The end of the stream was reached and its checksum is correct.
    case finished
    /// The data is invalid; the output holds the bytes decoded before the error.
    case damaged(reason: String)

    /// A stream that is valid up to its checksum, in zlib's words.
    static let checksumMismatch = Status.damaged(reason: "incorrect data check")
    /// A stream that refers to data that is not in it.
    static let needsDictionary = Status.damaged(reason: "the compressed data requires a preset dictionary")
  }

  /// The number of input bytes consumed.
  package var consumedCount: Int
  /// The number of output bytes written.
  package var producedCount: Int
  /// The state of the stream after the call.
  package var status: Status
}
