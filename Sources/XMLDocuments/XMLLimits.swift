// The limits of reading a document in addition to its budget.

/// The limits of reading one document.
package struct XMLLimits: Hashable, Sendable {
  /// The maximum number of elements.
  package var maximumElementCount: Int
  /// The maximum number of attributes.
  package var maximumAttributeCount: Int
  /// The maximum nesting depth of elements.
  package var maximumNestingDepth: Int
  /// The maximum number of declared entities.
  package var maximumEntityCount: Int
  /// The maximum depth of references between entities.
  package var maximumEntityDepth: Int
  /// The maximum number of entity references.
  package var maximumEntityReferenceCount: Int
  /// The maximum number of bytes to which entities expand.
  package var maximumEntityByteCount: Int

  package init(
    maximumElementCount: Int, maximumAttributeCount: Int, maximumNestingDepth: Int, maximumEntityCount: Int,
    maximumEntityDepth: Int, maximumEntityReferenceCount: Int, maximumEntityByteCount: Int
  ) {
    self.maximumElementCount = maximumElementCount
    self.maximumAttributeCount = maximumAttributeCount
    self.maximumNestingDepth = maximumNestingDepth
    self.maximumEntityCount = maximumEntityCount
    self.maximumEntityDepth = maximumEntityDepth
    self.maximumEntityReferenceCount = maximumEntityReferenceCount
    self.maximumEntityByteCount = maximumEntityByteCount
  }
}
