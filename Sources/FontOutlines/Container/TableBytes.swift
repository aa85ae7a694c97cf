// The bytes of one table of a font: big-endian integers at offsets that need no check, because what lies outside of the
// table reads as zero. Zero is the null offset, the empty count and the absent glyph of OpenType, so a damaged table
// reads as an empty one.

internal import ImageCore

/// A table of a font, or a part of one.
struct TableBytes: Sendable {
  private let storage: [UInt8]
  private let start: Int
  /// The number of bytes.
  let count: Int

  /// A table without bytes.
  static let empty = TableBytes([])

  /// All of some bytes.
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

  /// Whether there is nothing in the table.
  var isEmpty: Bool { count == 0 }

  /// The part from an offset on, cut at the end of the table; empty when it lies outside.
  func part(at offset: Int, count wanted: Int = .max) -> TableBytes {
    guard offset >= 0, offset < count, wanted > 0 else { return .empty }
    return TableBytes(storage: storage, start: start &+ offset, count: min(wanted, count &- offset))
  }

  /// Whether `length` bytes at an offset lie within the table.
  @inline(__always)
  func contains(_ offset: Int, _ length: Int) -> Bool {
    offset >= 0 && length >= 0 && length <= count && offset <= count &- length
  }

  /// Some bytes; fewer than `length` where the table ends before.
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

  @inline(__always)
  func uint16(at offset: Int) -> Int {
    guard offset >= 0, offset <= count &- 2 else { return 0 }
    return Int(storage[start &+ offset]) << 8 | Int(storage[start &+ offset &+ 1])
  }

  @inline(__always)
  func int16(at offset: Int) -> Int {
    Int(Int16(truncatingIfNeeded: uint16(at: offset)))
  }

  func uint24(at offset: Int) -> Int {
    guard contains(offset, 3) else { return 0 }
    return uint8(at: offset) << 16 | uint16(at: offset &+ 1)
  }

  @inline(__always)
  func uint32(at offset: Int) -> Int {
    guard offset >= 0, offset <= count &- 4 else { return 0 }
    return uint16(at: offset) << 16 | uint16(at: offset &+ 2)
  }

  func int32(at offset: Int) -> Int {
    Int(Int32(truncatingIfNeeded: uint32(at: offset)))
  }

  /// A signed number with 14 bits after the point (F2DOT14).
  func fraction14(at offset: Int) -> Double {
    Double(int16(at: offset)) / 16384
  }

  /// A signed number with 16 bits after the point (Fixed).
  func fixed(at offset: Int) -> Double {
    Double(int32(at: offset)) / 65536
  }

  /// Four letters.
  func tag(at offset: Int) -> Tag {
    Tag(rawValue: UInt32(truncatingIfNeeded: uint32(at: offset)))
  }

  /// The index in 0..<`count` whose key is `key`, among records of `stride` bytes that are sorted by an integer of two
  /// bytes; `nil` where there is none.
  @inline(__always)
  func binarySearch(_ key: Int, count: Int, at offset: Int, stride: Int) -> Int? {
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

  /// The index in 0..<`count` of the record whose range of keys holds `key`, among records of `stride` bytes that start
  /// with the first and the last key of two bytes each.
  @inline(__always)
  func rangeSearch(_ key: Int, count: Int, at offset: Int, stride: Int) -> Int? {
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
