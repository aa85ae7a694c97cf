// CFF arrays of byte strings (Adobe TN 5176, section 5; OpenType, `CFF2`).

/// An INDEX structure.
struct CFFIndex: Sendable {
  private let table: TableBytes
  private let offsets: Int
  private let offsetSize: Int
  /// The number of byte strings.
  let count: Int
  /// The offset after the structure in its table.
  let end: Int

  /// An array with no elements.
  static let empty = CFFIndex(.empty, at: 0, isCFF2: false)

  /// Parses an array; a damaged one is empty.
  ///
  /// - Parameter isCFF2: whether the count is a 32-bit number.
  init(_ table: TableBytes, at start: Int, isCFF2: Bool) {
    self.table = table
    let countSize = isCFF2 ? 4 : 2
    let count = isCFF2 ? table.uint32(at: start) : table.uint16(at: start)
    offsetSize = table.uint8(at: start + countSize)
    offsets = start + countSize + 1
    guard count > 0, (1...4).contains(offsetSize), count < table.count,
      table.contains(offsets, (count + 1) * offsetSize)
    else {
      self.count = 0
      end = start + countSize
      return
    }
    self.count = count
    let dataStart = offsets + (count + 1) * offsetSize - 1
    end = dataStart + CFFIndex.offset(table, at: offsets + count * offsetSize, size: offsetSize)
  }

  private static func offset(_ table: TableBytes, at position: Int, size: Int) -> Int {
    var value = 0
    for index in 0..<size { value = value << 8 | table.uint8(at: position + index) }
    return value
  }

  /// A byte string; empty if it does not exist or is outside the table.
  subscript(index: Int) -> TableBytes {
    guard index >= 0, index < count else { return .empty }
    // Offsets are relative to the byte before the data.
    let base = offsets + (count + 1) * offsetSize - 1
    let first = CFFIndex.offset(table, at: offsets + index * offsetSize, size: offsetSize)
    let last = CFFIndex.offset(table, at: offsets + (index + 1) * offsetSize, size: offsetSize)
    guard first >= 1, last > first else { return .empty }
    return table.part(at: base + first, count: last - first)
  }
}
