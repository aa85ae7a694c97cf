// Writes JSON (RFC 8259).

/// An object of JSON, to which members are added.
struct JSONText {
  private var members = ""

  /// The object as UTF-8.
  var bytes: [UInt8] { Array(description.utf8) }
  var description: String { "{\(members)}" }

  mutating func add(_ name: String, _ value: Int) { append(name, "\(value)") }
  mutating func add(_ name: String, _ value: Bool) { append(name, value ? "true" : "false") }
  mutating func add(_ name: String, _ value: String) { append(name, Self.quoted(value)) }
  mutating func add(_ name: String, _ values: [String]) {
    append(name, Self.list(values.map { Self.quoted($0) }))
  }
  mutating func add(_ name: String, _ values: [JSONText]) { append(name, Self.list(values.map { $0.description })) }

  private mutating func append(_ name: String, _ value: String) {
    if !members.isEmpty { members += "," }
    members += "\(Self.quoted(name)):\(value)"
  }

  private static func list(_ values: [String]) -> String {
    var text = "["
    for (index, value) in values.enumerated() {
      if index > 0 { text += "," }
      text += value
    }
    return text + "]"
  }

  private static func quoted(_ value: String) -> String {
    var bytes: [UInt8] = [0x22]
    for byte in value.utf8 {
      switch byte {
      case 0x22, 0x5C: bytes += [0x5C, byte]
      case 0..<0x20: bytes += [0x5C, 0x75, 0x30, 0x30, digit(byte >> 4), digit(byte & 15)]
      default: bytes.append(byte)
      }
    }
    bytes.append(0x22)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
