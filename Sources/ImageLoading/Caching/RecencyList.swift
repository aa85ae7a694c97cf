// A dictionary that knows which entry has not been used for the longest time.

/// Entries with costs, in the order of their last use. All operations take constant time.
package struct RecencyList<Key: Hashable, Value> {
  package struct Entry {
    package let key: Key
    package var value: Value
    package var cost: Int
    fileprivate var older: Int?
    fileprivate var newer: Int?
  }

  /// The entries and the places of removed ones. Neighbours in the order of use are linked by their indices.
  private var slots: [Entry?] = []
  private var freeSlots: [Int] = []
  private var indices: [Key: Int] = [:]
  private var oldest: Int?
  private var newest: Int?
  /// The sum of all costs.
  package private(set) var totalCost = 0

  /// Creates an empty list.
  package init() {}

  /// The number of entries.
  package var count: Int { indices.count }
  /// The keys in any order.
  package var keys: [Key] { Array(indices.keys) }

  /// Returns an entry without using it.
  package func entry(for key: Key) -> Entry? {
    indices[key].flatMap { slots[$0] }
  }

  /// Returns a value and makes its entry the most recently used one.
  package mutating func use(_ key: Key) -> Value? {
    guard let index = indices[key] else { return nil }
    unlink(index)
    append(index)
    return slots[index]?.value
  }

  /// Adds or replaces an entry and makes it the most recently used one. A key that does not equal itself, because it
  /// contains a number that is NaN, is not added: it could not be found again.
  package mutating func insert(_ value: Value, for key: Key, cost: Int) {
    guard key == key else { return }
    remove(key)
    let entry = Entry(key: key, value: value, cost: cost)
    let index: Int
    if let free = freeSlots.popLast() {
      index = free
      slots[index] = entry
    } else {
      index = slots.count
      slots.append(entry)
    }
    indices[key] = index
    totalCost += cost
    append(index)
  }

  /// Removes and returns an entry.
  @discardableResult
  package mutating func remove(_ key: Key) -> Entry? {
    guard let index = indices.removeValue(forKey: key), let entry = slots[index] else { return nil }
    unlink(index)
    slots[index] = nil
    freeSlots.append(index)
    totalCost -= entry.cost
    return entry
  }

  /// Removes the entry that has not been used for the longest time.
  @discardableResult
  package mutating func removeOldest() -> Entry? {
    guard let oldest, let key = slots[oldest]?.key else { return nil }
    return remove(key)
  }

  /// Removes everything.
  package mutating func removeAll() {
    self = RecencyList()
  }

  private mutating func append(_ index: Int) {
    slots[index]?.older = newest
    slots[index]?.newer = nil
    if let newest { slots[newest]?.newer = index } else { oldest = index }
    newest = index
  }

  private mutating func unlink(_ index: Int) {
    let older = slots[index]?.older
    let newer = slots[index]?.newer
    if let older { slots[older]?.newer = newer } else { oldest = newer }
    if let newer { slots[newer]?.older = older } else { newest = older }
  }
}

extension RecencyList: Sendable where Key: Sendable, Value: Sendable {}
extension RecencyList.Entry: Sendable where Key: Sendable, Value: Sendable {}
