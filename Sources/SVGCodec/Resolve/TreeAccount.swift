// The costs of the tree: the memory that it holds, and the work for each instance of an element.

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

/// The limits of a tree, and what it has cost.
struct TreeAccount: ~Copyable {
  /// The work units for the style of an element, in addition to reading its attributes.
  private static let workPerStyle = 600
  /// The work units for resolving an instance of an element, in addition to its style.
  static let workPerInstance = 1_800
  /// The work units for a point of a path and its bounds.
  private static let workPerPoint = 80

  // Doubled, because arrays grow by doubling.
  static let bytesPerGroup = (MemoryLayout<RenderTree.Group>.stride + MemoryLayout<RenderTree.Node>.stride) * 2
  static let bytesPerShape = (MemoryLayout<RenderTree.Shape>.stride + MemoryLayout<RenderTree.Node>.stride) * 2
  static let bytesPerImage = (MemoryLayout<RenderTree.ImageNode>.stride + MemoryLayout<RenderTree.Node>.stride) * 2
  static let bytesPerFallback = MemoryLayout<Color>.stride * 2
  /// The number of bytes of an array's header.
  private static let bytesPerArray = 48

  let limits: SVGDocument.Limits
  /// The budget to which the tree and the work of building it are charged.
  var budget: ResourceBudget
  /// The number of bytes of the budget that the tree holds.
  var treeByteCount = 0
  var segmentCount = 0
  var characterCount = 0
  var filterPrimitiveCount = 0
  private var referenceCount = 0

  init(limits: SVGDocument.Limits, budget: consuming ResourceBudget) {
    self.limits = limits
    self.budget = budget
  }

  /// Ends the account and returns its budget.
  consuming func takeBudget() -> ResourceBudget { budget }

  static func error(_ reason: String) -> CodecError {
    CodecError(.limitExceeded, reason, format: SVGDecoder.type)
  }

  /// Charges reading an element's attributes and declared values once.
  mutating func chargeReading(_ node: XMLDocument.NodeIndex, in document: StyledDocument) throws(CodecError) {
    try budget.chargeWork(Self.workPerStyle + document.readingCost(of: node))
  }

  /// Counts a reference against the limit.
  mutating func spendReference(openElementCount: Int) throws(CodecError) {
    referenceCount += 1
    try budget.chargeWork(count: openElementCount + 1, unitsEach: 4)
    guard referenceCount <= limits.maximumReferenceCount else {
      throw Self.error("more than \(limits.maximumReferenceCount) references")
    }
  }

  /// Charges memory that the tree keeps.
  mutating func hold(_ byteCount: Int) throws(CodecError) {
    try budget.allocate(byteCount)
    treeByteCount += byteCount
  }

  /// Counts the segments of a path, and charges its memory and the work of preparing it.
  mutating func hold(_ path: Path) throws(CodecError) {
    segmentCount += path.verbs.count
    guard segmentCount < limits.maximumPathSegmentCount else {
      throw Self.error("more than \(limits.maximumPathSegmentCount) path segments")
    }
    try budget.chargeWorkInParts(count: path.points.count, unitsEach: Self.workPerPoint)
    try hold(path.byteCount + 2 * Self.bytesPerArray)
  }

  /// Charges the memory of a part that is about to be appended to a path, which is released before ``hold(_:)`` charges
  /// the whole path.
  mutating func append(_ part: Path, to path: Path) throws(CodecError) {
    guard segmentCount + path.verbs.count + part.verbs.count < limits.maximumPathSegmentCount else {
      throw Self.error("more than \(limits.maximumPathSegmentCount) path segments")
    }
    try budget.allocate(part.byteCount)
  }

  /// Releases the memory of the parts of a path.
  mutating func releaseParts(of path: Path) { budget.release(path.byteCount) }

  /// Charges the dashes of a shape.
  mutating func hold(dashesOf style: StrokeStyle) throws(CodecError) {
    guard !style.dashes.isEmpty else { return }
    try hold(Self.bytesPerArray + style.dashes.count * MemoryLayout<Double>.stride)
  }
}
