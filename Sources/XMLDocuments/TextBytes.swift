// The characters of markup and style sheets, by their bytes: white space, letter case, keywords.

/// Returns whether a byte is white space in XML and CSS.
@inlinable @inline(__always)
package func isSpace(_ byte: UInt8) -> Bool {
  byte == 32 || byte == 10 || byte == 9 || byte == 13 || byte == 12
}

/// Returns whether a slice of text is a keyword, ignoring ASCII case.
package func isKeyword(_ bytes: Span<UInt8>, _ keyword: String) -> Bool {
  guard bytes.count == keyword.utf8.count else { return false }
  var index = 0
  for byte in keyword.utf8 {
    if lowercased(bytes[index]) != byte { return false }
    index += 1
  }
  return true
}

/// Returns the lower-case form of an ASCII letter.
@inlinable @inline(__always)
package func lowercased(_ byte: UInt8) -> UInt8 {
  UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
}

/// Returns whether a byte is a letter or a hyphen, of which keywords consist.
@inlinable @inline(__always)
package func isWordByte(_ byte: UInt8) -> Bool {
  UInt8(ascii: "a")...UInt8(ascii: "z") ~= lowercased(byte) || byte == UInt8(ascii: "-")
}
