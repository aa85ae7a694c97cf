// The part of a file that a response contains (RFC 9110, section 14.4).

/// The value of a `Content-Range` header field in bytes.
package struct ContentRange: Hashable {
  /// The positions of the first and the last byte.
  package let first: Int64, last: Int64
  /// The length of the file in bytes, if it is stated.
  package let totalByteCount: Int64?

  /// Reads a value such as `bytes 500-999/1234` or `bytes 500-999/*`. Returns `nil` if it is invalid.
  package init?(parsing value: String) {
    let words = value.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let positions = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard positions.count == 2, let first = Self.number(positions[0]), let last = Self.number(positions[1]),
      first <= last
    else { return nil }
    self.first = first
    self.last = last
    if parts[1] == "*" {
      totalByteCount = nil
    } else {
      guard let total = Self.number(parts[1]), last < total else { return nil }
      totalByteCount = total
    }
  }

  /// The initializer of `Int64` would accept signs.
  private static func number(_ text: Substring) -> Int64? {
    text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int64(text) : nil
  }
}
