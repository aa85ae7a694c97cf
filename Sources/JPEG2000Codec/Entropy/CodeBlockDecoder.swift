// The decoding of code-blocks of either kind.

internal import ImageCoding

/// A code-block to be decoded.
struct CodedBlock: Sendable {
  let width: Int
  let height: Int
  let orientation: Subband.Orientation
  /// The number of bit-planes that are coded.
  let planeCount: Int
  /// The number of bit-planes of the band.
  let maximumPlaneCount: Int
  /// The shift of the region of interest.
  let regionShift: Int
  let style: ComponentCodingStyle.BlockStyle
}

/// Decodes code-blocks, ordinary and high-throughput ones. One decoder is used for many code-blocks, so that its memory
/// is allocated once.
struct CodeBlockDecoder {
  /// The coefficients of the last code-block, row by row, in units of half a quantisation step: the lowest bit is that of
  /// the mid-point.
  private(set) var samples = [Int32](repeating: 0, count: 4096)
  private var ordinary = BlockDecoder()
  private var highThroughput = HTBlockDecoder()

  /// The number of bytes of a decoder, at most.
  static let byteCount = 4096 * 4 + BlockDecoder.byteCount + BlockSegments.maximumByteCount

  /// Decodes a code-block into ``samples``.
  ///
  /// - Returns: the defect of a damaged code-block, of which as much as possible has been decoded.
  mutating func decode(
    _ block: CodedBlock, _ data: BlockSegments, _ budget: inout ResourceBudget
  ) throws(CodecError) -> CodecError? {
    let isHighThroughput = block.style.contains(.highThroughput)
    let planeCount = isHighThroughput ? block.maximumPlaneCount : block.planeCount
    guard planeCount <= (isHighThroughput ? HTBlockDecoder.maximumPlaneCount : BlockDecoder.maximumPlaneCount) else {
      throw .jpeg2000(.unsupported, "code-blocks of \(planeCount) bit-planes are not supported")
    }
    let count = block.width * block.height
    for index in 0..<count { samples[index] = 0 }
    guard block.planeCount > 0 else {
      return .jpeg2000(.malformed, "a code-block has passes but no bit-planes")
    }
    var damage: CodecError?
    if isHighThroughput {
      if try !highThroughput.decode(block, planeCount: planeCount, data, &samples, &budget) {
        damage = .jpeg2000(.malformed, "a high-throughput code-block is damaged")
        // As OpenJPEG does, leaves out the code-block.
        for index in 0..<count { samples[index] = 0 }
      }
    } else if try !ordinary.decode(block, data, &samples, &budget) {
      damage = .jpeg2000(.malformed, "a segmentation symbol of a code-block is wrong")
    }
    scaleRegionOfInterest(&samples, count: count, shift: block.regionShift)
    return damage
  }
}
