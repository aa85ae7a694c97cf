// @import (CSS Cascade 4, section 2). The text of the imported style sheet comes from a data URL or from the caller's
// closure; the library does not access files or the network.

internal import ImageCore

/// Loads imported style sheets within limits.
struct StyleImports {
  /// The maximum depth of imports.
  static let maximumDepth = 8

  private let loadResource: (@Sendable (String) -> [UInt8]?)?
  private var remainingCount = 100
  private var remainingByteCount: Int

  init(options: SVGDocument.Options, limits: SVGDocument.Limits) {
    loadResource = options.loadResource
    remainingByteCount = limits.maximumTextByteCount
  }

  /// Returns the text of an imported style sheet; `nil` if there is none or it is for other media.
  ///
  /// - Parameter prelude: the text between `@import` and the semicolon.
  mutating func text(named prelude: Span<UInt8>) -> [UInt8]? {
    guard let (url, query) = Self.parse(prelude), query.isEmpty || StyleSheet.holds(mediaQueries: query) else {
      return nil
    }
    guard remainingCount > 0 else { return nil }
    remainingCount -= 1
    let link = url.span
    let bytes = DataURL.decode(link) ?? loadResource?(String(decoding: url, as: UTF8.self))
    guard let bytes, bytes.count <= remainingByteCount else { return nil }
    remainingByteCount -= bytes.count
    return bytes
  }

  /// Parses the URL, as a string or in `url()`, and the media queries after it.
  private static func parse(_ prelude: Span<UInt8>) -> (url: [UInt8], mediaQueries: String)? {
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
    scanner.skipSpace()
    let rest = (scanner.position..<prelude.count).map { prelude[$0] }
    return (url, String(decoding: rest, as: UTF8.self).lowercased())
  }
}
