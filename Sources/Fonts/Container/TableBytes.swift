// The bytes of a font table, read as big-endian integers at unchecked offsets: anything outside the table reads as
// zero. In OpenType zero is the null offset, the empty count and the missing glyph, so a damaged table reads as an
// empty one.

internal import ImageCore

/// A font table, or part of one.
@usableFromInline
package struct TableBytes: Sendable {
  @usableFromInline let storage: [UInt8]
  @usableFromInline let start: Int
  /// The number of bytes.
  @usableFromInline package let count: Int

  /// A table with no bytes.
  package static let empty = TableBytes([])

  /// Creates a table from all of the given bytes.
  init(_ storage: [UInt8]) {
    self.storage = storage
    start = 0
    count = storage.count
  }

  private init(storage: [UInt8], start: Int, count: Int) {
    self.storage = storage
    self.start = start
    self.count = count
  }

  /// Whether the table has no bytes.
  var isEmpty: Bool { count == 0 }

  /// The part that starts at an offset, clipped to the end of the table; empty if it starts outside.
  package func part(at offset: Int, count wanted: Int = .max) -> TableBytes {
    guard offset >= 0, offset < count, wanted > 0 else { return .empty }
    return TableBytes(storage: storage, start: start &+ offset, count: min(wanted, count &- offset))
  }

  /// Whether `length` bytes at an offset are within the table.
  @inlinable @inline(__always)
  package func contains(_ offset: Int, _ length: Int) -> Bool {
    offset >= 0 && length >= 0 && length <= count && offset <= count &- length
  }

  /// Returns some bytes; fewer than `length` if the table ends first.
  func bytes(at offset: Int, count length: Int) -> [UInt8] {
    let part = part(at: offset, count: length)
    return Array(part.storage[part.start..<part.start + part.count])
  }

  @inline(__always)
  func uint8(at offset: Int) -> Int {
    guard offset >= 0, offset < count else { return 0 }
    return Int(storage[start &+ offset])
  }

  @inline(__always)
  func int8(at offset: Int) -> Int {
    Int(Int8(truncatingIfNeeded: uint8(at: offset)))
  }

  @inlinable @inline(__always)
  package func uint16(at offset: Int) -> Int {
    guard offset >= 0, offset <= count &- 2 else { return 0 }
    return Int(storage[start &+ offset]) << 8 | Int(storage[start &+ offset &+ 1])
  }

  @inlinable @inline(__always)
  package func int16(at offset: Int) -> Int {
    Int(Int16(truncatingIfNeeded: uint16(at: offset)))
  }

  func uint24(at offset: Int) -> Int {
    guard contains(offset, 3) else { return 0 }
    return uint8(at: offset) << 16 | uint16(at: offset &+ 1)
  }

  @inlinable @inline(__always)
  package func uint32(at offset: Int) -> Int {
    guard offset >= 0, offset <= count &- 4 else { return 0 }
    return uint16(at: offset) << 16 | uint16(at: offset &+ 2)
  }

  func int32(at offset: Int) -> Int {
    Int(Int32(truncatingIfNeeded: uint32(at: offset)))
  }

  /// A signed 16-bit number with 14 fraction bits (F2DOT14).
  package func fraction14(at offset: Int) -> Double {
    Double(int16(at: offset)) / 16384
  }

  /// A signed 32-bit number with 16 fraction bits (Fixed).
  func fixed(at offset: Int) -> Double {
    Double(int32(at: offset)) / 65536
  }

  /// A four-letter tag.
  package func tag(at offset: Int) -> Tag {
    Tag(rawValue: UInt32(truncatingIfNeeded: uint32(at: offset)))
  }

  /// Returns the index in 0..<`count` of the record with the given key, among records of `stride` bytes sorted by a
  /// 16-bit key; `nil` if there is none.
  @inlinable @inline(__always)
  package func binarySearch(_ key: Int, count: Int, at offset: Int, stride: Int) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) >> 1
      let value = uint16(at: offset &+ middle &* stride)
      if value == key { return middle }
      if value < key { low = middle &+ 1 } else { high = middle }
    }
    return nil
  }

  /// Returns the index in 0..<`count` of the record whose range includes `key`, among records of `stride` bytes that
  /// begin with their first and last 16-bit keys.
  @inlinable @inline(__always)
  package func rangeSearch(_ key: Int, count: Int, at offset: Int, stride: Int) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) >> 1
      let record = offset &+ middle &* stride
      if uint16(at: record &+ 2) < key {
        low = middle &+ 1
      } else if uint16(at: record) > key {
        high = middle
      } else {
        return middle
      }
    }
    return nil
  }
}
