// A JSON object on one line, with its keys in insertion order (RFC 8259).

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Builds a JSON object of strings, numbers and Booleans.
package struct JSONLine {
  private var members: [String] = []

  /// Creates an empty object.
  package init() {}

  /// The object as text.
  package var text: String { "{\(members.joined(separator: ","))}" }

  /// Adds a string, or `null`.
  package mutating func add(_ key: String, _ value: String?) {
    add(key, literal: value.map(Self.quoted) ?? "null")
  }

  /// Adds the name of a file. If it is not UTF-8, the bytes that are not are replaced by U+FFFD, and a second member, with
  /// `Base64` after the key, has the bytes of the name.
  package mutating func add(_ key: String, name: String) {
    guard !FileName.isText(name) else { return add(key, name) }
    let bytes = FileName.bytes(of: name)
    add(key, String(decoding: bytes, as: UTF8.self))
    add(key + "Base64", Data(bytes).base64EncodedString())
  }

  /// Adds a number, or `null`.
  package mutating func add(_ key: String, _ value: Int?) {
    add(key, literal: value.map(String.init) ?? "null")
  }

  /// Adds a Boolean.
  package mutating func add(_ key: String, _ value: Bool) {
    add(key, literal: value ? "true" : "false")
  }

  /// Adds a value that is JSON already.
  package mutating func add(_ key: String, literal: String) {
    members.append("\(Self.quoted(key)):\(literal)")
  }

  /// Returns a string literal with control characters escaped.
  static func quoted(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        literal += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }
}
