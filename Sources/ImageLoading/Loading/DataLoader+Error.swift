// The errors of loading, whichever loader is used.

extension DataLoader {
  /// An error in loading data.
  public enum Error: Swift.Error, Hashable, Sendable, CustomStringConvertible {
    /// The status code of the response is not in 200…299.
    case statusCodeUnacceptable(Int)
    /// The response ended before its announced length.
    case dataIncomplete(received: Int64, expected: Int64)
    /// The URL starts with `data:` and is malformed.
    case dataURLInvalid
    /// The platform has no URL loading system.
    case unsupported

    /// The error in one line.
    public var description: String {
      switch self {
      case .statusCodeUnacceptable(let code): "the status code of the response is \(code)"
      case .dataIncomplete(let received, let expected): "the response ended after \(received) of \(expected) bytes"
      case .dataURLInvalid: "the data URL is malformed"
      case .unsupported: "the platform has no URL loading system"
      }
    }
  }
}
