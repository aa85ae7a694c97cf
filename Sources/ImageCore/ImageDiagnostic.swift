// What a lenient decoder noticed and lived with.

/// Something that is wrong with an image that was decoded all the same.
public struct ImageDiagnostic: Hashable, Sendable, CustomStringConvertible {
  /// How much of the result is affected.
  public enum Severity: String, Hashable, Sendable {
    /// Pixels are as the file says; something beside them was skipped.
    case warning
    /// Some pixels are missing (zero) or cannot be trusted.
    case damage
  }

  /// How much of the result is affected.
  public let severity: Severity
  /// The rule that was broken, in the words of the format's specification.
  public let reason: String
  /// The offset from the start of the input, in bytes, where it was noticed.
  public let byteOffset: Int?
  /// The animation frame it concerns, counted from 0.
  public let frame: Int?

  /// Creates a diagnostic.
  public init(_ severity: Severity, _ reason: String, byteOffset: Int? = nil, frame: Int? = nil) {
    self.severity = severity
    self.reason = reason
    self.byteOffset = byteOffset
    self.frame = frame
  }

  /// One line: severity, reason, frame and byte offset.
  public var description: String {
    var text = "\(severity.rawValue): \(reason)"
    if let frame { text += " in frame \(frame)" }
    if let byteOffset { text += " at byte \(byteOffset)" }
    return text
  }
}
