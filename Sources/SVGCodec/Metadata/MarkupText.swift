// Characters and references in markup: values are decoded to be examined, and encoded again.

internal import ImageCoding
internal import XMLDocuments

/// Decodes and encodes character data and the values of attributes.
enum MarkupText {
  /// Returns the characters of a text in which entities have been expanded: references to characters and to the five
  /// predefined entities are replaced, all others are left out.
  ///
  /// - Parameter isAttribute: whether white space becomes spaces, as in the values of attributes.
  static func decoded(_ text: Span<UInt8>, isAttribute: Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "&") {
        guard let reference = reference(in: text, at: index) else {
          result.append(byte)
          index += 1
          continue
        }
        if let scalar = character(text.extracting(reference.name)) { append(scalar, to: &result) }
        index = reference.next
      } else if byte == 13 {
        if index + 1 == text.count || text[index + 1] != 10 { result.append(isAttribute ? 32 : 10) }
        index += 1
      } else {
        result.append(isAttribute && (byte == 9 || byte == 10) ? 32 : byte)
        index += 1
      }
    }
    return result
  }

  /// Returns characters as the value of an attribute in double quotes, or as character data.
  static func encoded(_ bytes: [UInt8], isAttribute: Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "&"): result += "&amp;".utf8
      case UInt8(ascii: "<"): result += "&lt;".utf8
      case UInt8(ascii: ">"): result += "&gt;".utf8
      case UInt8(ascii: "\"") where isAttribute: result += "&quot;".utf8
      case 9 where isAttribute: result += "&#9;".utf8
      case 10 where isAttribute: result += "&#10;".utf8
      case 13: result += "&#13;".utf8
      // The other control characters are not permitted in XML.
      case 0...8, 11, 12, 14...31: break
      default: result.append(byte)
      }
    }
    return result
  }

  /// Returns the range of the name between `&` and `;`, and the index after it; `nil` if there is no reference.
  static func reference(in text: Span<UInt8>, at index: Int) -> (name: Range<Int>, next: Int)? {
    var end = index + 1
    while end < text.count, end - index <= maximumReferenceByteCount {
      switch text[end] {
      case UInt8(ascii: ";"): return (index + 1..<end, end + 1)
      case 9, 10, 13, 32, UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: "\""), UInt8(ascii: "'"): return nil
      default: end += 1
      }
    }
    return nil
  }

  private static let maximumReferenceByteCount = 256

  /// Returns the character of `#…`, `#x…` or a predefined entity; `nil` if there is none, or XML does not permit it.
  static func character(_ name: Span<UInt8>) -> Unicode.Scalar? {
    guard name.count > 1, name[0] == UInt8(ascii: "#") else {
      let known: [(String, Unicode.Scalar)] = [("lt", "<"), ("gt", ">"), ("amp", "&"), ("quot", "\""), ("apos", "'")]
      return known.first { $0.0 == String(utf8: name) }?.1
    }
    let isHexadecimal = name[1] == UInt8(ascii: "x")
    guard name.count > (isHexadecimal ? 2 : 1) else { return nil }
    var value: UInt32 = 0
    for index in (isHexadecimal ? 2 : 1)..<name.count {
      guard let digit = hexadecimalDigit(name[index]), isHexadecimal || digit < 10, value < 0x11_0000 else {
        return nil
      }
      value = value * (isHexadecimal ? 16 : 10) + UInt32(digit)
    }
    let isPermitted = value >= 32 ? value != 0xFFFE && value != 0xFFFF : value == 9 || value == 10 || value == 13
    return isPermitted ? Unicode.Scalar(value) : nil
  }

  static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    bytes += Array(String(scalar).utf8)
  }
}
