// What became of one case.

/// What became of one case.
package enum Outcome: Hashable, Sendable {
  /// As the manifest says.
  case passed
  /// Not as the manifest says, and why.
  case failed(String)
  /// The format, or the feature that the reason names, is not decoded.
  case unsupported(String)
  /// Not looked at, and why.
  case skipped(String)

  /// The word for it.
  package var name: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .unsupported: "unsupported"
    case .skipped: "skipped"
    }
  }

  /// Why; empty for a case that passed.
  package var reason: String {
    switch self {
    case .passed: ""
    case .failed(let reason), .unsupported(let reason), .skipped(let reason): reason
    }
  }
}

/// An outcome with what is worth knowing beside it.
package struct CaseResult: Hashable, Sendable {
  /// What became of the case.
  package var outcome: Outcome
  /// For a file that may do anything: whether it matched its reference, or what its decode said.
  package var remark: String

  /// Creates a result.
  package init(_ outcome: Outcome, remark: String = "") {
    self.outcome = outcome
    self.remark = remark
  }

  /// One line for the pipe between the runner and its child: fields between tabs.
  package var line: String {
    [outcome.name, outcome.reason, remark].map(Self.flattened).joined(separator: "\t")
  }

  /// Reads ``line``.
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
