// The error message for arguments that the tool does not understand: one line with the name of the command.

internal import ArgumentParser

/// The line for arguments that cannot be parsed.
package enum UsageMessage {
  /// Returns the line: the command and its subcommands, and what is wrong.
  static func line(_ message: String, arguments: [String]) -> String {
    var names = [ImageCodecTool._commandName]
    var subcommands = ImageCodecTool.configuration.subcommands
    for argument in arguments {
      guard let subcommand = subcommands.first(where: { $0._commandName == argument }) else {
        // The parser would call all that follows unexpected.
        guard subcommands.isEmpty || argument.hasPrefix("-") || argument == "help" else {
          return "\(names.joined(separator: " ")): there is no command '\(argument)'"
        }
        break
      }
      names.append(argument)
      subcommands = subcommand.configuration.subcommands
    }
    return "\(names.joined(separator: " ")): \(oneLine(withoutFarSuggestion(message)))"
  }

  /// Joins the lines of a message. List items start with hyphens.
  private static func oneLine(_ message: String) -> String {
    let lines = message.split(whereSeparator: \.isNewline)
    let items = lines.filter { $0.hasPrefix("  - ") }.map { String($0.dropFirst(4)) }
    let others = lines.filter { !$0.hasPrefix("  - ") }.map { String($0) }
    return (others + (items.isEmpty ? [] : [items.joined(separator: ", ")])).joined(separator: " ")
  }

  /// Removes the option that the parser suggests in place of an unknown one unless at most a third of the letters
  /// differ: the parser suggests `--fonts` for `--bogus`.
  package static func withoutFarSuggestion(_ message: String) -> String {
    let quoted = message.split(separator: "'", omittingEmptySubsequences: false)
    guard quoted.count == 5, quoted[0] == "Unknown option ", quoted[2] == ". Did you mean ", quoted[4] == "?" else {
      return message
    }
    let name = quoted[1].drop { $0 == "-" }
    let distance = distance(Array(name), Array(quoted[3].drop { $0 == "-" }))
    return distance * 3 <= name.count + 1 ? message : "Unknown option '\(quoted[1])'"
  }

  /// The number of letters to insert, delete, replace or swap with their neighbours.
  private static func distance(_ first: [Character], _ second: [Character]) -> Int {
    var rows = [Array(0...second.count)]
    for (i, letter) in first.enumerated() {
      var row = [i + 1]
      for (j, other) in second.enumerated() {
        var least = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (letter == other ? 0 : 1))
        if i > 0, j > 0, letter == second[j - 1], first[i - 1] == other { least = min(least, rows[i - 1][j - 1] + 1) }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[first.count][second.count]
  }
}
