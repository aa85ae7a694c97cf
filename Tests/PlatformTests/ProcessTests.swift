// Processes and their parents.

import Platform
import Testing

@Suite struct ProcessTests {
  @Test func theParentOfARunningTestHasNotEnded() {
    #expect(!ParentProcess().hasEnded)
  }
}
