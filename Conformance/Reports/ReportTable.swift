// The results by suite and format as a table in Markdown.

import ConformanceKit

/// A table of results.
struct ReportTable {
  var results: [FolderResults]

  /// The tables of all folders.
  var markdown: String {
    results.map { folder in
      let rows = folder.counts { ["\($0.suite) | \($0.format)"] }.map { name, counts in
        "| \(name) | \(Self.cells(counts)) |"
      }
      var sum = FolderResults.Counts()
      folder.cases.forEach { sum.add($0) }
      return """
        ## \(folder.name)

        | suite | format | cases | passed | known failures | other failures | unsupported | skipped |
        | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
        \(rows.joined(separator: "\n"))
        | all | | \(Self.cells(sum)) |

        """
    }.joined(separator: "\n")
  }

  private static func cells(_ counts: FolderResults.Counts) -> String {
    [counts.total, counts.passed, counts.known, counts.failed, counts.unsupported, counts.skipped]
      .map { String($0) }.joined(separator: " | ")
  }
}
