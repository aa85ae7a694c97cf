// A decision tree reduced to the decisions that one channel of one stream needs.

internal import ImageCoding

/// The part of a tree that the samples of a channel can reach: the channel and the stream are constant.
struct ChannelTree: Sendable {
  /// The properties by their numbers.
  enum Property {
    static let channel: Int32 = 0
    static let stream: Int32 = 1
    static let gradient: Int32 = 9
    static let weightedError: Int32 = 15
    /// The first property that refers to an earlier channel. Each channel has four of them.
    static let firstReference: Int32 = 16
  }

  private(set) var nodes: [DecisionTree.Node] = []
  private(set) var leaves: [DecisionTree.Leaf] = []
  /// Whether a decision or a leaf needs the weighted predictor.
  private(set) var usesWeighted = false
  /// Whether all decisions are on the gradient, which then saturates instead of wrapping, as in the reference decoder:
  /// the leaves predict it, and no decision is on a large value.
  private(set) var saturatesGradient = false
  /// The number of earlier channels that decisions refer to.
  private(set) var referenceCount = 0
  /// The leaves of the values from −``tableRange`` to ``tableRange`` − 1 of ``tableProperty``; lesser and greater values
  /// have the leaves of the ends. Empty unless all decisions are on this property, which is one of two.
  private(set) var table: [UInt16] = []
  private(set) var tableProperty: Int32 = -1

  /// The greatest magnitude of the values of a table. Encoders that use tables have no decisions on larger values.
  static let tableRange: Int32 = 512
  /// The bound of the values on which a saturating gradient is decided.
  private static let saturatingRange: Int32 = 8192
  /// The number of samples from which a table saves more time than it takes.
  private static let minimumTableSampleCount = 2048

  init(
    _ tree: DecisionTree, channel: Int, stream: Int, sampleCount: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    // The nodes of the whole tree that the new nodes are copies of, in order.
    var steps = 0
    var sources = [Self.resolve(0, tree, channel, stream, &steps)]
    var next = 0
    while next < sources.count {
      try budget.chargeWork(20 + steps)
      steps = 0
      if next % 256 == 0 { try budget.allocate(256 * 40) }
      var node = tree.nodes[sources[next]]
      next += 1
      if node.property < 0 {
        let leaf = tree.leaves[Int(node.child)]
        if leaf.predictor == .weighted { usesWeighted = true }
        node.child = Int32(leaves.count)
        leaves.append(leaf)
      } else {
        if node.property == Property.weightedError { usesWeighted = true }
        if node.property >= Property.firstReference {
          referenceCount = max(referenceCount, Int(node.property - Property.firstReference) / 4 + 1)
        }
        let first = Int(node.child)
        node.child = Int32(sources.count)
        sources.append(Self.resolve(first, tree, channel, stream, &steps))
        sources.append(Self.resolve(first + 1, tree, channel, stream, &steps))
      }
      nodes.append(node)
    }
    let range = -Self.saturatingRange..<Self.saturatingRange
    let areDecisionsOnGradient = nodes.allSatisfy { node in
      node.property < 0 || node.property == Property.gradient && range.contains(node.value)
    }
    saturatesGradient =
      areDecisionsOnGradient
      && leaves.allSatisfy { $0.predictor == .gradient && $0.offset == 0 && $0.multiplier == 1 }
    if sampleCount >= Self.minimumTableSampleCount { try makeTable(&budget) }
  }

  /// Replaces decisions on the gradient only, or on the error of the weighted predictor only, with a table.
  private mutating func makeTable(_ budget: inout ResourceBudget) throws(CodecError) {
    let property = nodes[0].property
    guard property == Property.gradient || property == Property.weightedError, leaves.count <= 1 << 16 else { return }
    let range = -Self.tableRange..<Self.tableRange - 1
    for node in nodes where node.property >= 0 {
      guard node.property == property, range.contains(node.value) else { return }
    }
    tableProperty = property
    var steps = 0
    table = (-Self.tableRange..<Self.tableRange).map { value in
      var node = nodes[0]
      while node.property >= 0 {
        node = nodes[Int(node.child) + (value > node.value ? 0 : 1)]
        steps += 1
      }
      return UInt16(truncatingIfNeeded: node.child)
    }
    try budget.chargeWork(steps * 2)
  }

  /// Follows decisions on the channel and the stream.
  private static func resolve(
    _ index: Int, _ tree: DecisionTree, _ channel: Int, _ stream: Int, _ steps: inout Int
  ) -> Int {
    var index = index
    while true {
      let node = tree.nodes[index]
      steps += 1
      let known: Int
      switch node.property {
      case Property.channel: known = channel
      case Property.stream: known = stream
      default: return index
      }
      index = Int(node.child) + (known > Int(node.value) ? 0 : 1)
    }
  }
}
