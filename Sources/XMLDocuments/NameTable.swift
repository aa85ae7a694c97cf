// A table of values by name, which users of the module specialise for their values.

/// Values by the bytes of their names: a hash table with open addressing, in which most names are found at once.
@usableFromInline
package struct NameTable<Value: Sendable>: Sendable {
  @usableFromInline struct Slot: Sendable {
    @usableFromInline var name: Range<Int>
    @usableFromInline var value: Value

    @inlinable init(name: Range<Int>, value: Value) {
      self.name = name
      self.value = value
    }
  }

  /// At most a quarter of the slots are used, and their number is a power of two.
  @usableFromInline var slots: [Slot?]
  /// The names, one after the other.
  @usableFromInline var names: [UInt8] = []
  /// The length of the longest name.
  @usableFromInline var maximumByteCount = 0

  /// Creates a table of names that differ from each other.
  @inlinable package init(_ entries: [(name: String, value: Value)]) {
    var count = 16
    while count < entries.count * 4 { count *= 2 }
    slots = Array(repeating: nil, count: count)
    for entry in entries {
      let start = names.count
      names += Array(entry.name.utf8)
      maximumByteCount = max(maximumByteCount, names.count - start)
      var index = firstIndex(of: names.span.extracting(start...))
      while slots[index] != nil { index = (index &+ 1) & (count &- 1) }
      slots[index] = Slot(name: start..<names.count, value: entry.value)
    }
  }

  @inlinable package subscript(name: Span<UInt8>) -> Value? {
    guard name.count <= maximumByteCount else { return nil }
    var index = firstIndex(of: name)
    while let slot = slots[index] {
      if isEqual(name, slot.name) { return slot.value }
      index = (index &+ 1) & (slots.count &- 1)
    }
    return nil
  }

  @inlinable func firstIndex(of name: Span<UInt8>) -> Int {
    Int(truncatingIfNeeded: XMLDocument.hash(name)) & (slots.count &- 1)
  }

  @inlinable func isEqual(_ name: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard name.count == range.count else { return false }
    let known = names.span.extracting(range)
    for index in name.indices where name[index] != known[index] { return false }
    return true
  }
}
