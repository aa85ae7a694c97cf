// An open identifier for image and video formats. ImageCore knows no formats: each codec names its own, and the
// umbrella module adds the well-known constants.

/// A uniform type identifier of a format, such as `"public.png"`.
///
/// Any string is a valid type, so codecs outside this package can define their own.
public struct AssetType: Hashable, Codable, Sendable, RawRepresentable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The uniform type identifier.
  public let rawValue: String

  /// Creates a type from a uniform type identifier.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Creates a type from a uniform type identifier.
  public init(stringLiteral value: String) {
    rawValue = value
  }

  /// The uniform type identifier.
  public var description: String { rawValue }
}
