// A JSON object on one line, with its keys in insertion order (RFC 8259).

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

  /// Adds a number, or `null`.
  package mutating func add(_ key: String, _ value: Int?) {
    add(key, literal: value.map(String.init) ?? "null")
  }

  /// Adds a Boolean.
  package mutating func add(_ key: String, _ value: Bool) {
    add(key, literal: value ? "true" : "false")
  }

  private mutating func add(_ key: String, literal: String) {
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
