// The outcome of a case.

/// The outcome of a case.
package enum Outcome: Hashable, Sendable {
  /// The outcome is the expected one.
  case passed
  /// The outcome is not the expected one, for this reason.
  case failed(String)
  /// The format or feature is not decoded, for this reason.
  case unsupported(String)
  /// The case was not evaluated, for this reason.
  case skipped(String)

  /// The name of the outcome.
  package var name: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .unsupported: "unsupported"
    case .skipped: "skipped"
    }
  }

  /// The reason; empty for a case that passed.
  package var reason: String {
    switch self {
    case .passed: ""
    case .failed(let reason), .unsupported(let reason), .skipped(let reason): reason
    }
  }
}

/// An outcome with additional information.
package struct CaseResult: Hashable, Sendable {
  /// The outcome of the case.
  package var outcome: Outcome
  /// For a file that may have any outcome: whether it matched its reference, or the decoder's error.
  package var remark: String

  /// Creates a result, by default without a remark.
  package init(_ outcome: Outcome, remark: String = "") {
    self.outcome = outcome
    self.remark = remark
  }

  /// The result as one line of tab-separated fields, for the pipe between the runner and its child.
  package var line: String {
    [outcome.name, outcome.reason, remark].map(Self.flattened).joined(separator: "\t")
  }

  /// Parses ``line``. `nil` if it is malformed.
  package init?(line: String) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
    guard fields.count == 3 else { return nil }
    switch fields[0] {
    case "passed": outcome = .passed
    case "failed": outcome = .failed(fields[1])
    case "unsupported": outcome = .unsupported(fields[1])
    case "skipped": outcome = .skipped(fields[1])
    default: return nil
    }
    remark = fields[2]
  }

  private static func flattened(_ text: String) -> String {
    String(text.map { $0 == "\t" || $0.isNewline ? " " : $0 })
  }
}
