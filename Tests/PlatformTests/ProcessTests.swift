// Processes and their parents.

import Foundation
import Platform
import Testing
import Threading

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

  /// Each thread ends only after all have started.
  @Test(.timeLimit(.minutes(1))) func threadsRunAtTheSameTime() throws {
    let threads = Threads()
    for _ in 0..<64 {
      try SystemThread.start {
        threads.counts.withLock { $0.started += 1 }
        while threads.counts.withLock({ $0.started < 64 }) { Thread.sleep(forTimeInterval: 0.001) }
        threads.counts.withLock { $0.ended += 1 }
      }
    }
    while threads.counts.withLock({ $0.ended < 64 }) { Thread.sleep(forTimeInterval: 0.001) }
  }

  private final class Threads: Sendable {
    let counts = Mutex((started: 0, ended: 0))
  }
}
