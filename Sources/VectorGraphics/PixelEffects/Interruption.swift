// How a caller stops work on pixels that takes long.

package import ImageCore

/// Asks a caller whether to go on.
package struct Interruption: Sendable {
  private let shouldCancel: (@Sendable () -> Bool)?

  /// Work that asks a closure; without one it is never interrupted.
  package init(_ shouldCancel: (@Sendable () -> Bool)? = nil) {
    self.shouldCancel = shouldCancel
  }

  /// Throws ``DecodeError/Kind/cancelled`` when the caller wants no more. Called every few thousand pixels.
  package func check() throws(DecodeError) {
    if let shouldCancel, shouldCancel() { throw DecodeError(.cancelled, "the caller asked to stop") }
  }
}
