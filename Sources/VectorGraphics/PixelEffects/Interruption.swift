// Cancellation of long-running pixel operations.

package import ImageCore

/// A check whether the caller has cancelled.
package struct Interruption: Sendable {
  /// Used only to check for cancellation and the deadline; nothing is charged to it.
  private let budget: ResourceBudget?

  /// Creates a check for the cancellation of a decode; without a budget, work is never cancelled.
  package init(_ budget: ResourceBudget? = nil) {
    self.budget = budget
  }

  /// Throws ``CodecError/Kind/cancelled`` if the caller has cancelled, and ``CodecError/Kind/deadlineExceeded`` once
  /// the deadline has passed. Called every few thousand pixels.
  package func check() throws(CodecError) {
    try budget?.checkpoint()
  }
}
