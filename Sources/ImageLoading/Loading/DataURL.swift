// The data of `data:` URLs (RFC 2397).

package import Foundation

/// The contents of a `data:` URL.
package struct DataURL {
  /// The media type; empty if not stated.
  package let mimeType: String
  /// The decoded data.
  package let data: Data

  /// Reads a URL. Returns `nil` if it is not a valid `data:` URL.
  package init?(_ url: URL) {
    let text = url.absoluteString.utf8
    let prefix = "data:".utf8
    guard text.count >= prefix.count, zip(text, prefix).allSatisfy({ $0 | 0x20 == $1 || $0 == $1 }) else { return nil }
    let content = text.dropFirst(prefix.count)
    guard let comma = content.firstIndex(of: UInt8(ascii: ",")) else { return nil }
    let header = String(decoding: content[..<comma], as: UTF8.self)
    guard let bytes = Self.removingPercentEncoding(content[content.index(after: comma)...]) else { return nil }
    let parameters = header.split(separator: ";", omittingEmptySubsequences: false)
    mimeType = parameters.first.map(String.init) ?? ""
    guard parameters.last?.lowercased() == "base64", header.contains(";") else {
      data = Data(bytes)
      return
    }
    guard let decoded = Data(base64Encoded: Data(bytes), options: .ignoreUnknownCharacters) else { return nil }
    data = decoded
  }

  private static func removingPercentEncoding(_ text: Substring.UTF8View) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var iterator = text.makeIterator()
    while let byte = iterator.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = iterator.next().flatMap(hexadecimal), let low = iterator.next().flatMap(hexadecimal) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
