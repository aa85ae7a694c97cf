// The samples of a channel (ISO/IEC 18181-1, H.3 and H.5).

internal import ImageCoding

/// Decodes the samples of one channel. Loops are specialised by the shape of its tree.
struct ChannelDecoder {
  private let tree: ChannelTree
  private let width: Int
  private let height: Int
  /// The channels that decisions refer to, the nearest one first.
  private let references: [ModularChannel]
  private var weighted: WeightedPrediction
  private var errors: WeightedErrors
  /// The four properties of each referenced channel, for all samples of a row.
  private var referenceProperties: [Int32] = []
  private let referencePropertyCount: Int

  /// - Parameter index: the index in the list of the channel, whose samples are allocated.
  init(
    _ tree: ChannelTree, _ image: ModularImage, index: Int, _ parameters: WeightedParameters,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    self.tree = tree
    let channel = image.channels[index]
    (width, height) = (channel.width, channel.height)
    var references: [ModularChannel] = []
    var earlier = index - 1
    while earlier >= 0, references.count < tree.referenceCount {
      if image.channels[earlier].hasSameShape(as: channel), !image.channels[earlier].samples.isEmpty {
        references.append(image.channels[earlier])
      }
      earlier -= 1
    }
    try budget.chargeWork(index)
    self.references = references
    referencePropertyCount = 4 * tree.referenceCount
    try budget.allocate(count: referencePropertyCount * 4, bytesEach: width)
    referenceProperties = [Int32](repeating: 0, count: referencePropertyCount * width)
    weighted = WeightedPrediction(parameters)
    let errorCount = tree.usesWeighted ? width : 0
    try budget.allocate(WeightedErrors.byteCount(width: errorCount))
    errors = WeightedErrors(width: errorCount)
  }

  /// Decodes all samples.
  mutating func decode(
    into samples: inout [Int32], _ symbols: inout SymbolReader, _ code: borrowing EntropyCode,
    _ bits: inout BitReader, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let unitsEach = unitsPerSample
    for y in 0..<height {
      try budget.chargeWork(count: width, unitsEach: unitsEach, byteOffset: bits.byteOffset)
      if referencePropertyCount > 0 { prepareReferences(y) }
      let steps: Int
      if tree.usesWeighted {
        steps = decodeWeightedRow(y, &samples, &symbols, code, &bits)
      } else if tree.leaves.count == 1 {
        decodeUniformRow(y, &samples, &symbols, code, &bits)
        steps = 0
      } else if tree.tableProperty == ChannelTree.Property.gradient {
        decodeTableRow(y, &samples, &symbols, code, &bits)
        steps = 0
      } else {
        steps = decodeRow(y, &samples, &symbols, code, &bits)
      }
      try budget.chargeWork(2 * steps)
      do throws(CodecError) {
        try bits.checkEnd()
      } catch {
        // The last samples of the row were decoded from no data.
        for index in y * width..<(y + 1) * width { samples[index] = 0 }
        throw error
      }
    }
  }

  /// The work of a sample, without that of the steps in the tree.
  private var unitsPerSample: Int {
    let decision = tree.leaves.count == 1 ? 10 : tree.tableProperty == ChannelTree.Property.gradient ? 20 : 25
    return decision + (tree.usesWeighted ? 60 : 0) + 2 * referencePropertyCount
  }

  // MARK: References

  private mutating func prepareReferences(_ y: Int) {
    for (number, channel) in references.enumerated() {
      let samples = channel.samples.span
      let row = y * width
      for x in 0..<width {
        let value = samples[row &+ x]
        let left = x > 0 ? samples[row &+ x &- 1] : 0
        let top = y > 0 ? samples[row &- width &+ x] : left
        let topLeft = x > 0 && y > 0 ? samples[row &- width &+ x &- 1] : left
        let difference = value &- clampedGradient(left, top, topLeft)
        let start = x &* referencePropertyCount &+ 4 &* number
        referenceProperties[start] = absolute(value)
        referenceProperties[start &+ 1] = value
        referenceProperties[start &+ 2] = absolute(difference)
        referenceProperties[start &+ 3] = difference
      }
    }
  }

  // MARK: Rows

  /// Decodes a row whose samples all have the same leaf.
  private mutating func decodeUniformRow(
    _ y: Int, _ samples: inout [Int32], _ symbols: inout SymbolReader, _ code: borrowing EntropyCode,
    _ bits: inout BitReader
  ) {
    let leaf = tree.leaves[0]
    let view = EntropyView(code)
    var output = samples.mutableSpan
    let row = y * width
    let cluster = Int(leaf.cluster)
    let (offset, multiplier) = (Int64(leaf.offset), Int64(leaf.multiplier))
    if let value = symbols.constantValue(cluster: cluster, view) {
      let addend = offset &+ multiplier &* Int64(unpackSigned(value))
      return Self.predictRow(y, width, leaf.predictor, addend, &output)
    }
    if leaf.predictor == .gradient, y > 0 {
      var left = output[row &- width]
      var topLeft = left
      for x in 0..<width {
        let top = output[row &- width &+ x]
        let prediction = Int64(clampedGradient(left, top, topLeft))
        let residual = Int64(unpackSigned(symbols.read(cluster: cluster, view, &bits)))
        left = Int32(truncatingIfNeeded: prediction &+ offset &+ multiplier &* residual)
        topLeft = top
        output[row &+ x] = left
      }
      return
    }
    if leaf.predictor == .zero {
      for x in 0..<width {
        let residual = Int64(unpackSigned(symbols.read(cluster: cluster, view, &bits)))
        output[row &+ x] = Int32(truncatingIfNeeded: offset &+ multiplier &* residual)
      }
      return
    }
    for x in 0..<width {
      let prediction = Neighbours(output, x: x, y: y, width: width).prediction(leaf.predictor)
      let residual = Int64(unpackSigned(symbols.read(cluster: cluster, view, &bits)))
      output[row &+ x] = Int32(truncatingIfNeeded: prediction &+ offset &+ multiplier &* residual)
    }
  }

  /// Sets the samples of a row to their predictions and a constant, as if residuals that take no bits were read.
  private static func predictRow(
    _ y: Int, _ width: Int, _ predictor: Predictor, _ addend: Int64, _ output: inout MutableSpan<Int32>
  ) {
    let row = y * width
    if predictor == .zero {
      let value = Int32(truncatingIfNeeded: addend)
      for x in 0..<width { output[row &+ x] = value }
      return
    }
    for x in 0..<width {
      let prediction = Neighbours(output, x: x, y: y, width: width).prediction(predictor)
      output[row &+ x] = Int32(truncatingIfNeeded: prediction &+ addend)
    }
  }

  /// Decodes a row by a table of leaves for the gradient.
  private mutating func decodeTableRow(
    _ y: Int, _ samples: inout [Int32], _ symbols: inout SymbolReader, _ code: borrowing EntropyCode,
    _ bits: inout BitReader
  ) {
    let view = EntropyView(code)
    let (table, leaves) = (tree.table.span, tree.leaves.span)
    let saturates = tree.saturatesGradient
    var output = samples.mutableSpan
    let row = y * width
    for x in 0..<width {
      let neighbours = Neighbours(output, x: x, y: y, width: width)
      let gradient =
        saturates ? neighbours.saturatedGradient : neighbours.left &+ neighbours.top &- neighbours.topLeft
      let leaf = leaves[Int(table[Self.tableIndex(gradient)])]
      let prediction =
        leaf.predictor == .gradient
        ? Int64(neighbours.clampedGradient) : neighbours.prediction(leaf.predictor)
      let residual = Int64(unpackSigned(symbols.read(cluster: Int(leaf.cluster), view, &bits)))
      output[row &+ x] = Int32(
        truncatingIfNeeded: prediction &+ Int64(leaf.offset) &+ Int64(leaf.multiplier) &* residual)
    }
  }

  /// The index in a table of leaves of the value of its property.
  @inline(__always)
  private static func tableIndex(_ value: Int32) -> Int {
    let range = ChannelTree.tableRange
    return Int(truncatingIfNeeded: min(max(value, -range), range &- 1) &+ range)
  }

  /// Decodes a row by decisions other than on the weighted predictor. Returns the number of decisions.
  private mutating func decodeRow(
    _ y: Int, _ samples: inout [Int32], _ symbols: inout SymbolReader, _ code: borrowing EntropyCode,
    _ bits: inout BitReader
  ) -> Int {
    let view = EntropyView(code)
    let (nodes, leaves) = (tree.nodes.span, tree.leaves.span)
    let references = referenceProperties.span
    var output = samples.mutableSpan
    var properties = SampleProperties(y: y)
    let saturates = tree.saturatesGradient
    var steps = 0
    let row = y * width
    for x in 0..<width {
      let neighbours = Neighbours(output, x: x, y: y, width: width)
      properties.set(neighbours, x: x)
      if saturates { properties.setGradient(neighbours.saturatedGradient) }
      let leaf = Self.leaf(nodes, leaves, properties, references, x &* referencePropertyCount, &steps)
      let prediction = neighbours.prediction(leaf.predictor)
      let residual = Int64(unpackSigned(symbols.read(cluster: Int(leaf.cluster), view, &bits)))
      output[row &+ x] = Int32(
        truncatingIfNeeded: prediction &+ Int64(leaf.offset) &+ Int64(leaf.multiplier) &* residual)
    }
    return steps
  }

  /// Decodes a row by decisions or predictions of the weighted predictor. Returns the number of decisions.
  private mutating func decodeWeightedRow(
    _ y: Int, _ samples: inout [Int32], _ symbols: inout SymbolReader, _ code: borrowing EntropyCode,
    _ bits: inout BitReader
  ) -> Int {
    // Moved to variables while in use, so that nothing is copied.
    errors.startRow()
    var (aboveErrors, currentErrors, trueCurrentErrors) = (errors.above, errors.current, errors.trueCurrent)
    (errors.above, errors.current, errors.trueCurrent) = ([], [], [])
    defer { (errors.above, errors.current, errors.trueCurrent) = (aboveErrors, currentErrors, trueCurrentErrors) }
    var above = aboveErrors.mutableSpan
    var current = currentErrors.mutableSpan
    var trueCurrent = trueCurrentErrors.mutableSpan
    let trueAbove = errors.trueAbove.span
    let reciprocalTable = WeightedPrediction.reciprocals
    let reciprocals = reciprocalTable.span
    var state = weighted
    let width = width
    let view = EntropyView(code)
    let (nodes, leaves) = (tree.nodes.span, tree.leaves.span)
    let references = referenceProperties.span
    let table = tree.table.span
    let usesTable = !table.isEmpty
    let isUniform = leaves.count == 1
    var output = samples.mutableSpan
    var properties = SampleProperties(y: y)
    var steps = 0
    let row = y * width
    for x in 0..<width {
      let neighbours = Neighbours(output, x: x, y: y, width: width)
      let weightedPrediction = state.predict(
        neighbours, x: x, width: width, above: above, trueAbove: trueAbove, trueCurrent: trueCurrent,
        reciprocals: reciprocals)
      let leaf: DecisionTree.Leaf
      if isUniform {
        leaf = leaves[0]
      } else if usesTable {
        leaf = leaves[Int(table[Self.tableIndex(state.largestError)])]
      } else {
        properties.set(neighbours, x: x)
        properties.setWeightedError(state.largestError)
        leaf = Self.leaf(nodes, leaves, properties, references, x &* referencePropertyCount, &steps)
      }
      let prediction = leaf.predictor == .weighted ? weightedPrediction : neighbours.prediction(leaf.predictor)
      let residual = Int64(unpackSigned(symbols.read(cluster: Int(leaf.cluster), view, &bits)))
      let value = Int32(
        truncatingIfNeeded: prediction &+ Int64(leaf.offset) &+ Int64(leaf.multiplier) &* residual)
      output[row &+ x] = value
      state.update(value, x: x, above: &above, current: &current, trueCurrent: &trueCurrent)
    }
    return steps
  }

  /// Follows the decisions of a sample.
  @inline(__always)
  private static func leaf(
    _ nodes: Span<DecisionTree.Node>, _ leaves: Span<DecisionTree.Leaf>, _ properties: borrowing SampleProperties,
    _ references: Span<Int32>, _ firstReference: Int, _ steps: inout Int
  ) -> DecisionTree.Leaf {
    var node = nodes[0]
    while node.property >= 0 {
      let property = Int(truncatingIfNeeded: node.property)
      let value = property < 16 ? properties[property] : references[firstReference &+ property &- 16]
      node = nodes[Int(truncatingIfNeeded: node.child) &+ (value > node.value ? 0 : 1)]
      steps &+= 1
    }
    return leaves[Int(truncatingIfNeeded: node.child)]
  }
}

/// The properties of a sample that depend on its neighbours (ISO/IEC 18181-1, H.4.1).
struct SampleProperties {
  private var values = InlineArray<16, Int32>(repeating: 0)

  init(y: Int) {
    values[2] = Int32(truncatingIfNeeded: y)
  }

  @inline(__always)
  subscript(index: Int) -> Int32 { values[index] }

  /// Calculates the properties of the next sample of a row.
  @inline(__always)
  mutating func set(_ neighbours: Neighbours, x: Int) {
    let (left, top, topLeft) = (neighbours.left, neighbours.top, neighbours.topLeft)
    values[3] = Int32(truncatingIfNeeded: x)
    values[4] = absolute(top)
    values[5] = absolute(left)
    values[6] = top
    values[7] = left
    // The gradient of the previous sample; 0 at the start of a row.
    values[8] = left &- values[9]
    values[9] = left &+ top &- topLeft
    values[10] = left &- topLeft
    values[11] = topLeft &- top
    values[12] = top &- neighbours.topRight
    values[13] = top &- neighbours.topTop
    values[14] = left &- neighbours.leftLeft
  }

  @inline(__always)
  mutating func setGradient(_ gradient: Int32) {
    values[9] = gradient
  }

  @inline(__always)
  mutating func setWeightedError(_ error: Int32) {
    values[15] = error
  }
}

/// The magnitude, which wraps for the least number.
@inline(__always)
func absolute(_ value: Int32) -> Int32 { value < 0 ? 0 &- value : value }
