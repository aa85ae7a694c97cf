// The parameters of the filters that are applied to decoded frames (ISO/IEC 18181-1, F.5).

internal import ImageCoding

/// `RestorationFilter`. By default both filters are applied.
package struct RestorationFilter: Hashable, Sendable {
  private(set) var usesGaborish = true
  /// The weights of the four neighbours and of the four diagonal ones, for X, Y and B in turn.
  private(set) var gaborishWeights: [Float] = [
    0.115169525, 0.061248592, 0.115169525, 0.061248592, 0.115169525, 0.061248592,
  ]
  /// The number of iterations of the edge-preserving filter; 0 if it is not applied.
  private(set) var edgeIterationCount = 2
  /// The factors of the eight sharpness levels of blocks.
  private(set) var sharpness: [Float] = (0..<8).map { Float($0) / 7 }
  /// The weights of differences in X, Y and B.
  private(set) var channelScale: [Float] = [40, 5, 3.5]
  private(set) var quantizationFactor: Float = 0.46
  /// The factors of sigma in the first and the last iteration.
  private(set) var firstSigmaScale: Float = 0.9
  private(set) var lastSigmaScale: Float = 6.5
  /// The factor of differences at the borders of blocks.
  private(set) var borderFactor: Float = 2.0 / 3
  /// Sigma of Modular frames.
  private(set) var modularSigma: Float = 1

  package init() {}

  /// Gaborish alone, with the weights of each plane.
  package init(gaborishWeights: [Float]) {
    (self.gaborishWeights, edgeIterationCount) = (gaborishWeights, 0)
  }

  /// A filter of edges alone.
  package init(edgeIterationCount: Int) {
    (usesGaborish, self.edgeIterationCount) = (false, edgeIterationCount)
  }

  package init(parsing bits: inout BitReader, isModular: Bool) throws(CodecError) {
    if try bits.readFlag() { return }
    usesGaborish = try bits.readFlag()
    if usesGaborish, try bits.readFlag() {
      for index in gaborishWeights.indices { gaborishWeights[index] = try bits.readF16() }
    }
    edgeIterationCount = try bits.readInt(2)
    if edgeIterationCount > 0 { try readEdgeFilter(&bits, isModular) }
    try bits.skipExtensions()
  }

  private mutating func readEdgeFilter(_ bits: inout BitReader, _ isModular: Bool) throws(CodecError) {
    if !isModular, try bits.readFlag() {
      for index in sharpness.indices { sharpness[index] = try bits.readF16() }
    }
    if try bits.readFlag() {
      for index in channelScale.indices { channelScale[index] = try bits.readF16() }
      _ = try bits.readBits(32)
    }
    if try bits.readFlag() {
      if !isModular { quantizationFactor = try bits.readF16() }
      firstSigmaScale = try bits.readF16()
      lastSigmaScale = try bits.readF16()
      borderFactor = try bits.readF16()
    }
    if isModular { modularSigma = try bits.readF16() }
  }

  /// Whether no filter is applied.
  package var isIdentity: Bool { !usesGaborish && edgeIterationCount == 0 }
}
