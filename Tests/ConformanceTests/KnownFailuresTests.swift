// The list of known failures, and the lines between the runner and its children.

import ConformanceKit
import Testing

struct KnownFailuresTests {
  private let known = KnownFailures(Array("path\tcause\na.png\tthe reference is wrong\nb.png\ta bug\n".utf8))

  @Test func listedFailuresAreExpected() {
    let verdict = known.verdict(on: [("a.png", .failed("x")), ("c.png", .passed), ("d.png", .unsupported("y"))])
    #expect(verdict.isClean)
    #expect(verdict.knownFailureCount == 1)
  }

  @Test func otherFailuresAreNot() {
    let verdict = known.verdict(on: [("c.png", .failed("x"))])
    #expect(!verdict.isClean)
    #expect(verdict.unexpectedFailures == ["c.png"])
  }

  @Test func listedPassesAreNot() {
    let verdict = known.verdict(on: [("b.png", .passed)])
    #expect(!verdict.isClean)
    #expect(verdict.unexpectedPasses == ["b.png"])
  }

  @Test func resultsSurviveTheirLine() {
    for outcome in [Outcome.passed, .failed("why"), .unsupported("what"), .skipped("because")] {
      let result = CaseResult(outcome, remark: "and more")
      #expect(CaseResult(line: result.line) == result)
    }
    #expect(CaseResult(line: CaseResult(.failed("a\tb\nc")).line) == CaseResult(.failed("a b c")))
    #expect(CaseResult(line: "nonsense") == nil)
  }
}
