// Data that needs no loader: that of `file:` and `data:` URLs.

#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
#else
  internal import Foundation
#endif

enum LocalResource {
  /// Returns the data of a `file:` or `data:` URL, with a response that states its URL and media type.
  static func load(_ url: URL) throws -> (Data, URLResponse?) {
    if url.isFileURL {
      let data = try Data(contentsOf: url)
      return (data, response(url, mimeType: nil, data))
    }
    guard let contents = DataURL(url) else { throw DataLoader.Error.dataURLInvalid }
    return (contents.data, response(url, mimeType: contents.mimeType, contents.data))
  }

  private static func response(_ url: URL, mimeType: String?, _ data: Data) -> URLResponse {
    URLResponse(url: url, mimeType: mimeType, expectedContentLength: data.count, textEncodingName: nil)
  }
}
