// How a child process ended, in words.

/// The end of a child process: its exit code, or the signal that killed it.
package enum ChildEnding: Equatable, Sendable, CustomStringConvertible {
  /// It exited with a code.
  case exited(Int32)
  /// A signal ended it.
  case signalled(Int32)

  /// The end of a sentence that starts with the child: “ended with code 1”.
  package var description: String {
    switch self {
    case .exited(let code): "ended with code \(code)"
    case .signalled(let signal): "was ended by signal \(signal)\(Self.meaning(of: signal))"
    }
  }

  private static func meaning(of signal: Int32) -> String {
    switch signal {
    case 4, 5: " (trap)"
    case 6: " (abort or out of memory)"
    case 8: " (arithmetic)"
    case 9: " (killed)"
    case 11: " (invalid memory access or stack overflow)"
    case 24: " (processor time limit)"
    default: ""
    }
  }
}
