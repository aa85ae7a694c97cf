// Numbers for names: equal names have equal numbers, so that a comparison costs the same whatever the length of a name.

internal import ImageCoding

/// A number of a name; see ``NameNumbers``.
package typealias NameNumber = Int32

/// The names of a document that are not in ``MarkupNames``, in the order of their first use.
///
/// Elements and attributes have separate numbers for the names in ``MarkupNames`` and the same ones for all others.
package struct NameNumbers: Sendable {
  private struct Entry: Sendable {
    var hash: Int
    var name: TextSlice
  }

  /// The number of text nodes and of namespace declarations.
  static let none: NameNumber = -1
  /// The number of a name that does not occur in the document.
  package static let absent: NameNumber = -2
  /// The number of the first name that is not in ``MarkupNames``.
  static let first: NameNumber = 1 << 12

  /// The work units for looking up a name, and for each of its bytes.
  private static let workPerName = 40
  private static let workPerByte = 2
  /// The number of bytes of a name, in arrays that grow by doubling, of its slots, of which up to half are used, and of
  /// the namespace to which it may be bound.
  private static let bytesPerName = MemoryLayout<Entry>.stride * 3 / 2 + 4 * MemoryLayout<Int32>.stride + 2

  private let known: MarkupNames
  private var entries: [Entry] = []
  /// Indices of ``entries`` by hash, with open addressing; −1 if a slot is free. Their count is a power of two.
  private var slots: [Int32] = []

  /// - Parameter known: the names whose numbers are known from the start.
  package init(_ known: MarkupNames) {
    self.known = known
  }

  /// Returns the number of a name, which is a slice of the document's text and has to stay there.
  mutating func number(
    of name: TextSlice, in text: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> NameNumber {
    try budget.chargeWork(Self.workPerName + Self.workPerByte * Int(name.count))
    let bytes = text.extracting(name.range)
    let hash = Self.hash(bytes)
    if let known = index(of: bytes, hash, in: text) { return Self.first + Int32(known) }
    try budget.allocate(Self.bytesPerName)
    entries.append(Entry(hash: hash, name: name))
    if entries.count * 2 > slots.count {
      slots = Array(repeating: -1, count: max(64, slots.count * 2))
      for index in entries.indices { insert(index) }
    } else {
      insert(entries.count - 1)
    }
    return Self.first + Int32(entries.count - 1)
  }

  /// Returns the number of a name that is not in ``MarkupNames``; ``absent`` if the document does not contain it.
  private func number(of name: [UInt8], in text: Span<UInt8>) -> NameNumber {
    let bytes = name.span
    return index(of: bytes, Self.hash(bytes), in: text).map { Self.first + Int32($0) } ?? Self.absent
  }

  private func index(of name: Span<UInt8>, _ hash: Int, in text: Span<UInt8>) -> Int? {
    guard !slots.isEmpty else { return nil }
    var slot = hash & (slots.count &- 1)
    while slots[slot] >= 0 {
      let index = Int(slots[slot])
      if entries[index].hash == hash, Self.isEqual(name, text.extracting(entries[index].name.range)) { return index }
      slot = (slot &+ 1) & (slots.count &- 1)
    }
    return nil
  }

  private mutating func insert(_ index: Int) {
    var slot = entries[index].hash & (slots.count &- 1)
    while slots[slot] >= 0 { slot = (slot &+ 1) & (slots.count &- 1) }
    slots[slot] = Int32(index)
  }

  /// The hash function of the standard library, whose key differs from process to process: no document contains names
  /// that are known to collide.
  private static func hash(_ name: Span<UInt8>) -> Int {
    var hasher = Hasher()
    var index = 0
    while name.count &- index >= 8 {
      hasher.combine(EightBytes(name, at: index).word)
      index &+= 8
    }
    var rest = UInt64(name.count)
    while index < name.count {
      rest = rest << 8 | UInt64(name[index])
      index &+= 1
    }
    hasher.combine(rest)
    return hasher.finalize()
  }

  private static func isEqual(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Bool {
    guard first.count == second.count else { return false }
    for index in first.indices where first[index] != second[index] { return false }
    return true
  }
}

extension NameNumbers {
  /// Returns the number of an element's local name; ``absent`` if no element of the document has it.
  package func number(ofElement name: [UInt8], in text: Span<UInt8>) -> NameNumber {
    MarkupNames.elements[name.span]?.number ?? number(of: name, in: text)
  }

  /// Returns the number of an attribute's local name; ``absent`` if no attribute of the document has it.
  package func number(ofAttribute name: [UInt8], in text: Span<UInt8>) -> NameNumber {
    known.attributes[name.span]?.number ?? number(of: name, in: text)
  }
}
