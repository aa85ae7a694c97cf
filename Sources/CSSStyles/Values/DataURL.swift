// Decoding of data: URLs (RFC 2397).

internal import ImageCoding
internal import XMLDocuments

/// Decodes data URLs.
package enum DataURL {
  /// Returns the bytes of a `data:` URL; `nil` for other URLs and for invalid base64.
  package static func decode(_ url: Span<UInt8>) -> [UInt8]? {
    guard url.count > 5, isKeyword(url.extracting(first: 5), "data:") else { return nil }
    var comma = 5
    while comma < url.count, url[comma] != UInt8(ascii: ",") { comma += 1 }
    guard comma < url.count else { return nil }
    let payload = url.extracting((comma + 1)...)
    var marker = comma
    while marker > 5, isSpace(url[marker - 1]) { marker -= 1 }
    let isBase64 = marker >= 11 && isKeyword(url.extracting(marker - 6..<marker), "base64")
    return isBase64 ? base64(payload) : percentDecoded(payload)
  }

  private static func base64(_ text: Span<UInt8>) -> [UInt8]? {
    for index in text.indices where text[index] == UInt8(ascii: "%") {
      let decoded = percentDecoded(text)
      return Base64.decode(decoded.span)
    }
    return Base64.decode(text)
  }

  private static func percentDecoded(_ text: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "%"), index + 2 < text.count, let high = hexadecimalDigit(text[index + 1]),
        let low = hexadecimalDigit(text[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return result
  }
}
