// The page of results: one file that needs no other, since its pictures are embedded at a reduced size. Files of the
// full size are in folders next to it.

import ConformanceKit
import Foundation
import ImageCodecs

/// An HTML page of results.
struct ReportPage {
  var results: [FolderResults]

  /// Pictures are embedded with at most this number of pixels a side.
  private static let embeddedSide = 360

  /// The complete page.
  var html: String {
    let sections = results.map { folder in
      """
      <h2>\(Self.escaped(folder.name))</h2>
      <h3>Suites</h3>
      \(table(folder.counts { [$0.suite + " · " + $0.format] }, heading: "suite and format"))
      \(features(of: folder))
      \(failures(of: folder))
      """
    }
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>Conformance</title><style>\(Self.style)</style></head>
      <body><main><h1>Conformance</h1>
      <p>\(summary)</p>
      <p class="legend"><i class="passed"></i>passed <i class="known"></i>known failure <i class="failed"></i>failed
      <i class="unsupported"></i>unsupported <i class="skipped"></i>skipped</p>
      \(sections.joined(separator: "\n"))
      </main></body></html>

      """
  }

  private var summary: String {
    var sum = FolderResults.Counts()
    for folder in results { folder.cases.forEach { sum.add($0) } }
    return "\(sum.passed) of \(sum.total) cases passed; \(sum.known) known failures, \(sum.failed) other failures, "
      + "\(sum.unsupported) unsupported, \(sum.skipped) skipped."
  }

  private func features(of folder: FolderResults) -> String {
    // A feature of a single file says nothing that the file's suite does not.
    let features = folder.counts { test in test.features.map { test.format + " · " + $0 } }
      .filter { $0.counts.total > 1 }
    guard !features.isEmpty else { return "" }
    return """
      <details><summary>Features (\(features.count))</summary>
      \(table(features, heading: "format and feature"))
      </details>
      """
  }

  private func table(_ rows: [(name: String, counts: FolderResults.Counts)], heading: String) -> String {
    let lines = rows.map { name, counts in
      "<tr><td>\(Self.escaped(name))</td><td>\(counts.passed) of \(counts.total)</td><td>\(Self.bar(counts))</td></tr>"
    }
    return """
      <table><thead><tr><th>\(heading)</th><th>passed</th><th></th></tr></thead>
      <tbody>\(lines.joined(separator: "\n"))</tbody></table>
      """
  }

  /// A bar with a part for each outcome. Its description is for those who do not see it.
  private static func bar(_ counts: FolderResults.Counts) -> String {
    let parts = [
      ("passed", counts.passed), ("known", counts.known), ("failed", counts.failed),
      ("unsupported", counts.unsupported), ("skipped", counts.skipped),
    ].filter { $0.1 > 0 }
    let label = parts.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
    let spans = parts.map { "<i class=\"\($0.0)\" style=\"flex:\($0.1)\"></i>" }.joined()
    return "<div class=\"bar\" role=\"img\" aria-label=\"\(label)\" title=\"\(label)\">\(spans)</div>"
  }

  private func failures(of folder: FolderResults) -> String {
    let failing = folder.cases.filter { $0.outcome.name == "failed" }
    guard !failing.isEmpty else { return "<p>No case fails.</p>" }
    let items = failing.map { result in
      let cause = result.knownCause.map { "<p class=\"cause\">Known: \(Self.escaped($0))</p>" } ?? ""
      return """
        <article><h4>\(Self.escaped(result.test.path))</h4><p>\(Self.escaped(result.outcome.reason))</p>\(cause)
        \(figures(of: result, in: folder))</article>
        """
    }
    return """
      <details><summary>Failing cases (\(failing.count))</summary>
      <p>Differences are amplified eight times. Pictures link to their full size, in the folder beside this page.</p>
      \(items.joined(separator: "\n"))
      </details>
      """
  }

  private func figures(of result: FolderResults.Result, in folder: FolderResults) -> String {
    guard let pictures = result.pictureFolder else { return "" }
    let figures = CasePictures.Role.allCases.compactMap { role -> String? in
      let name = CasePictures.fileName(number: result.number, role)
      guard let source = Self.embedded(pictures + "/" + name) else { return nil }
      return "<figure><a href=\"\(folder.name)/\(name)\"><img alt=\"\(role.rawValue)\" src=\"\(source)\"></a>"
        + "<figcaption>\(role.rawValue)</figcaption></figure>"
    }
    return "<div>\(figures.joined())</div>"
  }

  /// Returns a picture as a data URL; `nil` if there is no such file.
  private static func embedded(_ path: String) -> String? {
    let side = Thumbnail(width: embeddedSide, height: embeddedSide, color: .source)
    guard let thumbnail = try? ImageFile(contentsOfFile: path).encodedThumbnail(side, as: .png) else { return nil }
    return "data:image/png;base64,\(Data(thumbnail.bytes).base64EncodedString())"
  }

  private static let style = """
    :root { color-scheme: light dark; --text: #222; --muted: #666; --page: #fafafa; --card: #fff; --line: #ddd;
      --passed: #2f9e6e; --known: #d0a03a; --failed: #d2483c; --unsupported: #7d8fa3; --skipped: #c3cad1 }
    @media (prefers-color-scheme: dark) { :root { --text: #e4e6e8; --muted: #a0a7ae; --page: #16191c; --card: #1f2327;
      --line: #363c42; --skipped: #4a5158 } }
    body { font: 15px/1.45 system-ui, sans-serif; margin: 0; color: var(--text); background: var(--page) }
    main { max-width: 1100px; margin: 0 auto; padding: 2em }
    table { border-collapse: collapse; width: 100% } th { text-align: left; font-weight: 600 }
    td, th { padding: 3px 12px 3px 0; border-bottom: 1px solid var(--line) }
    td:nth-child(2) { white-space: nowrap; font-variant-numeric: tabular-nums } td:last-child { width: 45% }
    .bar { display: flex; height: 12px; border-radius: 3px; overflow: hidden; background: var(--line) }
    .passed { background: var(--passed) } .known { background: var(--known) } .failed { background: var(--failed) }
    .unsupported { background: var(--unsupported) } .skipped { background: var(--skipped) }
    .legend i { display: inline-block; width: 12px; height: 12px; border-radius: 3px; margin: 0 4px 0 14px }
    summary { cursor: pointer; font-weight: 600; margin: 1em 0 } h4 { margin: 0 } article p { margin: 2px 0 }
    article { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 1em; margin: 1em 0 }
    .cause, figcaption, .legend { color: var(--muted) } figure { display: inline-block; margin: 1em 1em 0 0 }
    img { max-width: 100%; min-width: 64px; image-rendering: pixelated; border: 1px solid var(--line);
      background: repeating-conic-gradient(#8884 0 25%, transparent 0 50%) 0 0/16px 16px }
    """

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
