// A bar chart of ratios as an SVG. Text, bars and the line of the peer have colours that can be read on light and dark
// pages; the background is transparent.

import Foundation

/// Horizontal bars: our time as a share of a peer's.
struct RatioChart {
  /// A bar.
  struct Bar {
    var label: String
    var ratio: Double
    /// The text after the ratio.
    var note: String
  }

  var title: String
  var bars: [Bar]

  private static let (labelWidth, barWidth, noteWidth) = (230, 360, 270)
  private static let (rowHeight, top) = (26, 56)

  /// The SVG.
  var svg: String {
    let scale = max(1.2, (bars.map(\.ratio).max() ?? 1) * 1.02)
    let width = Self.labelWidth + Self.barWidth + Self.noteWidth
    let height = Self.top + bars.count * Self.rowHeight + 16
    let unit = Self.labelWidth + Int(Double(Self.barWidth) / scale)
    let valueStart = Self.labelWidth + Self.barWidth + 10
    let rows = bars.enumerated().map { index, bar in
      let y = Self.top + index * Self.rowHeight
      let length = max(1, Int(Double(Self.barWidth) * bar.ratio / scale))
      let color = bar.ratio <= 1 ? "#2f9e6e" : "#c9822b"
      return """
        <text x="\(Self.labelWidth - 10)" y="\(y + 15)" text-anchor="end" class="label">\(Self.escaped(bar.label))</text>
        <rect x="\(Self.labelWidth)" y="\(y + 3)" width="\(length)" height="16" rx="2" fill="\(color)"/>
        <text x="\(valueStart)" y="\(y + 15)">\(ResultTable.decimal(bar.ratio, digits: 2))\
        <tspan class="note"> \(Self.escaped(bar.note))</tspan></text>
        """
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">
      <style>
      text { font-family: "DejaVu Sans", "Helvetica", sans-serif; font-size: 13px; fill: #6b7785 }
      .title { font-size: 15px; font-weight: bold } .note { font-size: 12px }
      </style>
      <text x="10" y="22" class="title">\(Self.escaped(title))</text>
      <line x1="\(unit)" y1="40" x2="\(unit)" y2="\(height - 10)" stroke="#6b7785" stroke-dasharray="3 3"/>
      <text x="\(unit)" y="36" text-anchor="middle" class="note">the peer = 1</text>
      \(rows.joined(separator: "\n"))
      </svg>

      """
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }
}

extension BenchReport {
  /// The chart of this report: scenarios if there are any, otherwise the median ratio of each format and operation.
  var chart: RatioChart? {
    let compared = scenarios.filter { $0.ratio != nil }
    if !compared.isEmpty {
      let bars = compared.map { row in
        let ours = scenarios.first { $0.scenario == row.scenario && $0.ratio == nil }
        let milliseconds = ours?.processorMilliseconds ?? 0
        return RatioChart.Bar(
          label: Scenario(rawValue: row.scenario)?.description ?? row.scenario, ratio: row.ratio ?? 0,
          note: "· \(Int(milliseconds.rounded())) ms, \(row.engine) \(Int(row.processorMilliseconds.rounded())) ms")
      }
      return RatioChart(title: "Thumbnails: our processor time divided by the peer's", bars: bars)
    }
    let groups = Dictionary(grouping: rows.filter { $0.ratio != nil }) { [$0.format, $0.operation, $0.peer ?? ""] }
    guard !groups.isEmpty else { return nil }
    let bars = groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, rows in
      RatioChart.Bar(
        label: "\(Self.formatName(key[0])), \(Self.operationName(key[1]))", ratio: rows.compactMap(\.ratio).median,
        note: "of \(key[2]), \(rows.count) \(rows.count == 1 ? "file" : "files")")
    }
    return RatioChart(title: "Our time divided by the peer's, on one thread", bars: bars)
  }

  private static func formatName(_ format: String) -> String {
    let names = [
      "avif": "AVIF", "dng": "DNG", "gif": "GIF", "heic": "HEIC", "jp2": "JPEG 2000", "jpg": "JPEG", "jxl": "JPEG XL",
      "png": "PNG", "svg": "SVG", "tiff": "TIFF", "webp": "WebP",
    ]
    return names[format] ?? format
  }

  private static func operationName(_ operation: String) -> String {
    switch Operation(rawValue: operation) {
    case .rgba8, .planes: "decode"
    case .frames: "decode frames"
    case .draw512: "draw"
    default: operation
    }
  }
}
