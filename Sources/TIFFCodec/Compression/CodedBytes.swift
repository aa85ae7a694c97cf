// The cost of reading coded bytes, which several strips or tiles of a file may share.

internal import ImageCoding

/// Charges the coded bytes of strips and tiles, in addition to what is decoded from them.
///
/// The blocks of a file do not overlap, so that its size limits what they cost, however little they decode to. A
/// hostile file may let many blocks share bytes that are costly to read, such as the tables of empty blocks in a
/// DEFLATE stream.
struct CodedBytes {
  /// The number of bytes that blocks may have in total before they must overlap.
  private var unsharedByteCount: Int

  /// - Parameter fileByteCount: the size of the file.
  init(fileByteCount: Int) {
    unsharedByteCount = fileByteCount
  }

  /// Charges the bytes of a block.
  ///
  /// - Parameter compression: `nil` if it is not decoded.
  mutating func charge(
    _ byteCount: Int, compression: Compression?, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let unshared = min(byteCount, unsharedByteCount)
    unsharedByteCount -= unshared
    try budget.chargeWork(count: byteCount - unshared, unitsEach: compression?.workPerSharedByte ?? 1)
  }
}

extension Compression {
  /// The work units for reading a byte that decodes to nothing, at most.
  fileprivate var workPerSharedByte: Int {
    switch self {
    case .deflate: 200
    case .jpeg, .webP, .jpeg2000, .jpeg2000YCbCr, .jpegXL: 80
    case .stored, .packBits, .sgiLog, .sgiLog24, .lzw, .modifiedHuffman, .group3, .group4: 16
    }
  }
}
