// The routes: POST /pictures, and GET of the files that this makes.

import Foundation
import Hummingbird
import ImageCodecs

/// A server that keeps pictures in a folder.
public struct UploadServer: Sendable {
  private let folder: URL
  private let policy: UploadPolicy

  /// - Parameter folder: where the pictures are kept; it must exist.
  public init(folder: URL, policy: UploadPolicy = UploadPolicy()) {
    self.folder = folder
    self.policy = policy
  }

  /// What is returned for an upload.
  struct Receipt: ResponseEncodable {
    var id: String
    var type: String
    var width: Int
    var height: Int
    /// A placeholder of about 25 bytes, in Base64.
    var thumbHash: String
    var files: [String]
  }

  /// The application at an address.
  public func application(hostname: String = "127.0.0.1", port: Int = 8080) -> some ApplicationProtocol {
    let router = Router()
    router.post("pictures") { request, _ in try await receive(request) }
    router.get("pictures/:id/:name") { _, context in
      try file(id: context.parameters.require("id"), name: context.parameters.require("name"))
    }
    return Application(router: router, configuration: .init(address: .hostname(hostname, port: port)))
  }

  private func receive(_ request: Request) async throws -> EditedResponse<Receipt> {
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > policy.maximumByteCount {
      throw HTTPError(.contentTooLarge, message: "the picture has more than \(policy.maximumByteCount) bytes")
    }
    do {
      let upload = try await withDeadline(policy.maximumDuration) {
        try await Upload(receiving: request.body, policy: policy)
      }
      return EditedResponse(status: .created, response: try store(upload))
    } catch let error as CodecError {
      throw HTTPError(.init(code: error.suggestedHTTPStatus), message: error.reason)
    }
  }

  private func store(_ upload: Upload) throws -> Receipt {
    let id = UUID().uuidString.lowercased()
    let target = folder.appendingPathComponent(id)
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    for file in upload.files {
      try Data(file.bytes).write(to: target.appendingPathComponent(file.name))
    }
    return Receipt(
      id: id, type: upload.type.mimeType ?? upload.type.rawValue, width: upload.size.width, height: upload.size.height,
      thumbHash: upload.placeholder.base64, files: upload.files.map { "/pictures/\(id)/\($0.name)" })
  }

  /// Names come from the network: an identifier must be a UUID, and a name one that the server could have chosen.
  private func file(id: String, name: String) throws -> Response {
    guard let id = UUID(uuidString: id), !name.contains("/"), !name.hasPrefix("."),
      let type = name.split(separator: ".").last.flatMap({ AssetType(filenameExtension: String($0)) })?.mimeType,
      let data = FileManager.default.contents(
        atPath: folder.appendingPathComponent(id.uuidString.lowercased()).appendingPathComponent(name).path)
    else { throw HTTPError(.notFound) }
    let headers: HTTPFields = [.contentType: type, .xContentTypeOptions: "nosniff"]
    return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: data)))
  }
}

/// Performs work, and cancels it after a time.
private func withDeadline<Result: Sendable>(
  _ duration: Duration, _ work: @escaping @Sendable () async throws -> sending Result
) async throws -> Result {
  try await withThrowingTaskGroup(of: Result.self) { group in
    group.addTask { try await work() }
    group.addTask {
      try await Task.sleep(for: duration)
      throw HTTPError(.requestTimeout, message: "the picture did not arrive within \(duration)")
    }
    defer { group.cancelAll() }
    guard let result = try await group.next() else { throw CancellationError() }
    return result
  }
}
