// The meta-adaptive tree of a Modular stream (ISO/IEC 18181-1, H.4.2).

internal import ImageCoding

/// `MA tree`: decisions on properties of the neighbourhood lead to the context, predictor and scale of a sample.
struct DecisionTree: Sendable {
  /// A decision or a leaf.
  struct Node: Sendable {
    /// The property that is compared; -1 for leaves.
    var property: Int32
    /// The greatest value of the second branch.
    var value: Int32
    /// The index of the first branch, which the second one follows; of a leaf its number.
    var child: Int32
  }

  /// The coding of the samples that reach a leaf.
  struct Leaf: Sendable {
    var predictor: Predictor
    /// The cluster of the context.
    var cluster: UInt8
    var offset: Int32
    var multiplier: Int32
  }

  let nodes: [Node]
  let leaves: [Leaf]
  /// The code of the samples.
  let code: EntropyCode

  private static let bytesPerNode = 40
  private static let maximumDepth = 2048

  /// Reads a tree and the code of the samples, whose memory remains charged.
  ///
  /// - Parameter maximumNodeCount: the limit of the format for the number of samples that can use the tree.
  init(
    parsing bits: inout BitReader, maximumNodeCount: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    let treeCode = try EntropyCode(parsing: &bits, contextCount: 6, budget: &budget)
    var symbols = SymbolReader(&bits, treeCode)
    var nodes: [Node] = []
    var leaves: [Leaf] = []
    var depths: [Int32] = [0]
    var unassignedCount = 1
    while nodes.count < unassignedCount {
      if nodes.count % 1024 == 0 {
        try budget.allocate(count: 1024, bytesEach: Self.bytesPerNode)
        try bits.checkEnd()
      }
      try budget.chargeWork(150, byteOffset: bits.byteOffset)
      let property = symbols.read(context: 1, treeCode, &bits)
      guard property <= 256 else { throw bits.error(.malformed, "a decision tree has the property \(property)") }
      if property == 0 {
        let leaf = try Self.readLeaf(&symbols, treeCode, &bits)
        nodes.append(Node(property: -1, value: 0, child: Int32(leaves.count)))
        leaves.append(leaf)
        continue
      }
      let value = unpackSigned(symbols.read(context: 0, treeCode, &bits))
      let depth = depths[nodes.count] + 1
      guard depth <= Self.maximumDepth else { throw bits.error(.malformed, "a decision tree is too deep") }
      nodes.append(Node(property: Int32(property) - 1, value: value, child: Int32(unassignedCount)))
      unassignedCount += 2
      depths.append(depth)
      depths.append(depth)
      guard unassignedCount <= maximumNodeCount else { throw bits.error(.malformed, "a decision tree is too large") }
    }
    try symbols.finish(&bits, treeCode)
    code = try EntropyCode(parsing: &bits, contextCount: leaves.count, budget: &budget)
    for index in leaves.indices { leaves[index].cluster = code.contextMap[index] }
    self.nodes = nodes
    self.leaves = leaves
  }

  private static func readLeaf(
    _ symbols: inout SymbolReader, _ code: borrowing EntropyCode, _ bits: inout BitReader
  ) throws(CodecError) -> Leaf {
    let number = symbols.read(context: 2, code, &bits)
    guard number < 256, let predictor = Predictor(rawValue: UInt8(number)) else {
      throw bits.error(.malformed, "the predictor \(number) does not exist")
    }
    let offset = unpackSigned(symbols.read(context: 3, code, &bits))
    let shift = symbols.read(context: 4, code, &bits)
    guard shift <= 30 else { throw bits.error(.malformed, "a multiplier is too large") }
    let factor = symbols.read(context: 5, code, &bits)
    guard factor < 1 << (31 - shift) - 1 else { throw bits.error(.malformed, "a multiplier is too large") }
    return Leaf(
      predictor: predictor, cluster: 0, offset: offset, multiplier: Int32(truncatingIfNeeded: (factor + 1) << shift))
  }
}
