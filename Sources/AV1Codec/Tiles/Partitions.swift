// The division of superblocks into blocks (section 5.11.4).

extension TileDecoder {
  /// Decodes a square. Squares are halved at most five times.
  mutating func decodePartition(
    row: Int, column: Int, _ size: BlockSize, _ picture: inout Picture, _ bytes: Span<UInt8>
  ) {
    guard row < parameters.rows, column < parameters.columns, damage == nil else { return }
    let log2Units = size.log2Columns
    let half = size.columns &>> 1
    let hasRows = row &+ half < parameters.rows
    let hasColumns = column &+ half < parameters.columns
    let partition = readPartition(
      row: row, column: column, log2Units, hasRows: hasRows, hasColumns: hasColumns, bytes)
    guard parameters.subsamplingX == parameters.subsamplingY || !partition.isTall else {
      damage = "a partition has no chroma size"
      return
    }
    if partition == .split, log2Units > 1 {
      let quarter = BlockSize(log2Columns: log2Units &- 1, log2Rows: log2Units &- 1)
      decodePartition(row: row, column: column, quarter, &picture, bytes)
      decodePartition(row: row, column: column &+ half, quarter, &picture, bytes)
      decodePartition(row: row &+ half, column: column, quarter, &picture, bytes)
      decodePartition(row: row &+ half, column: column &+ half, quarter, &picture, bytes)
      return
    }
    let blocks = PartitionBlocks(partition, log2Units)
    for index in 0..<blocks.count {
      let (blockRow, blockColumn) = (row &+ blocks.row(index), column &+ blocks.column(index))
      guard blockRow < parameters.rows, blockColumn < parameters.columns, damage == nil else { continue }
      decodeBlock(row: blockRow, column: blockColumn, blocks.size(index), &picture, bytes)
    }
  }

  private mutating func readPartition(
    row: Int, column: Int, _ log2Units: Int, hasRows: Bool, hasColumns: Bool, _ bytes: Span<UInt8>
  ) -> Partition {
    guard hasRows || hasColumns else { return .split }
    let isNarrowAbove = Int(above[column].log2Size) < log2Units
    let isNarrowLeft = Int(left[row & 31].log2Size) < log2Units
    let context = (isNarrowLeft ? 2 : 0) &+ (isNarrowAbove ? 1 : 0)
    let group = CDFIndex.partition &+ ((log2Units &- 1) &* 4 &+ context) &* 4
    if hasRows, hasColumns {
      let symbol =
        log2Units == 1
        ? symbols.decodeSymbol4(group, count: 4, contexts, bytes)
        : symbols.decodeSymbol16(group, count: log2Units == 5 ? 8 : 10, contexts, bytes)
      return Partition(rawValue: UInt8(truncatingIfNeeded: symbol)) ?? .none
    }
    // The partitions that halve the square in the direction that is outside the frame.
    let members: [Partition] =
      hasColumns
      ? [.vertical, .split, .horizontalA, .verticalA, .verticalB, .vertical4]
      : [.horizontal, .split, .horizontalA, .horizontalB, .verticalA, .horizontal4]
    var probability = 0
    for member in members where log2Units < 5 || member.rawValue < 8 {
      probability += contexts.probability(of: Int(member.rawValue), group)
    }
    let isSplit = symbols.decodeFlag(probability: UInt16(truncatingIfNeeded: probability), bytes)
    return isSplit ? .split : hasColumns ? .horizontal : .vertical
  }
}

extension Partition {
  /// Whether some of its blocks have more rows than columns.
  fileprivate var isTall: Bool {
    switch self {
    case .vertical, .verticalA, .verticalB, .vertical4: true
    default: false
    }
  }
}

/// The blocks of a partition, in coding order.
private struct PartitionBlocks {
  private let partition: Partition
  private let log2Units: Int

  init(_ partition: Partition, _ log2Units: Int) {
    (self.partition, self.log2Units) = (partition, log2Units)
  }

  var count: Int {
    switch partition {
    case .none: 1
    case .horizontal, .vertical: 2
    case .horizontalA, .horizontalB, .verticalA, .verticalB: 3
    case .split, .horizontal4, .vertical4: 4
    }
  }

  /// Whether the block is one of four quarters of the square.
  private func isQuarter(_ index: Int) -> Bool {
    switch partition {
    case .split: true
    case .horizontalA, .verticalA: index < 2
    case .horizontalB, .verticalB: index > 0
    default: false
    }
  }

  func size(_ index: Int) -> BlockSize {
    if isQuarter(index) { return BlockSize(log2Columns: log2Units &- 1, log2Rows: log2Units &- 1) }
    switch partition {
    case .none, .split: return BlockSize(log2Columns: log2Units, log2Rows: log2Units)
    case .horizontal, .horizontalA, .horizontalB:
      return BlockSize(log2Columns: log2Units, log2Rows: log2Units &- 1)
    case .vertical, .verticalA, .verticalB: return BlockSize(log2Columns: log2Units &- 1, log2Rows: log2Units)
    case .horizontal4: return BlockSize(log2Columns: log2Units, log2Rows: log2Units &- 2)
    case .vertical4: return BlockSize(log2Columns: log2Units &- 2, log2Rows: log2Units)
    }
  }

  func row(_ index: Int) -> Int {
    let half = 1 &<< (log2Units &- 1)
    switch partition {
    case .none, .vertical: return 0
    case .horizontal: return index &* half
    case .split: return (index &>> 1) &* half
    case .horizontalA: return index == 2 ? half : 0
    case .horizontalB: return index > 0 ? half : 0
    case .verticalA: return index == 1 ? half : 0
    case .verticalB: return index == 2 ? half : 0
    case .horizontal4: return index &* (half &>> 1)
    case .vertical4: return 0
    }
  }

  func column(_ index: Int) -> Int {
    let half = 1 &<< (log2Units &- 1)
    switch partition {
    case .none, .horizontal: return 0
    case .vertical: return index &* half
    case .split: return (index & 1) &* half
    case .horizontalA: return index == 1 ? half : 0
    case .horizontalB: return index == 2 ? half : 0
    case .verticalA: return index == 2 ? half : 0
    case .verticalB: return index > 0 ? half : 0
    case .horizontal4: return 0
    case .vertical4: return index &* (half &>> 1)
    }
  }
}
