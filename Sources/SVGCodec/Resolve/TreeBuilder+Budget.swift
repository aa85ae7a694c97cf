// The costs of the tree: the memory that it holds, and the work for each instance of an element.

internal import ImageCore
internal import VectorGraphics

extension TreeBuilder {
  /// The work units for the style of an element, in addition to reading its attributes.
  private static let workPerStyle = 600
  /// The work units for resolving an instance of an element, in addition to its style.
  static let workPerInstance = 1_800
  /// The work units for a point of a path and its bounds.
  private static let workPerPoint = 80
  private static let workPerFunctionByte = 28

  // Doubled, because arrays grow by doubling.
  static let bytesPerGroup = (MemoryLayout<RenderTree.Group>.stride + MemoryLayout<RenderTree.Node>.stride) * 2
  static let bytesPerShape = (MemoryLayout<RenderTree.Shape>.stride + MemoryLayout<RenderTree.Node>.stride) * 2
  static let bytesPerImage = (MemoryLayout<RenderTree.ImageNode>.stride + MemoryLayout<RenderTree.Node>.stride) * 2
  /// The number of bytes of an array's header.
  private static let bytesPerArray = 48

  /// Computes the style of an element. Charges reading the element, which is repeated for each of its instances.
  mutating func style(of node: NodeIndex, parent: ComputedStyle) throws(CodecError) -> ComputedStyle {
    try chargeReading(node)
    let style = ComputedStyle(of: node, in: document, parent: parent, rootFontSize: rootFontSize)
    // Function lists are kept as text and parsed when they are applied.
    let byteCount = Int(style.transform?.count ?? 0) + Int(style.filter?.count ?? 0)
    try budget.chargeWork(count: byteCount, unitsEach: Self.workPerFunctionByte)
    return style
  }

  /// Charges reading an element's attributes and declared values once.
  mutating func chargeReading(_ node: NodeIndex) throws(CodecError) {
    try budget.chargeWork(Self.workPerStyle + document.readingCost(of: node))
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
      throw error("more than \(limits.maximumPathSegmentCount) path segments")
    }
    try budget.chargeWork(count: path.points.count, unitsEach: Self.workPerPoint)
    try hold(path.byteCount + 2 * Self.bytesPerArray)
  }

  /// Charges the dashes of a shape.
  mutating func hold(dashesOf style: StrokeStyle) throws(CodecError) {
    guard !style.dashes.isEmpty else { return }
    try hold(Self.bytesPerArray + style.dashes.count * MemoryLayout<Double>.stride)
  }
}
