// The fonts used for the references of drawings, and the tables of further references, read once per process.

import ConformanceKit
import Fonts

/// The fonts of the suites in a folder.
struct DrawingFonts {
  private let resvg: FontProvider
  private let librsvg: FontProvider
  private let none = FontProvider()
  /// References that were rendered at four times the size and averaged, by path: REF4.tsv.
  let averagedReferences: [String: String]
  /// The drawings of a browser, by path: svg-chromium/THREEWAY.tsv.
  let browserReferences: [String: String]

  /// Fonts are in folders of the suites and are opened when text needs them.
  init(folder: String) {
    var resvg = FontProvider(folders: [folder + "/svg-resvg/fonts"])
    resvg.serifFamily = "Noto Serif"
    resvg.sansSerifFamily = "Noto Sans"
    resvg.cursiveFamily = "Yellowtail"
    resvg.fantasyFamily = "Sedgwick Ave Display"
    resvg.monospaceFamily = "Noto Mono"
    resvg.defaultFamily = "Times New Roman"
    self.resvg = resvg
    var librsvg = FontProvider(folders: [folder + "/svg-librsvg-w3c/resources"])
    librsvg.serifFamily = "Roboto"
    librsvg.sansSerifFamily = "Roboto"
    librsvg.cursiveFamily = "Roboto"
    librsvg.fantasyFamily = "Roboto"
    librsvg.monospaceFamily = "Roboto"
    librsvg.defaultFamily = "Roboto"
    self.librsvg = librsvg
    let table = TabSeparatedTable((try? readFile(folder + "/REF4.tsv")) ?? [])
    averagedReferences = Dictionary(
      table.rows.compactMap { row in row.path("path").flatMap { path in row.path("ref4").map { (path, $0) } } },
      uniquingKeysWith: { first, _ in first })
    let browser = TabSeparatedTable((try? readFile(folder + "/svg-chromium/THREEWAY.tsv")) ?? [])
    browserReferences = Dictionary(
      browser.rows.compactMap { row in
        row.path("path").flatMap { path in row.path("chromium picture").map { (path, $0) } }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the fonts of a file's suite. The references of other suites were rendered without fonts.
  func provider(for path: String) -> FontProvider {
    if path.hasPrefix("svg-resvg/") || path.hasPrefix("svg-features/") { return resvg }
    return path.hasPrefix("svg-librsvg") ? librsvg : none
  }
}
