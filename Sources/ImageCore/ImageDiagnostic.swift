// A defect that a lenient decoder found and tolerated.

/// A defect in an image that was decoded nevertheless.
public struct ImageDiagnostic: Hashable, Codable, Sendable, CustomStringConvertible {
  /// The extent to which the result is affected.
  public enum Severity: String, Hashable, Codable, Sendable {
    /// The pixels are as the file specifies, but something else was skipped.
    case warning
    /// Some pixels are missing (zero) or unreliable, because the file is damaged or, in drawings, because something is
    /// not available, such as a font.
    case damage
  }

  /// The extent to which the result is affected.
  public let severity: Severity
  /// The description of the defect, in the terms of the format's specification.
  public let reason: String
  /// The offset from the start of the input, in bytes, at which the defect was found.
  public let byteOffset: Int?
  /// The index of the affected animation frame, counted from 0.
  public let frame: Int?

  /// Creates a diagnostic; the byte offset and the frame are optional.
  public init(_ severity: Severity, _ reason: String, byteOffset: Int? = nil, frame: Int? = nil) {
    self.severity = severity
    self.reason = reason
    self.byteOffset = byteOffset
    self.frame = frame
  }

  /// Creates a diagnostic of an error that was tolerated.
  package init(_ severity: Severity, _ error: CodecError) {
    self.init(severity, error.reason, byteOffset: error.byteOffset)
  }

  /// One line: severity, reason, frame and byte offset.
  public var description: String {
    var text = "\(severity.rawValue): \(reason)"
    if let frame { text += " in frame \(frame)" }
    if let byteOffset { text += " at byte \(byteOffset)" }
    return text
  }
}
