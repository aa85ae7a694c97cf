// The changes of a disk cache that have not been made in its folder yet.

internal import Foundation

/// Changes to files, of which the last one for each file counts.
struct DataCacheStaging: Sendable {
  struct Change: Sendable {
    /// Distinguishes changes of the same file.
    let id: Int
    /// The contents of the file; `nil` if it is removed.
    let data: Data?
  }

  struct Changes: Sendable {
    var files: [String: Change] = [:]
    /// Whether all files are removed before.
    var removesAll = false
    fileprivate var removalID = 0
  }

  enum State {
    case stored(Data), removed, unchanged
  }

  private(set) var changes = Changes()
  /// The sum of the lengths of the data to be written.
  private(set) var byteCount = 0
  var isFlushScheduled = false
  private var nextID = 1

  func state(of name: String) -> State {
    guard let change = changes.files[name] else { return changes.removesAll ? .removed : .unchanged }
    return change.data.map(State.stored) ?? .removed
  }

  mutating func store(_ data: Data, name: String) {
    set(data, name: name)
  }

  mutating func remove(name: String) {
    set(nil, name: name)
  }

  mutating func removeAll() {
    changes.files = [:]
    changes.removesAll = true
    changes.removalID = nextID
    nextID += 1
    byteCount = 0
  }

  private mutating func set(_ data: Data?, name: String) {
    let previous = changes.files.updateValue(Change(id: nextID, data: data), forKey: name)
    byteCount += (data?.count ?? 0) - (previous?.data?.count ?? 0)
    nextID += 1
  }

  /// Removes changes that have been made, except those that have been replaced since.
  mutating func remove(applied: Changes) {
    if changes.removalID == applied.removalID { changes.removesAll = false }
    for (name, change) in applied.files { remove(applied: change, name: name) }
  }

  mutating func remove(applied change: Change, name: String) {
    guard changes.files[name]?.id == change.id else { return }
    changes.files[name] = nil
    byteCount -= change.data?.count ?? 0
  }
}
