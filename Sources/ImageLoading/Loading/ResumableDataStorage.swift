// Where interrupted downloads wait for the next request.

internal import Foundation

/// The interrupted downloads of all pipelines, within limits.
@ImagePipelineActor final class ResumableDataStorage {
  static let shared = ResumableDataStorage()

  private struct Key: Hashable {
    let pipeline: UUID
    let data: DataKey
  }

  static let maximumCount = 100
  static let maximumByteCount = 32 << 20

  private var entries = RecencyList<Key, ResumableData>()

  /// Returns and removes the data of a request.
  func take(for request: ImageRequest, pipeline: ImagePipeline) -> ResumableData? {
    entries.remove(Key(pipeline: pipeline.id, data: DataKey(request)))?.value
  }

  /// Stores the data of a request, and removes the oldest data if there is too much.
  func store(_ data: ResumableData, for request: ImageRequest, pipeline: ImagePipeline) {
    guard data.data.count <= Self.maximumByteCount else { return }
    let key = Key(pipeline: pipeline.id, data: DataKey(request))
    entries.insert(data, for: key, cost: data.data.count)
    while entries.count > Self.maximumCount || entries.totalCost > Self.maximumByteCount { entries.removeOldest() }
  }

  /// Removes the data of a pipeline.
  func removeAll(of pipeline: UUID) {
    for key in entries.keys where key.pipeline == pipeline { entries.remove(key) }
  }
}
