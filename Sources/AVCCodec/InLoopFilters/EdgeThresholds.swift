// The thresholds of the deblocking filter (section 8.7.2.2 and tables 8-16 and 8-17).

/// The thresholds of an edge between two macroblocks. As all are intra-coded, the strength of edges is 3 or 4.
package struct EdgeThresholds {
  package let alpha: Int32
  package let beta: Int32
  /// `tC0` of edges of strength 3.
  package let limit: Int32

  /// - Parameters:
  ///   - first: the quantization parameters at both sides: `qPp` and `qPq`.
  package init(_ first: Int, _ second: Int, _ parameters: DeblockingParameters, bitDepth: Int) {
    let mean = (first &+ second &+ 1) &>> 1
    let alphaIndex = min(max(mean &+ parameters.alphaOffset, 0), 51)
    let betaIndex = min(max(mean &+ parameters.betaOffset, 0), 51)
    let shift = Int32(truncatingIfNeeded: bitDepth &- 8)
    alpha = Int32(Self.alphas[alphaIndex]) &<< shift
    beta = Int32(Self.betas[betaIndex]) &<< shift
    limit = Int32(Self.limits[alphaIndex]) &<< shift
  }

  private static let alphas: InlineArray<52, UInt8> = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 17, 20, 22, 25, 28, 32, 36,
    40, 45, 50, 56, 63, 71, 80, 90, 101, 113, 127, 144, 162, 182, 203, 226, 255, 255,
  ]
  private static let betas: InlineArray<52, UInt8> = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11,
    11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18,
  ]
  private static let limits: InlineArray<52, UInt8> = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5,
    6, 6, 7, 8, 9, 10, 11, 13, 14, 16, 18, 20, 23, 25,
  ]
}
