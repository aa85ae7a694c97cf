// The open identifier of an image (or video) format. ImageCore knows no formats: each codec names its own, and
// the umbrella module adds the well-known constants.

/// A uniform type identifier that names a format, such as `"public.png"`.
///
/// Any string is a valid type, so that codecs outside this package can name theirs.
public struct AssetType: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The uniform type identifier.
  public let rawValue: String

  /// Wraps a uniform type identifier.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Wraps a uniform type identifier.
  public init(stringLiteral value: String) {
    rawValue = value
  }

  /// The uniform type identifier.
  public var description: String { rawValue }
}
