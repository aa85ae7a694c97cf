// Decoding of data: URLs (RFC 2397).

/// Decodes data URLs.
enum DataURL {
  /// Returns the bytes of a `data:` URL; `nil` for other URLs and for invalid base64.
  static func decode(_ url: Span<UInt8>) -> [UInt8]? {
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
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    var index = 0
    while index < text.count {
      var byte = text[index]
      index += 1
      if byte == UInt8(ascii: "%"), index + 1 < text.count, let high = hexadecimalDigit(text[index]),
        let low = hexadecimalDigit(text[index + 1])
      {
        byte = high << 4 | low
        index += 2
      }
      if isSpace(byte) { continue }
      if byte == UInt8(ascii: "=") { break }
      guard let value = sextet(byte) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 1
      if count == 4 {
        result.append(UInt8(truncatingIfNeeded: bits >> 16))
        result.append(UInt8(truncatingIfNeeded: bits >> 8))
        result.append(UInt8(truncatingIfNeeded: bits))
        bits = 0
        count = 0
      }
    }
    if count == 3 {
      result.append(UInt8(truncatingIfNeeded: bits >> 10))
      result.append(UInt8(truncatingIfNeeded: bits >> 2))
    } else if count == 2 {
      result.append(UInt8(truncatingIfNeeded: bits >> 4))
    }
    return result
  }

  private static func sextet(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
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
