// The page that shows failing cases.

import ConformanceKit

/// An HTML page with the images of failing cases, grouped by suite.
struct FailurePage {
  private let title: String
  private let passedCount: Int
  private var entries: [(suite: String, html: String)] = []

  /// Creates an empty page.
  init(title: String, passedCount: Int) {
    self.title = title
    self.passedCount = passedCount
  }

  /// Adds a case.
  ///
  /// - Parameters:
  ///   - number: the number in the file names of the images.
  ///   - hasPictures: whether there are images; otherwise only text is shown.
  mutating func add(
    _ test: ConformanceCase, number: Int, reason: String, knownCause: String?, hasPictures: Bool
  ) {
    let figures = CasePictures.Role.allCases.map { role in
      let file = CasePictures.fileName(number: number, role)
      return "<figure><a href=\"\(file)\"><img loading=\"lazy\" src=\"\(file)\" alt=\"\"></a>"
        + "<figcaption>\(role.rawValue)</figcaption></figure>"
    }
    let cause = knownCause.map { "<p class=\"known\">known: \(Self.escaped($0))</p>" } ?? ""
    entries.append(
      (
        test.suite,
        """
        <section><h3>\(Self.escaped(test.path))</h3><p>\(Self.escaped(reason))</p>\(cause)
        \(hasPictures ? "<div>\(figures.joined())</div>" : "")</section>
        """
      ))
  }

  /// The complete page.
  var html: String {
    let suites = Dictionary(grouping: entries, by: \.suite).sorted { $0.key < $1.key }
    let contents = suites.map { "<a href=\"#\($0.key)\">\(Self.escaped($0.key)) (\($0.value.count))</a>" }
    let sections = suites.map { suite in
      "<h2 id=\"\(suite.key)\">\(Self.escaped(suite.key))</h2>" + suite.value.map(\.html).joined(separator: "\n")
    }
    return """
      <!doctype html><html lang="en"><meta charset="utf-8"><title>\(Self.escaped(title))</title>
      <style>\(Self.style)</style>
      <h1>\(Self.escaped(title))</h1>
      <p>\(entries.count) failing, \(passedCount) passed. Differences are amplified eight times.</p>
      <nav>\(contents.joined(separator: " · "))</nav>
      \(sections.joined(separator: "\n"))
      </html>

      """
  }

  private static let style = """
    body { font: 15px/1.4 system-ui, sans-serif; margin: 2em; color: #222; background: #fafafa }
    h3 { font-size: 1em; margin: 0 } p { margin: 0 } .known { color: #777 } nav { line-height: 2 }
    section { background: #fff; border: 1px solid #ddd; border-radius: 6px; padding: 1em; margin: 1em 0 }
    figure { display: inline-block; margin: 1em 1em 0 0 } figcaption { color: #777; font-size: 13px }
    img { min-width: 96px; max-width: 30vw; image-rendering: pixelated; border: 1px solid #ddd;
      background: repeating-conic-gradient(#eee 0 25%, #fff 0 50%) 0 0/16px 16px }
    """

  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      default: String(character)
      }
    }.joined()
  }
}
