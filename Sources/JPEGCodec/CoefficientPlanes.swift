// Storage of coefficients between the scans of a progressive or non-interleaved image.

internal import ImageCore

/// The quantised coefficients of all components, blocks row by row, each in zigzag order.
struct CoefficientPlanes {
  /// Where the blocks of a component lie.
  struct Plane {
    /// The index of the first coefficient.
    var start: Int
    /// Blocks in a row, whole MCUs.
    var blocksPerRow: Int

    /// The index of the first coefficient of a block.
    @inline(__always)
    func block(row: Int, column: Int) -> Int { start &+ (row &* blocksPerRow &+ column) &* 64 }
  }

  private(set) var planes: [Plane] = []
  var coefficients: [Int16]

  /// Zeros for every block of a frame.
  ///
  /// - Throws: ``DecodeError/Kind/limitExceeded`` when they and the pixels take more bytes than allowed.
  init(frame: FrameHeader, limits: DecodingLimits, pixelByteCount: Int, byteOffset: Int) throws(DecodeError) {
    var count = 0
    for component in frame.components {
      planes.append(Plane(start: count, blocksPerRow: component.paddedBlocksPerRow))
      // At most 2^13 · 4 blocks each way.
      count += component.paddedBlocksPerRow * component.paddedBlockRowCount * 64
    }
    guard count <= (limits.maximumByteCount - min(pixelByteCount, limits.maximumByteCount)) / 2 else {
      throw DecodeError(
        .limitExceeded, "the coefficients need more than \(limits.maximumByteCount) bytes",
        format: JPEGDecoder.type, byteOffset: byteOffset)
    }
    coefficients = [Int16](repeating: 0, count: count)
  }
}
