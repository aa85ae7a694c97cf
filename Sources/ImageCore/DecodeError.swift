// The one error type of every codec: what kind of failure, why in the format's words, which format, where.

/// Why an image could not be read, written or converted.
///
/// All entry points of this package throw this type, through typed throws.
public struct DecodeError: Error, Hashable, Sendable {
  /// The class of a failure, for callers that choose what to do next.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The bytes start like no format that is known here.
    case unrecognizedFormat
    /// The bytes break a rule of their format.
    case malformed
    /// The bytes are valid but use a feature that is not decoded; the reason names it.
    case unsupported
    /// The bytes end before the image does.
    case truncated
    /// A limit of ``DecodingLimits`` forbids to go on; the reason names it.
    case limitExceeded
    /// The caller's arguments contradict each other or the image.
    case invalidArgument
    /// The image cannot be represented in the requested output format.
    case encodingFailed
    /// The cancellation check of ``DecodingOptions`` asked to stop.
    case cancelled
  }

  /// The class of the failure.
  public let kind: Kind
  /// The rule that was broken, in the words of the format's specification.
  public let reason: String
  /// The format whose decoder gave up, where it is known.
  public let format: AssetType?
  /// The offset from the start of the input, in bytes, where the failure was noticed.
  public let byteOffset: Int?
  /// How many bytes from the start of the input would let the reading go on; set for ``Kind/truncated`` where that is
  /// known. Never more than are needed.
  public let neededByteCount: Int?

  /// Creates an error.
  public init(
    _ kind: Kind, _ reason: String, format: AssetType? = nil, byteOffset: Int? = nil, neededByteCount: Int? = nil
  ) {
    self.kind = kind
    self.reason = reason
    self.format = format
    self.byteOffset = byteOffset
    self.neededByteCount = neededByteCount
  }
}

extension DecodeError: CustomStringConvertible {
  /// One line: kind, reason, format and byte offset.
  public var description: String {
    var text = "\(kind.rawValue): \(reason)"
    if let format { text += " [\(format.rawValue)]" }
    if let byteOffset { text += " at byte \(byteOffset)" }
    return text
  }
}
