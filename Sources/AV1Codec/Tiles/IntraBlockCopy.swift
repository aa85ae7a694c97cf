// The vectors of intra block copy (sections 5.11.26, 5.11.32, 6.10.25 and 7.10.2).

extension TileDecoder {
  /// `find_mv_stack`, `assign_mv` and `read_mv` of a block that is copied. A vector that refers to samples that are not
  /// decoded yet is damage.
  mutating func readVector(_ map: borrowing BlockMap, _ bytes: Span<UInt8>) {
    var search = VectorSearch(
      block, columns: columns, rows: rows, frameColumns: parameters.columns,
      frameRows: parameters.rows)
    search.perform(map)
    var predicted = search.vector(0)
    if predicted == SIMD2(0, 0) { predicted = search.vector(1) }
    if predicted == SIMD2(0, 0) {
      let units = parameters.superblockUnits
      predicted =
        block.row - units < rows.lowerBound
        ? SIMD2(0, Int32(-(units * 4 + Self.delayInSamples) * 8)) : SIMD2(Int32(-units * 4 * 8), 0)
    }
    let joint = symbols.decodeSymbol4(CDFIndex.vectorJoint, count: 4, contexts, bytes)
    var difference = SIMD2<Int32>(0, 0)
    if joint >= 2 { difference.x = readComponent(0, bytes) }
    if joint & 1 == 1 { difference.y = readComponent(1, bytes) }
    let vector = predicted &+ difference
    guard isValid(vector) else {
      damage = "a block is copied from samples that are not decoded"
      return
    }
    block.vector = SIMD2(Int16(truncatingIfNeeded: vector.x), Int16(truncatingIfNeeded: vector.y))
  }

  /// `INTRABC_DELAY_PIXELS`, and the same in squares of 64 × 64.
  private static let delayInSamples = 256
  private static let delayInSquares = 4

  /// `read_mv_component`, of whole samples.
  private mutating func readComponent(_ component: Int, _ bytes: Span<UInt8>) -> Int32 {
    let isNegative = symbols.decodeFlag(CDFIndex.vectorSign + component, contexts, bytes)
    let magnitudeClass = symbols.decodeSymbol16(
      CDFIndex.vectorClass + component * 4, count: 11, contexts, bytes)
    var samples = 0
    if magnitudeClass == 0 {
      samples = symbols.decodeFlag(CDFIndex.vectorClass0Bit + component, contexts, bytes) ? 2 : 1
    } else {
      for bit in 0..<magnitudeClass
      where symbols.decodeFlag(CDFIndex.vectorBit + component * 10 + bit, contexts, bytes) {
        samples |= 1 << bit
      }
      samples += 1 + 1 << magnitudeClass
    }
    return Int32(isNegative ? -samples * 8 : samples * 8)
  }

  /// `is_mv_valid`.
  private mutating func isValid(_ vector: SIMD2<Int32>) -> Bool {
    guard abs(vector.x) < 1 << 14, abs(vector.y) < 1 << 14, (vector.x | vector.y) & 7 == 0 else { return false }
    var top = block.row * 4 + Int(vector.x >> 3)
    var left = block.column * 4 + Int(vector.y >> 3)
    let (bottom, right) = (top + block.size.height, left + block.size.width)
    if block.hasChroma {
      if block.size.columns == 1, parameters.subsamplingX == 1 { left -= 4 }
      if block.size.rows == 1, parameters.subsamplingY == 1 { top -= 4 }
    }
    guard top >= rows.lowerBound * 4, left >= columns.lowerBound * 4, bottom <= rows.upperBound * 4,
      right <= columns.upperBound * 4
    else { return false }
    let log2Size = parameters.log2Superblock
    let (activeRow, activeColumn) = ((block.row * 4) >> log2Size, (block.column * 4) >> 6)
    let (sourceRow, sourceColumn) = ((bottom - 1) >> log2Size, (right - 1) >> 6)
    let squaresPerRow = (columns.count - 1) >> 4 + 1
    let active = activeRow * squaresPerRow + activeColumn
    guard sourceRow * squaresPerRow + sourceColumn < active - Self.delayInSquares else { return false }
    let gradient = 1 + Self.delayInSquares + (log2Size == 7 ? 1 : 0)
    return sourceRow <= activeRow
      && sourceColumn < activeColumn - Self.delayInSquares + gradient * (activeRow - sourceRow)
  }
}

/// The vectors of neighbours, by the weight of those that have them.
private struct VectorSearch {
  private let block: CodingBlock
  private let columns: Range<Int>
  private let rows: Range<Int>
  private let frameColumns: Int
  private let frameRows: Int
  /// `RefStackMv` and `WeightStack`.
  private var vectors: [(vector: SIMD2<Int32>, weight: Int)] = []

  private static let maximumCount = 8
  /// `REF_CAT_LEVEL`: what direct neighbours weigh more than others.
  private static let nearWeight = 640
  private static let border: Int32 = 128

  init(_ block: CodingBlock, columns: Range<Int>, rows: Range<Int>, frameColumns: Int, frameRows: Int) {
    (self.block, self.columns, self.rows) = (block, columns, rows)
    (self.frameColumns, self.frameRows) = (frameColumns, frameRows)
  }

  /// A vector of the stack, limited to the surroundings of the frame; zero if there are not as many.
  func vector(_ index: Int) -> SIMD2<Int32> {
    guard index < vectors.count else { return SIMD2(0, 0) }
    let vector = vectors[index].vector
    let (width, height) = (Int32(block.size.width), Int32(block.size.height))
    func limited(_ value: Int32, position: Int, size: Int, count: Int, border: Int32) -> Int32 {
      let before = Int32(position * -32) - border
      let after = Int32((count - size - position) * 32) + border
      return min(max(value, before), after)
    }
    return SIMD2(
      limited(
        vector.x, position: block.row, size: block.size.rows, count: frameRows, border: Self.border + height * 8),
      limited(
        vector.y, position: block.column, size: block.size.columns, count: frameColumns,
        border: Self.border + width * 8))
  }

  mutating func perform(_ map: borrowing BlockMap) {
    let (blockColumns, blockRows) = (block.size.columns, block.size.rows)
    scanRow(-1, map)
    scanColumn(-1, map)
    if max(blockColumns, blockRows) <= 16 { scanPoint(row: -1, column: blockColumns, map) }
    let nearCount = vectors.count
    for index in 0..<nearCount { vectors[index].weight += Self.nearWeight }
    scanPoint(row: -1, column: -1, map)
    scanRow(-3, map)
    scanColumn(-3, map)
    if blockRows > 1 { scanRow(-5, map) }
    if blockColumns > 1 { scanColumn(-5, map) }
    sort(0..<nearCount)
    sort(nearCount..<vectors.count)
  }

  private func isInside(row: Int, column: Int) -> Bool { rows.contains(row) && columns.contains(column) }

  private mutating func scanRow(_ distance: Int, _ map: borrowing BlockMap) {
    let width = block.size.columns
    let end = min(width, frameColumns - block.column, 16)
    let isFar = distance < -1
    let row = block.row + distance + (isFar ? block.row & 1 : 0)
    let first = block.column + (isFar ? 1 - block.column & 1 : 0)
    var index = 0
    while index < end, isInside(row: row, column: first + index) {
      var length = min(width, size(map, row: row, column: first + index).columns)
      if row < block.row - 1 { length = max(2, length) }
      if width >= 16 { length = max(4, length) }
      add(map, row: row, column: first + index, weight: length * 2)
      index += length
    }
  }

  private mutating func scanColumn(_ distance: Int, _ map: borrowing BlockMap) {
    let height = block.size.rows
    let end = min(height, frameRows - block.row, 16)
    let isFar = distance < -1
    let column = block.column + distance + (isFar ? block.column & 1 : 0)
    let first = block.row + (isFar ? 1 - block.row & 1 : 0)
    var index = 0
    while index < end, isInside(row: first + index, column: column) {
      var length = min(height, size(map, row: first + index, column: column).rows)
      if column < block.column - 1 { length = max(2, length) }
      if height >= 16 { length = max(4, length) }
      add(map, row: first + index, column: column, weight: length * 2)
      index += length
    }
  }

  private mutating func scanPoint(row: Int, column: Int, _ map: borrowing BlockMap) {
    let (row, column) = (block.row + row, block.column + column)
    guard isInside(row: row, column: column),
      map.sizes[map.index(column: column, row: row)] != BlockMap.unknownSize
    else { return }
    add(map, row: row, column: column, weight: 4)
  }

  private func size(_ map: borrowing BlockMap, row: Int, column: Int) -> BlockSize {
    let number = map.sizes[map.index(column: column, row: row)]
    return BlockSize(rawValue: number == BlockMap.unknownSize ? 0 : number)
  }

  private mutating func add(_ map: borrowing BlockMap, row: Int, column: Int, weight: Int) {
    let index = map.index(column: column, row: row)
    guard map.isCopied[index] else { return }
    let vector = SIMD2<Int32>(Int32(map.vectors[index].x), Int32(map.vectors[index].y))
    if let known = vectors.firstIndex(where: { $0.vector == vector }) {
      vectors[known].weight += weight
    } else if vectors.count < Self.maximumCount {
      vectors.append((vector, weight))
    }
  }

  /// Sorts a part by descending weight. Equal ones keep their order.
  private mutating func sort(_ range: Range<Int>) {
    var end = range.upperBound
    while end > range.lowerBound {
      var newEnd = range.lowerBound
      for index in range.dropFirst() where index < end && vectors[index - 1].weight < vectors[index].weight {
        vectors.swapAt(index - 1, index)
        newEnd = index
      }
      end = newEnd
    }
  }
}
