// The contexts of blocks (ISO/IEC 18181-1, I.2.2).

internal import ImageCoding

/// `HfBlockContext`: the cluster of a block by its channel, its coefficient order, its multiplier and its quantised LF
/// coefficients.
struct BlockContexts: Sendable {
  /// The thresholds of the LF coefficients of X, Y and B.
  private(set) var thresholds: [[Int32]] = [[], [], []]
  private(set) var multiplierThresholds: [Int32] = []
  /// The number of classes of LF coefficients.
  private(set) var lowFrequencyClassCount = 1
  private(set) var clusters = CoefficientContexts.defaultBlockClusters
  private(set) var clusterCount = 15

  private static let maximumClassCount = 64
  private static let maximumClusterCount = 16

  init(parsing bits: inout BitReader, budget: inout ResourceBudget) throws(CodecError) {
    if try bits.readFlag() { return }
    for channel in 0..<3 {
      for _ in 0..<(try bits.readInt(4)) {
        let threshold = try bits.readU32(
          .bits(4), .bits(8, offset: 16), .bits(16, offset: 272), .bits(32, offset: 65808))
        thresholds[channel].append(unpackSigned(threshold))
      }
      lowFrequencyClassCount *= thresholds[channel].count + 1
    }
    for _ in 0..<(try bits.readInt(4)) {
      multiplierThresholds.append(
        1 + Int32(try bits.readInt(.bits(2), .bits(3, offset: 4), .bits(5, offset: 12), .bits(8, offset: 44))))
    }
    let classCount = lowFrequencyClassCount * (multiplierThresholds.count + 1)
    guard classCount <= Self.maximumClassCount else {
      throw bits.error(.malformed, "there are too many classes of blocks")
    }
    clusters = try ContextMap.read(&bits, count: 3 * TransformKind.orderCount * classCount, budget: &budget)
    clusterCount = Int(clusters.max() ?? 0) + 1
    guard clusterCount <= Self.maximumClusterCount else {
      throw bits.error(.malformed, "there are too many clusters of blocks")
    }
  }

  /// The number of contexts of the coefficients of all clusters.
  var contextCount: Int {
    clusterCount * (CoefficientContexts.count + CoefficientContexts.countContextCount)
  }

  /// Returns the class of the quantised LF coefficients of a block.
  @inline(__always)
  func lowFrequencyClass(x: Int32, y: Int32, b: Int32) -> UInt8 {
    var index = thresholds[0].count { $0 < x }
    index = index * (thresholds[2].count + 1) + thresholds[2].count { $0 < b }
    index = index * (thresholds[1].count + 1) + thresholds[1].count { $0 < y }
    return UInt8(truncatingIfNeeded: index)
  }

  /// Returns the class of the multiplier of a block.
  @inline(__always)
  func multiplierClass(_ multiplier: Int32) -> Int { multiplierThresholds.count { $0 < multiplier } }

  /// Returns the index of a block in ``clusters``.
  @inline(__always)
  func index(channel: Int, order: Int, multiplierClass: Int, lowFrequencyClass: Int) -> Int {
    // The channels are in the order Y, X, B.
    let place = channel < 2 ? 1 &- channel : 2
    return ((place &* TransformKind.orderCount &+ order) &* (multiplierThresholds.count &+ 1) &+ multiplierClass)
      &* lowFrequencyClassCount &+ lowFrequencyClass
  }
}
