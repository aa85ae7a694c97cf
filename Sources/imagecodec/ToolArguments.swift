// The arguments of the tool before they are parsed.

internal import Platform

/// Prepares the arguments for the parser.
package enum ToolArguments {
  /// The arguments of the process. Bytes that are not UTF-8 are represented as in ``FileName``.
  static var current: [String] { joiningNegativeNumbers(ProcessArguments.bytes.map { FileName.text(of: $0) }) }

  /// Joins options and negative numbers that follow them, as in `--gap=-1`: the parser takes `-1` for an option otherwise,
  /// and misses the value.
  package static func joiningNegativeNumbers(_ arguments: [String]) -> [String] {
    var joined: [String] = []
    var isTerminated = false
    for argument in arguments {
      if !isTerminated, let option = joined.last, isOption(option), isNegativeNumber(argument) {
        joined[joined.count - 1] = "\(option)=\(argument)"
      } else {
        joined.append(argument)
      }
      if argument == "--" { isTerminated = true }
    }
    return joined
  }

  private static func isOption(_ argument: String) -> Bool {
    argument.hasPrefix("--") && argument.count > 2 && !argument.contains("=")
  }

  private static func isNegativeNumber(_ argument: String) -> Bool {
    argument.hasPrefix("-") && Double(argument) != nil && argument.dropFirst().first?.isNumber == true
  }
}
