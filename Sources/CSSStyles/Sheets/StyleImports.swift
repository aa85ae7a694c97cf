// @import (CSS Cascade 4, section 2). The text of the imported style sheet comes from a data URL or from the caller's
// closure; the library does not access files or the network.

internal import ImageCoding
internal import XMLDocuments

/// Loads imported style sheets within limits.
struct StyleImports {
  /// The maximum depth of imports.
  static let maximumDepth = 8

  private let loadResource: (@Sendable (String) -> [UInt8]?)?
  private var remainingCount = 100
  private var remainingByteCount: Int

  init(loadResource: (@Sendable (String) -> [UInt8]?)?, limits: StyleLimits) {
    self.loadResource = loadResource
    remainingByteCount = limits.maximumTextByteCount
  }

  /// An imported style sheet.
  struct Sheet {
    var text: [UInt8]
    /// The name of its layer, empty for an anonymous one; `nil` if it has none.
    var layer: [UInt8]?
  }

  /// Returns an imported style sheet; `nil` if there is none or it is for other media.
  ///
  /// - Parameter prelude: the text between `@import` and the semicolon.
  mutating func sheet(named prelude: Span<UInt8>, environment: MediaEnvironment) -> Sheet? {
    guard let (url, rest) = Self.parse(prelude) else { return nil }
    var scanner = CSSScanner(prelude, range: rest..<prelude.count)
    var layer: [UInt8]?
    while true {
      scanner.skipSpace()
      let start = scanner.position
      let word = String(decoding: scanner.identifier() ?? [], as: UTF8.self).lowercased()
      let argumentStart = scanner.position + 1
      let hasArgument = scanner.take(UInt8(ascii: "("))
      if hasArgument { scanner.skip(to: UInt8(ascii: ")")) }
      let argument = prelude.extracting(min(argumentStart, scanner.position)..<scanner.position)
      if hasArgument { scanner.position = min(scanner.end, scanner.position + 1) }
      if word == "layer", layer == nil {
        layer = hasArgument ? (0..<argument.count).map { argument[$0] }.filter { !isSpace($0) } : []
      } else if word == "supports", hasArgument {
        var condition: [UInt8] = [UInt8(ascii: "(")]
        for index in 0..<argument.count { condition.append(argument[index]) }
        condition.append(UInt8(ascii: ")"))
        var parser = ConditionParser(environment)
        guard parser.holds(supports: condition.span) else { return nil }
      } else {
        scanner.position = start
        break
      }
    }
    var parser = ConditionParser(environment)
    guard parser.holds(mediaQueries: prelude.extracting(scanner.position...)) else { return nil }
    return text(of: url).map { Sheet(text: $0, layer: layer) }
  }

  /// Returns the text that a URL denotes, within the limits.
  mutating func text(of url: [UInt8]) -> [UInt8]? {
    guard remainingCount > 0 else { return nil }
    remainingCount -= 1
    let bytes = DataURL.decode(url.span) ?? loadResource?(String(decoding: url, as: UTF8.self))
    guard let bytes, bytes.count <= remainingByteCount else { return nil }
    remainingByteCount -= bytes.count
    return bytes
  }

  /// Parses the URL, as a string or in `url()`. Returns it with the position after it.
  private static func parse(_ prelude: Span<UInt8>) -> (url: [UInt8], end: Int)? {
    var scanner = CSSScanner(prelude, range: 0..<prelude.count)
    scanner.skipSpace()
    var url: [UInt8]
    if let string = scanner.string() {
      url = string
    } else {
      guard let name = scanner.identifier(), name.map({ lowercased($0) }).elementsEqual("url".utf8),
        scanner.take(UInt8(ascii: "("))
      else { return nil }
      scanner.skipSpace()
      if let string = scanner.string() {
        url = string
        scanner.skipSpace()
      } else {
        let start = scanner.position
        scanner.skip(to: UInt8(ascii: ")"))
        let range = StyleSheet.trimmed(start..<scanner.position, of: prelude)
        url = range.map { prelude[$0] }
      }
      guard scanner.take(UInt8(ascii: ")")) else { return nil }
    }
    return (url, scanner.position)
  }
}
