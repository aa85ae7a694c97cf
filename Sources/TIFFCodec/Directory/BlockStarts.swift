// Where strips and tiles end in files that do not state it.

internal import ImageCoding
internal import MetadataFormats

/// The positions of the blocks of an image in the file.
struct BlockStarts {
  /// Ascending.
  private let offsets: [Int]

  /// The work units for reading and sorting an offset.
  private static let workPerBlock = 60

  init(_ layout: ImageLayout, in bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    let fields = layout.offsets
    try budget.allocate(count: fields.count, bytesEach: MemoryLayout<Int>.stride)
    try budget.chargeWork(count: fields.count, unitsEach: Self.workPerBlock)
    var offsets: [Int] = []
    offsets.reserveCapacity(fields.count)
    for index in 0..<fields.count {
      if let offset = fields.integer(at: index, in: bytes, header: layout.header) { offsets.append(offset) }
    }
    offsets.sort()
    self.offsets = offsets
  }

  /// Returns the position of the first block after an offset; `nil` if there is none.
  func first(behind offset: Int) -> Int? {
    var (low, high) = (0, offsets.count)
    while low < high {
      let middle = (low + high) / 2
      if offsets[middle] > offset { high = middle } else { low = middle + 1 }
    }
    return low < offsets.count ? offsets[low] : nil
  }
}
