// The continuation of interrupted downloads (RFC 9110, sections 13 and 14).

#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
#else
  internal import Foundation
#endif

/// The first part of a file, and how to ask the server for the rest of the same version.
struct ResumableData: Sendable {
  let data: Data
  /// The strong entity tag or the date of the version.
  let validator: String

  /// Creates resumable data from an interrupted download. Returns `nil` unless the server accepts ranges and states a
  /// version.
  init?(response: URLResponse, data: Data) {
    guard !data.isEmpty, let response = response as? HTTPURLResponse, [200, 206].contains(response.statusCode),
      // The length of decompressed data is no position in the file.
      ["", "identity"].contains(response.header("Content-Encoding")?.lowercased() ?? ""),
      response.statusCode == 206 || response.header("Accept-Ranges")?.lowercased() == "bytes",
      let validator = Self.validator(of: response)
    else { return nil }
    // The download was complete.
    if response.statusCode == 200, response.expectedContentLength > 0, data.count >= response.expectedContentLength {
      return nil
    }
    self.data = data
    self.validator = validator
  }

  /// A weak entity tag does not promise identical bytes.
  private static func validator(of response: HTTPURLResponse) -> String? {
    if let tag = response.header("ETag"), !tag.hasPrefix("W/") { return tag }
    return response.header("Last-Modified")
  }

  /// Asks for the rest of the file, or for all of it if the version has changed.
  func resume(_ request: inout URLRequest) {
    request.setValue("bytes=\(data.count)-", forHTTPHeaderField: "Range")
    request.setValue(validator, forHTTPHeaderField: "If-Range")
    // The rest would be compressed apart from the beginning.
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
  }

  /// Returns whether a response contains the rest of the file.
  func isContinued(by response: URLResponse) throws(ResumptionError) -> Bool {
    guard let response = response as? HTTPURLResponse, response.statusCode == 206 else { return false }
    guard response.header("Content-Range")?.lowercased().hasPrefix("bytes \(data.count)-") == true else {
      throw ResumptionError()
    }
    return true
  }
}

/// The server answered with a range that was not requested.
struct ResumptionError: Error, CustomStringConvertible {
  var description: String { "the response has another range than the request" }
}

extension HTTPURLResponse {
  fileprivate func header(_ name: String) -> String? { value(forHTTPHeaderField: name) }
}

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
