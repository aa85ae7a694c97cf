// A setting of an OpenType feature, as the caller of shaping chooses it.

/// A feature setting of the caller.
package struct FontFeature: Hashable, Sendable {
  /// The feature's tag, such as `smcp`.
  package var tag: Tag
  /// 0 to disable, 1 to enable; for features with several alternates, the number of the alternate.
  package var value: Int

  /// Creates a setting that enables the feature unless another value is given.
  package init(_ tag: Tag, _ value: Int = 1) {
    self.tag = tag
    self.value = value
  }
}
