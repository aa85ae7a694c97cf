// The interface of caches on disk.

public import Foundation

/// A cache of data by keys, usually on disk. Its methods may access the file system, and may be called on any thread.
public protocol DataCaching: AnyObject, Sendable {
  /// Returns the data for a key.
  func cachedData(for key: String) -> Data?

  /// Returns whether there is data for a key.
  func containsData(for key: String) -> Bool

  /// Stores data. May return before the data is written.
  func storeData(_ data: Data, for key: String)

  /// Removes the data for a key.
  func removeData(for key: String)

  /// Removes all data.
  func removeAll()
}
