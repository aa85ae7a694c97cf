// The outcomes of a folder's cases, for reports.

import ConformanceKit

/// The outcomes of the cases of a folder.
struct FolderResults {
  /// A case and its outcome.
  struct Result {
    /// The number of the case in its manifest.
    var number: Int
    var test: ConformanceCase
    var outcome: Outcome
    /// Why the case is known to fail.
    var knownCause: String?
    /// The folder of the images of a failing case; `nil` if there are none.
    var pictureFolder: String?
  }

  /// Counts of outcomes.
  struct Counts {
    var passed = 0
    /// Failures that are not known.
    var failed = 0
    var known = 0
    var unsupported = 0
    var skipped = 0

    var total: Int { passed + failed + known + unsupported + skipped }

    mutating func add(_ result: Result) {
      switch result.outcome {
      case .passed: passed += 1
      case .failed: if result.knownCause == nil { failed += 1 } else { known += 1 }
      case .unsupported: unsupported += 1
      case .skipped: skipped += 1
      }
    }
  }

  /// The path of the folder.
  var folder: String
  /// The cases in the order of the manifest.
  var cases: [Result] = []

  /// The last component of the path.
  var name: String { folder.split(separator: "/").last.map { String($0) } ?? folder }

  /// The counts of groups of cases, sorted by name. A case may belong to several groups.
  func counts(by groups: (ConformanceCase) -> [String]) -> [(name: String, counts: Counts)] {
    var counts: [String: Counts] = [:]
    for result in cases {
      for group in groups(result.test) { counts[group, default: Counts()].add(result) }
    }
    return counts.sorted { $0.key < $1.key }.map { (name: $0.key, counts: $0.value) }
  }
}
