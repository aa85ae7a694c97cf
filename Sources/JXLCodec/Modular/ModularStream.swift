// A Modular sub-bitstream (ISO/IEC 18181-1, H.2).

internal import ImageCoding

/// The header of a Modular stream, and the decoding of its channels.
struct ModularStream: Sendable {
  private let usesGlobalTree: Bool
  private let weights: WeightedParameters
  private var transforms: [ModularTransform] = []

  /// Reads the header and changes the list of channels to those that are coded.
  init(
    parsing bits: inout BitReader, _ image: inout ModularImage, budget: inout ResourceBudget
  ) throws(CodecError) {
    usesGlobalTree = try bits.readFlag()
    weights = try WeightedParameters(parsing: &bits)
    let count = try bits.readInt(.value(0), .value(1), .bits(4, offset: 2), .bits(8, offset: 18))
    // Transforms are undone with all of their channels.
    if count > 0 { for index in image.channels.indices { image.channels[index].isNeeded = true } }
    for _ in 0..<count {
      var transform = try ModularTransform(parsing: &bits, budget: &budget)
      try Self.locating(bits) { () throws(CodecError) in try transform.prepare(&image, &budget) }
      transforms.append(transform)
    }
  }

  /// Marks the channels that a picture reduced by a power of two does not need, and returns its binary logarithm: the
  /// greatest one up to a maximum, or 0 if the stream contains no reduced picture.
  func omitFinerLevels(
    upTo maximum: Int, _ image: inout ModularImage, budget: inout ResourceBudget
  ) throws(CodecError) -> Int {
    guard maximum > 0, case .squeeze(let squeeze)? = transforms.last,
      transforms.dropLast().allSatisfy({ $0.isColorTransform })
    else { return 0 }
    for level in stride(from: maximum, through: 1, by: -1)
    where try squeeze.omitLevels(finerThan: level, &image, budget: &budget) {
      return level
    }
    return 0
  }

  /// Decodes channels. Their samples are allocated; those of channels that are not decoded here are not.
  ///
  /// - Parameters:
  ///   - index: the index of the stream, a property of trees.
  ///   - maximumSize: decoding stops at the first channel that is larger, unless it is a meta channel.
  /// - Returns: the number of channels, from the start of the list, that were decoded.
  func decode(
    _ bits: inout BitReader, _ image: inout ModularImage, index: Int, globalTree: DecisionTree?,
    maximumSize: Int = .max, budget: inout ResourceBudget
  ) throws(CodecError) -> Int {
    var damage: CodecError?
    let count = try decode(
      &bits, &image, index: index, globalTree: globalTree, maximumSize: maximumSize, &damage, budget: &budget)
    if let damage { throw damage }
    return count
  }

  /// As ``decode(_:_:index:globalTree:maximumSize:budget:)``, except that damage of the samples ends the decoding. Those
  /// that follow it are zero.
  func decode(
    _ bits: inout BitReader, _ image: inout ModularImage, index: Int, globalTree: DecisionTree?, maximumSize: Int,
    _ damage: inout CodecError?, budget: inout ResourceBudget
  ) throws(CodecError) -> Int {
    let end =
      image.channels.indices.first {
        let channel = image.channels[$0]
        return $0 >= image.metaChannelCount && (channel.width > maximumSize || channel.height > maximumSize)
      } ?? image.channels.count
    let coded = image.channels[..<end].indices.filter { !image.channels[$0].isEmpty }
    guard let last = coded.last(where: { image.channels[$0].isNeeded }) else { return end }
    let decoded = coded.prefix { $0 <= last }
    for index in decoded { try image.channels[index].allocate(&budget) }
    let sampleCount = Self.sampleCount(coded, image)
    let held = budget.heldByteCount
    defer { budget.settle(heldByteCount: held) }
    let tree: DecisionTree
    if usesGlobalTree {
      guard let globalTree else { throw bits.error(.malformed, "there is no global decision tree") }
      tree = globalTree
    } else {
      tree = try DecisionTree(
        parsing: &bits, maximumNodeCount: min(1 << 20, 1024 + sampleCount), budget: &budget)
    }
    let widths = coded.map { image.channels[$0].width }
    try budget.allocate(SymbolReader.windowByteCount(tree.code, valueCount: sampleCount))
    var symbols = SymbolReader(&bits, tree.code, distanceMultiplier: widths.max() ?? 0)
    do throws(CodecError) {
      for channel in decoded {
        try decodeChannel(channel, &bits, &image, index, tree, &symbols, &budget)
      }
      if decoded.count == coded.count { try symbols.finish(&bits, tree.code) }
    } catch {
      guard error.isDamage else { throw error }
      damage = error
    }
    return end
  }

  /// The number of samples of channels, up to more than any limit that depends on it.
  private static func sampleCount(_ indices: [Int], _ image: ModularImage) -> Int {
    let maximum = 1 << 24
    return indices.reduce(0) { sum, index in
      let (count, overflow) = image.channels[index].width.multipliedReportingOverflow(by: image.channels[index].height)
      return overflow ? maximum : min(maximum, sum + min(maximum, count))
    }
  }

  private func decodeChannel(
    _ channel: Int, _ bits: inout BitReader, _ image: inout ModularImage, _ index: Int, _ tree: DecisionTree,
    _ symbols: inout SymbolReader, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let held = budget.heldByteCount
    defer { budget.settle(heldByteCount: held) }
    let channelTree = try ChannelTree(
      tree, channel: channel, stream: index, sampleCount: image.channels[channel].samples.count, budget: &budget)
    var decoder = try ChannelDecoder(channelTree, image, index: channel, weights, &budget)
    // Moved out of the list while in use, so that nothing is copied.
    var samples = image.channels[channel].samples
    image.channels[channel].samples = []
    defer { image.channels[channel].samples = samples }
    try decoder.decode(into: &samples, &symbols, tree.code, &bits, &budget)
  }

  /// Whether channels are transformed.
  var hasTransforms: Bool { !transforms.isEmpty }

  /// The greatest distance at which samples of the channels contribute to a sample of the picture.
  var reach: ModularTransform.Reach { transforms.map { $0.reach }.max() ?? .sample }

  /// Whether channels are squeezed, so that the first ones are a reduced picture.
  var isSqueezed: Bool { transforms.contains { $0.reach == .squeezed } }

  /// Undoes the transforms.
  func undoTransforms(_ image: inout ModularImage, budget: inout ResourceBudget) throws(CodecError) {
    for transform in transforms.reversed() { try transform.undo(&image, weights, &budget) }
  }

  /// Adds the position in the codestream to errors about the channels.
  private static func locating(
    _ bits: borrowing BitReader, _ body: () throws(CodecError) -> Void
  ) throws(CodecError) {
    do throws(CodecError) {
      try body()
    } catch {
      throw error.located(at: error.byteOffset ?? bits.byteOffset, in: JXLDecoder.type)
    }
  }
}
