// The table of results, for a terminal or in Markdown. Each line is printed as soon as it is measured, so that a later
// failure does not lose it.

import Foundation

/// Lines of text with columns of fixed width.
struct ResultTable {
  private let isMarkdown: Bool
  private let hasPeers: Bool
  private let hasSizes: Bool
  private let columns: [Column]

  private struct Column {
    var heading: String
    var width: Int
    var isText = false
  }

  /// Creates a table for the given inputs.
  ///
  /// - Parameters:
  ///   - hasPeers: whether there are columns for a peer.
  ///   - hasSizes: whether there are columns for the sizes of encoded files.
  init(inputs: [String], hasPeers: Bool, hasSizes: Bool, isMarkdown: Bool) {
    self.isMarkdown = isMarkdown
    self.hasPeers = hasPeers
    self.hasSizes = hasSizes
    let operationWidth = Operation.allCases.map(\.rawValue.count).max() ?? 0
    let times = [("ms", 10), ("±%", 5), ("Mpx/s", 7), ("s/Mpx", 7)].map { Column(heading: $0.0, width: $0.1) }
    var columns = [
      Column(heading: "input", width: max(5, inputs.map(\.count).max() ?? 0), isText: true),
      Column(heading: "operation", width: operationWidth, isText: true),
    ]
    columns += times
    if hasPeers {
      columns.append(Column(heading: "peer", width: 20, isText: true))
      columns += times.dropLast() + [Column(heading: "ratio", width: 6)]
    }
    if hasSizes { columns.append(Column(heading: "bytes", width: 9)) }
    if hasSizes, hasPeers { columns.append(Column(heading: "peer's bytes", width: 12)) }
    self.columns = columns
  }

  /// The lines before the results.
  var head: [String] {
    let rules = columns.map { $0.isText ? String(repeating: "-", count: $0.width) : Self.rule($0.width) }
    let headings = line(columns.map(\.heading))
    return isMarkdown ? [headings, line(rules)] : [headings]
  }

  private static func rule(_ width: Int) -> String { String(repeating: "-", count: width - 1) + ":" }

  /// Returns the line of a result.
  func line(_ result: JobResult) -> String {
    let perMegapixel = result.ours.median / max(Double(result.pixelCount) / 1e6, 1e-12)
    var cells = [result.input, result.operation.rawValue] + Self.cells(result.ours, result.pixelCount)
    cells.append(Self.decimal(perMegapixel, digits: 4))
    if hasPeers {
      if let peer = result.peer, let ratio = result.ratio {
        cells += [peer.name] + Self.cells(peer.times, result.pixelCount) + [Self.decimal(ratio, digits: 2)]
      } else {
        cells += ["", "", "", "", ""]
      }
    }
    if hasSizes { cells.append(result.encodedByteCount.map { String($0) } ?? "") }
    if hasSizes, hasPeers { cells.append(result.peer?.encodedByteCount.map { String($0) } ?? "") }
    return line(cells)
  }

  private func line(_ cells: [String]) -> String {
    let padded = zip(columns, cells).map { column, text in
      let padding = String(repeating: " ", count: max(0, column.width - text.count))
      return column.isText ? text + padding : padding + text
    }
    return isMarkdown ? "| " + padded.joined(separator: " | ") + " |" : padded.joined(separator: "  ")
  }

  private static func cells(_ times: Times, _ pixelCount: Int) -> [String] {
    [
      decimal(times.median * 1000, digits: 3), decimal(times.spread, digits: 1),
      decimal(Double(pixelCount) / max(times.median, 1e-12) / 1e6, digits: 1),
    ]
  }

  /// Prints a line at once, also if standard output is not a terminal.
  static func show(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  /// Returns a number with the given number of decimal places.
  static func decimal(_ value: Double, digits: Int) -> String {
    let scale = (0..<digits).reduce(1) { power, _ in power * 10 }
    let scaled = Int((value * Double(scale)).rounded())
    guard digits > 0 else { return "\(scaled)" }
    let fraction = String(scaled % scale)
    return "\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  /// Returns the median of the ratios over all inputs, for each operation.
  static func medians(of results: [JobResult]) -> [String] {
    Operation.allCases.compactMap { operation in
      let ratios = results.filter { $0.operation == operation }.compactMap(\.ratio)
      guard !ratios.isEmpty else { return nil }
      let median = decimal(ratios.median, digits: 2)
      return "\(operation.rawValue): \(median) of the peer's time on the median of \(ratios.count) inputs"
    }
  }
}
