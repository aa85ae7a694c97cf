// Limits that depend on how the package is built.

import ImageCore
import Testing

@Suite struct DecodingLimitsTests {
  /// The condition is that of this module, which clients build in the same configuration.
  @Test func onlyOptimizedBuildsHaveADeadline() {
    #if DEBUG
      #expect(DecodingLimits.server.deadline == nil)
    #else
      #expect(DecodingLimits.server.deadline == .seconds(2))
    #endif
    #expect(DecodingLimits.default.deadline == nil)
  }
}
