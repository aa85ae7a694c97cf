// A disk cache whose contents the test inspects.

import Foundation
import ImageLoading
import Threading

/// A disk cache in memory.
final class RecordingDataCache: DataCaching {
  private let items = Mutex<[String: Data]>([:])

  var keys: [String] { items.withLock { $0.keys.sorted() } }

  func cachedData(for key: String) -> Data? { items.withLock { $0[key] } }
  func containsData(for key: String) -> Bool { cachedData(for: key) != nil }
  func storeData(_ data: Data, for key: String) { items.withLock { $0[key] = data } }
  func removeData(for key: String) { _ = items.withLock { $0.removeValue(forKey: key) } }
  func removeAll() { items.withLock { $0 = [:] } }
}
