// Base64 (RFC 4648).

/// Decodes and encodes base64.
package enum Base64 {
  /// Returns the decoded bytes, up to the first `=`. White space is skipped, and both alphabets of RFC 4648 are accepted.
  /// `nil` if there are other characters.
  package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3 + 2)
    var bits: UInt32 = 0
    var count = 0
    for index in text.indices {
      let byte = text[index]
      if byte == UInt8(ascii: "=") { break }
      guard let value = sextet(byte) else {
        if byte == 32 || 9...13 ~= byte { continue }
        return nil
      }
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

  /// Returns bytes as text in the standard alphabet with padding, without line ends.
  package static func encode(_ bytes: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let count = min(3, bytes.count - index)
      var bits = UInt32(bytes[index]) << 16
      if count > 1 { bits |= UInt32(bytes[index + 1]) << 8 }
      if count > 2 { bits |= UInt32(bytes[index + 2]) }
      for place in 0..<4 {
        result.append(place <= count ? letter(UInt8(bits >> UInt32(18 - 6 * place) & 63)) : UInt8(ascii: "="))
      }
      index += 3
    }
    return result
  }

  private static func letter(_ sextet: UInt8) -> UInt8 {
    switch sextet {
    case 0..<26: sextet + UInt8(ascii: "A")
    case 26..<52: sextet - 26 + UInt8(ascii: "a")
    case 52..<62: sextet - 52 + UInt8(ascii: "0")
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
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
}
