// Data that needs no loader: that of `file:` and `data:` URLs.

#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
#else
  internal import Foundation
#endif

enum LocalResource {
  /// The number of bytes that are read from a file at once.
  private static let partByteCount = 1 << 20
  /// The maximum number of bytes for which memory is reserved before they are read: sparse files may be of any length.
  private static let maximumReservedByteCount = 1 << 28

  /// Returns the data of a `file:` or `data:` URL, with a response that states its URL and media type.
  ///
  /// - Parameter maximumByteCount: the maximum length of the data; `nil` for no limit.
  static func load(_ url: URL, maximumByteCount: Int?) throws -> (Data, URLResponse?) {
    if url.isFileURL {
      let data = try contents(of: url, maximumByteCount: maximumByteCount ?? .max)
      return (data, response(url, mimeType: nil, data))
    }
    guard let contents = DataURL(url) else { throw DataLoader.Error.dataURLInvalid }
    guard contents.data.count <= maximumByteCount ?? .max else {
      throw ImagePipeline.Error.dataDownloadExceededMaximumSize
    }
    return (contents.data, response(url, mimeType: contents.mimeType, contents.data))
  }

  /// Reads a file. Its length is checked before and while it is read, since files may grow, and those of some file systems
  /// have the length 0.
  private static func contents(of url: URL, maximumByteCount: Int) throws -> Data {
    guard isOfThisHost(url) else {
      throw CodecError(.fileAccessFailed, "the URL \(url.absoluteString) names a file of another host")
    }
    let file = url.resolvingSymlinksInPath()
    guard let status = RegularFile(atPath: file.path) else {
      throw CodecError(.fileAccessFailed, "\(url.path) is not a regular file")
    }
    guard status.byteCount <= maximumByteCount else { throw ImagePipeline.Error.dataDownloadExceededMaximumSize }
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    var data = Data(capacity: min(status.byteCount, Self.maximumReservedByteCount))
    while let part = try handle.read(upToCount: partByteCount), !part.isEmpty {
      guard part.count <= maximumByteCount - data.count else {
        throw ImagePipeline.Error.dataDownloadExceededMaximumSize
      }
      data.append(part)
    }
    return data
  }

  /// RFC 8089, section 2: without a host, or with `localhost`, the file is on this machine.
  private static func isOfThisHost(_ url: URL) -> Bool {
    ["", "localhost"].contains(url.host?.lowercased() ?? "")
  }

  private static func response(_ url: URL, mimeType: String?, _ data: Data) -> URLResponse {
    URLResponse(url: url, mimeType: mimeType, expectedContentLength: data.count, textEncodingName: nil)
  }
}
