// Lists that select fonts and features: families, variation settings, feature settings (CSS Fonts 4, sections 2.1, 7.1
// and 6.12).

internal import Fonts
internal import ImageCoding

/// Reads lists of font properties.
enum FontSettings {
  /// The maximum number of list entries; further ones are ignored.
  private static let maximumCount = 64
  /// The maximum number of bytes of the name of a family. No font has a longer name, and names are compared for every
  /// element with text.
  static let maximumNameByteCount = 1_024

  /// Parses a list of families, with generic ones identified by name. A malformed list is empty.
  static func families(_ bytes: Span<UInt8>) -> [FontQuery.Family] {
    var scanner = CSSScanner(bytes, range: 0..<bytes.count)
    var list: [FontQuery.Family] = []
    while list.count < maximumCount {
      scanner.skipSpace()
      if let name = scanner.string() {
        if name.count <= maximumNameByteCount { list.append(.named(String(decoding: name, as: UTF8.self))) }
      } else {
        var words: [String] = []
        while let word = scanner.identifier() {
          words.append(String(decoding: word, as: UTF8.self))
          scanner.skipSpace()
        }
        guard !words.isEmpty else { return list }
        let name = words.joined(separator: " ")
        if name.utf8.count <= maximumNameByteCount { list.append(family(name)) }
      }
      scanner.skipSpace()
      guard scanner.take(UInt8(ascii: ",")) else { break }
    }
    return list
  }

  private static func family(_ name: String) -> FontQuery.Family {
    switch name.lowercased() {
    case "serif", "ui-serif": .serif
    case "sans-serif", "system-ui", "ui-sans-serif", "ui-rounded": .sansSerif
    case "cursive": .cursive
    case "fantasy": .fantasy
    case "monospace", "ui-monospace": .monospace
    default: .named(name)
    }
  }

  /// The value of an axis.
  struct Variation: Hashable, Sendable {
    var tag: FourCharacterCode
    var value: Double
  }

  /// Parses axes and their values, such as `"wght" 600, "wdth" 80`; `nil` if there are none.
  static func variations(_ bytes: Span<UInt8>) -> [Variation]? {
    let list = settings(bytes).map { Variation(tag: $0.tag, value: $0.value ?? 0) }
    return list.isEmpty ? nil : list
  }

  /// Parses features, such as `"smcp", "liga" off, "salt" 2`; `nil` if there are none.
  static func features(_ bytes: Span<UInt8>) -> [FontFeature]? {
    let list = settings(bytes).map { FontFeature($0.tag, Int(min(max($0.value ?? 1, 0), 65_535))) }
    return list.isEmpty ? nil : list
  }

  private static func settings(_ bytes: Span<UInt8>) -> [(tag: FourCharacterCode, value: Double?)] {
    var scanner = CSSScanner(bytes, range: 0..<bytes.count)
    var list: [(tag: FourCharacterCode, value: Double?)] = []
    while list.count < maximumCount {
      scanner.skipSpace()
      guard let name = scanner.string(), name.count == 4 else { break }
      scanner.skipSpace()
      var value: Double?
      var numbers = TextScanner(bytes)
      numbers.position = scanner.position
      if let number = numbers.number() {
        value = number
        scanner.position = numbers.position
      } else if let word = scanner.identifier() {
        value = word == Array("off".utf8) ? 0 : 1
      }
      list.append((FourCharacterCode(rawValue: name.reduce(0) { $0 << 8 | UInt32($1) }), value))
      scanner.skipSpace()
      guard scanner.take(UInt8(ascii: ",")) else { break }
    }
    return list
  }
}
