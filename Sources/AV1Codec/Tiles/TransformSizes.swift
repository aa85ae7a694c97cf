// The transform sizes of a block (sections 5.11.15 to 5.11.17).

extension TileDecoder {
  /// `read_block_tx_size`.
  mutating func readTransformSize(_ bytes: Span<UInt8>) {
    guard !block.isLossless else {
      block.transform = .size4x4
      if block.isCopied { fillCopiedTransforms(.size4x4) }
      return
    }
    let largest = block.size.largestTransform
    block.transform = largest
    let mayBeSmaller = parameters.selectsTransformSizes && block.size.rawValue > 0
    if block.isCopied {
      guard mayBeSmaller, !block.isSkipped else {
        fillCopiedTransforms(largest)
        return
      }
      for row in stride(from: block.row, to: block.row + block.size.rows, by: largest.rows) {
        for column in stride(from: block.column, to: block.column + block.size.columns, by: largest.columns) {
          readTransformTree(row: row, column: column, largest, depth: 0, bytes)
        }
      }
      return
    }
    guard mayBeSmaller else { return }
    let depth = readTransformDepth(largest, bytes)
    for _ in 0..<depth { block.transform = block.transform.split }
  }

  /// `tx_depth`: how often the largest transform is divided.
  private mutating func readTransformDepth(_ largest: TransformSize, _ bytes: Span<UInt8>) -> Int {
    let isAboveAsWide = Int(above[block.column].transform) >= largest.width
    let isLeftAsTall = Int(left[block.row & 31].transform) >= largest.height
    let context = (isAboveAsWide ? 1 : 0) &+ (isLeftAsTall ? 1 : 0)
    let maximumDepth = min(max(block.size.log2Columns, block.size.log2Rows), 4)
    let group = CDFIndex.transformDepth &+ max(maximumDepth &- 1, 0) &* 3 &+ context
    if maximumDepth <= 1 { return symbols.decodeFlag(group, contexts, bytes) ? 1 : 0 }
    return symbols.decodeSymbol4(group, count: 3, contexts, bytes)
  }

  /// `read_var_tx_size`: a tree of at most three levels.
  private mutating func readTransformTree(
    row: Int, column: Int, _ size: TransformSize, depth: Int, _ bytes: Span<UInt8>
  ) {
    guard row < parameters.rows, column < parameters.columns else { return }
    var isSplit = false
    if size != .size4x4, depth < 2 {
      let isNarrowAbove = Int(above[column].splitTransform) < size.width
      let isNarrowLeft = Int(left[row & 31].splitTransform) < size.height
      let largestSide = min(max(block.size.log2Columns, block.size.log2Rows), 4)
      let context =
        (size.longerSide != largestSide ? 3 : 0) + (4 - largestSide) * 6 + (isNarrowAbove ? 1 : 0)
        + (isNarrowLeft ? 1 : 0)
      isSplit = symbols.decodeFlag(CDFIndex.transformSplit + context, contexts, bytes)
    }
    guard isSplit else {
      block.transform = size
      setCopiedTransform(size, row: row, column: column)
      for index in column..<column + size.columns {
        above[index].splitTransform = UInt8(size.width)
      }
      for index in 0..<size.rows { left[(row + index) & 31].splitTransform = UInt8(size.height) }
      return
    }
    let part = size.split
    for y in stride(from: row, to: row + size.rows, by: part.rows) {
      for x in stride(from: column, to: column + size.columns, by: part.columns) {
        readTransformTree(row: y, column: x, part, depth: depth + 1, bytes)
      }
    }
  }

  private mutating func fillCopiedTransforms(_ size: TransformSize) {
    for row in stride(from: block.row, to: block.row + block.size.rows, by: size.rows) {
      for column in stride(from: block.column, to: block.column + block.size.columns, by: size.columns) {
        setCopiedTransform(size, row: row, column: column)
      }
    }
  }

  private mutating func setCopiedTransform(_ size: TransformSize, row: Int, column: Int) {
    for y in row..<row + size.rows {
      for x in column..<column + size.columns { copiedTransforms[(y & 31) * 32 + x & 31] = size.rawValue }
    }
  }

  /// `InterTxSizes` of a unit of the current block.
  mutating func copiedTransform(row: Int, column: Int) -> TransformSize {
    TransformSize(rawValue: copiedTransforms[(row & 31) &* 32 &+ column & 31])
  }

  /// Sets the contexts of `txfm_split` along the block's bottom and right.
  mutating func publishSplitTransforms() {
    let (bottom, right) = (block.row + block.size.rows - 1, block.column + block.size.columns - 1)
    for column in block.column...right {
      above[column].splitTransform = UInt8(copiedTransform(row: bottom, column: column).width)
    }
    for row in block.row...bottom {
      left[row & 31].splitTransform = UInt8(copiedTransform(row: row, column: right).height)
    }
  }
}
