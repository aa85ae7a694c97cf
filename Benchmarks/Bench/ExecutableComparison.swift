// The comparison of two builds of this program, to find out whether a change of the library made anything slower.

import Foundation

/// Runs an old and a new executable alternately on the same inputs.
///
/// Each round runs old, new and old again, as child processes that measure all operations of one input. The second run
/// of the old executable tells how much the figures vary without any change.
struct ExecutableComparison {
  /// The path of the executable to compare with.
  var old: String
  /// The path of the executable to examine.
  var new: String
  /// The arguments that select operations and settings, for both executables.
  var arguments: [String]
  /// The number of rounds.
  var rounds: Int

  /// The ratios of one operation on one input.
  struct Row {
    var input: String
    var operation: String
    /// The new time divided by the mean of the old times of the same round.
    var ratios: [Double]
    /// The second old time divided by the first, in each round.
    var noise: [Double]

    /// The new time in units of the old.
    var ratio: Double { ratios.median }
    /// The largest deviation from 1 that the old executable shows against itself: that of the median round, plus the
    /// median deviation from it.
    var spread: Double { abs(noise.median - 1) + noise.medianDeviation }

    /// The verdict: `slower` or `faster` only if the difference exceeds the spread of old against old.
    var verdict: String {
      if abs(ratio - 1) <= spread { return "equal" }
      return ratio > 1 ? "slower" : "faster"
    }

    /// The row of a table in Markdown.
    var line: String {
      let cells = [
        input, operation, ResultTable.decimal(ratio, digits: 3),
        ResultTable.decimal(ratios.medianDeviation, digits: 3), ResultTable.decimal(spread, digits: 3), verdict,
      ]
      return "| " + cells.joined(separator: " | ") + " |"
    }
  }

  static let head = [
    "| input | operation | new / old | ± | old / old ± | |", "| ----- | --------- | --------: | -: | ----------: | - |",
  ]

  /// Measures all operations of one input. Operations that one of the executables does not measure are omitted.
  func rows(for input: BenchInput, inFolders folders: [String]) throws -> [Row] {
    var arguments = arguments + ["--markdown", "--filter", input.name, "--format", input.format]
    for folder in folders { arguments += ["--inputs", folder] }
    var rows: [Row] = []
    for _ in 0..<rounds {
      let before = try times(old, arguments, of: input)
      let after = try times(new, arguments, of: input)
      let again = try times(old, arguments, of: input)
      for (operation, time) in after {
        guard let first = before.first(where: { $0.operation == operation })?.milliseconds,
          let second = again.first(where: { $0.operation == operation })?.milliseconds, first > 0, second > 0
        else { continue }
        let index = rows.firstIndex { $0.operation == operation } ?? rows.count
        if index == rows.count { rows.append(Row(input: input.name, operation: operation, ratios: [], noise: [])) }
        rows[index].ratios.append(time / ((first + second) / 2))
        rows[index].noise.append(second / first)
      }
    }
    return rows
  }

  /// Runs an executable and returns the times that its table states.
  private func times(
    _ executable: String, _ arguments: [String], of input: BenchInput
  ) throws -> [(operation: String, milliseconds: Double)] {
    guard let text = try ProgramOutput.text(of: executable, arguments) else {
      throw BenchError(description: "\(executable) \(arguments.joined(separator: " ")) fails")
    }
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count > 2, cells[0] == input.name, let milliseconds = Double(cells[2]) else { return nil }
      return (cells[1], milliseconds)
    }
  }
}

extension [Double] {
  /// The median of the deviations from the median.
  fileprivate var medianDeviation: Double {
    let middle = median
    return map { abs($0 - middle) }.median
  }
}
