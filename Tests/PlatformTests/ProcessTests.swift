// Processes and their parents.

import Foundation
import Platform
import Testing

@Suite struct ProcessTests {
  @Test func theParentOfARunningTestHasNotEnded() {
    #expect(!ParentProcess().hasEnded)
  }

  @Test func theEnvironmentIsThatOfFoundation() {
    for (name, value) in ProcessInfo.processInfo.environment {
      #expect(ProcessEnvironment.value(of: name) == value)
    }
    #expect(ProcessEnvironment.value(of: "NO_VARIABLE_HAS_THIS_NAME") == nil)
  }
}
