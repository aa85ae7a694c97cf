// The continuation of interrupted downloads (RFC 9110, sections 13 to 15).

#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
#else
  internal import Foundation
#endif

/// The first part of a file, and how to ask the server for the rest of the same version.
struct ResumableData: Sendable {
  /// The validator of a file's version (RFC 9110, section 8.8).
  enum Validator: Hashable, Sendable {
    /// A strong entity tag.
    case entityTag(String)
    case lastModified(String)

    var field: String {
      switch self {
      case .entityTag: "ETag"
      case .lastModified: "Last-Modified"
      }
    }

    var value: String {
      switch self {
      case .entityTag(let value), .lastModified(let value): value
      }
    }
  }

  /// The content of a response to the request for the rest.
  enum Continuation {
    /// The rest of the same version.
    case rest
    /// A file from its start.
    case file
    /// Another range than the requested one, or that of a version that is not known to be the same.
    case mismatch
  }

  let data: Data
  let validator: Validator
  /// The length of the file in bytes, if the server has stated it.
  let totalByteCount: Int64?

  /// Returns whether a download can be continued: a request for a part of a file, or with another method than GET, has
  /// another meaning with another range.
  static func isPossible(for request: URLRequest) -> Bool {
    request.httpMethod ?? "GET" == "GET" && request.value(forHTTPHeaderField: "Range") == nil
  }

  /// Creates resumable data from an interrupted download. Returns `nil` unless the server accepts ranges and states a
  /// version.
  ///
  /// - Parameter data: the file from its start, even if the response contains the rest of it.
  init?(response: URLResponse, data: Data) {
    guard !data.isEmpty, let response = response as? HTTPURLResponse, [200, 206].contains(response.statusCode),
      // The length of decompressed data is no position in the file.
      response.isIdentityCoded,
      response.statusCode == 206 || response.header("Accept-Ranges")?.lowercased() == "bytes",
      let validator = Self.validator(of: response)
    else { return nil }
    let total = Self.totalByteCount(response)
    // The download was complete.
    if let total, data.count >= total { return nil }
    self.data = data
    self.validator = validator
    totalByteCount = total
  }

  /// A weak entity tag does not promise identical bytes.
  private static func validator(of response: HTTPURLResponse) -> Validator? {
    if let tag = response.header("ETag"), !tag.hasPrefix("W/") { return .entityTag(tag) }
    return response.header("Last-Modified").map(Validator.lastModified)
  }

  private static func totalByteCount(_ response: HTTPURLResponse) -> Int64? {
    if response.statusCode == 206 { return response.contentRange?.totalByteCount }
    return response.expectedContentLength > 0 ? response.expectedContentLength : nil
  }

  /// Asks for the rest of the file, or for all of it if the version has changed.
  func resume(_ request: inout URLRequest) {
    request.setValue("bytes=\(data.count)-", forHTTPHeaderField: "Range")
    request.setValue(validator.value, forHTTPHeaderField: "If-Range")
    // The rest would be compressed apart from the beginning.
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
  }

  /// Returns what a response contains. Parts are combined only if they have the same validator (RFC 9110, section
  /// 15.3.7.3), since servers may ignore `If-Range`.
  func continuation(in response: URLResponse) -> Continuation {
    guard let response = response as? HTTPURLResponse, response.statusCode == 206 else { return .file }
    guard let range = response.contentRange, range.first == data.count, response.isIdentityCoded,
      response.header(validator.field) == validator.value
    else { return .mismatch }
    if let total = range.totalByteCount, let totalByteCount, total != totalByteCount { return .mismatch }
    return .rest
  }

  /// Whether a response contains only a part of a file.
  static func isPart(_ response: URLResponse) -> Bool {
    guard let response = response as? HTTPURLResponse, response.statusCode == 206 else { return false }
    guard let range = response.contentRange else { return true }
    return range.first != 0 || range.totalByteCount.map { range.last + 1 < $0 } ?? true
  }

  /// The length of the file in bytes according to a response with the rest of it, or to the interrupted one.
  func totalByteCount(continuedBy response: URLResponse) -> Int64? {
    (response as? HTTPURLResponse)?.contentRange?.totalByteCount ?? totalByteCount
  }
}

/// The server answered with a range that was not requested.
struct ResumptionError: Error, CustomStringConvertible {
  var description: String { "the response has another range than the request" }
}

extension HTTPURLResponse {
  fileprivate func header(_ name: String) -> String? { value(forHTTPHeaderField: name) }

  fileprivate var isIdentityCoded: Bool {
    ["", "identity"].contains(header("Content-Encoding")?.lowercased() ?? "")
  }

  fileprivate var contentRange: ContentRange? { header("Content-Range").flatMap(ContentRange.init(parsing:)) }
}
