// Tables of results: a row for each suite.

import ConformanceKit

/// Counts by suite.
struct Report {
  private var columns: [String]
  private var counts: [String: [Int]] = [:]
  private var suites: [String] = []

  /// Creates a report with the given columns of counts.
  init(columns: [String]) {
    self.columns = columns
  }

  /// Counts a case in a column.
  mutating func count(suite: String, column: String) {
    guard let index = columns.firstIndex(of: column) else { return }
    if counts[suite] == nil { suites.append(suite) }
    counts[suite, default: [Int](repeating: 0, count: columns.count)][index] += 1
  }

  /// Returns the sum of a column.
  func total(_ column: String) -> Int {
    guard let index = columns.firstIndex(of: column) else { return 0 }
    return counts.values.reduce(0) { $0 + $1[index] }
  }

  /// The table, with a row of totals.
  var table: String {
    let sums = columns.map { total($0) }
    var rows = [["suite"] + columns]
    rows += suites.sorted().map { suite in
      [suite] + (counts[suite] ?? []).map { $0 == 0 ? "" : String($0) }
    }
    rows.append(["all"] + sums.map { String($0) })
    let widths = (0...columns.count).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { column, text in
        let padding = String(repeating: " ", count: widths[column] - text.count)
        return column == 0 ? text + padding : padding + text
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
