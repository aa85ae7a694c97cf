// The table that is printed: for a terminal or in Markdown.

/// Rows of text under headings.
struct ResultTable {
  private var rows: [[String]]
  private let isMarkdown: Bool
  private let hasPeers: Bool

  /// A table of results.
  init(_ results: [JobResult], isMarkdown: Bool) {
    self.isMarkdown = isMarkdown
    hasPeers = results.contains { $0.peer != nil }
    rows = [["input", "operation", "ms", "±%", "Mpx/s"]]
    if hasPeers { rows[0] += ["peer", "ms", "±%", "Mpx/s", "ratio"] }
    let hasSizes = results.contains { $0.encodedByteCount != nil }
    if hasSizes { rows[0] += hasPeers ? ["bytes", "peer's bytes"] : ["bytes"] }
    for result in results {
      var row = [result.input, result.operation.rawValue] + Self.cells(result.ours, result.pixelCount)
      if hasPeers {
        if let peer = result.peer, let ratio = result.ratio {
          row += [peer.name] + Self.cells(peer.times, result.pixelCount) + [Self.decimal(ratio, digits: 2)]
        } else {
          row += ["", "", "", "", ""]
        }
      }
      if hasSizes {
        row.append(result.encodedByteCount.map { String($0) } ?? "")
        if hasPeers { row.append(result.peer?.encodedByteCount.map { String($0) } ?? "") }
      }
      rows.append(row)
    }
  }

  private static func cells(_ times: Times, _ pixelCount: Int) -> [String] {
    [
      decimal(times.median * 1000, digits: 3), decimal(times.spread, digits: 1),
      decimal(Double(pixelCount) / max(times.median, 1e-12) / 1e6, digits: 1),
    ]
  }

  /// A number with so many digits behind the point.
  static func decimal(_ value: Double, digits: Int) -> String {
    let scale = (0..<digits).reduce(1) { power, _ in power * 10 }
    let scaled = Int((value * Double(scale)).rounded())
    let fraction = String(scaled % scale)
    return "\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  /// The lines of the table.
  var lines: [String] {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let textColumns: Set<Int> = [0, 1, 5]
    var lines = rows.map { row in
      let cells = row.enumerated().map { column, text in
        let padding = String(repeating: " ", count: widths[column] - text.count)
        return textColumns.contains(column) && (column < 2 || hasPeers) ? text + padding : padding + text
      }
      return isMarkdown ? "| " + cells.joined(separator: " | ") + " |" : cells.joined(separator: "  ")
    }
    if isMarkdown {
      let rules = widths.indices.map { column in
        let dashes = String(repeating: "-", count: max(2, widths[column] - 1))
        return textColumns.contains(column) ? dashes + "-" : dashes + ":"
      }
      lines.insert("| " + rules.joined(separator: " | ") + " |", at: 1)
    }
    return lines
  }

  /// For each operation, the median of the ratios over all inputs.
  static func medians(of results: [JobResult]) -> [String] {
    Operation.allCases.compactMap { operation in
      let ratios = results.filter { $0.operation == operation }.compactMap(\.ratio)
      guard !ratios.isEmpty else { return nil }
      let median = decimal(ratios.median, digits: 2)
      return "\(operation.rawValue): \(median) of the peer's time on the median of \(ratios.count) inputs"
    }
  }
}
