// @import (CSS Cascade 4, section 2): the text of another style sheet, out of a data URL or from the caller's closure. The
// library itself follows no link.

internal import ImageCore

/// Gets the style sheets that others import, within bounds.
struct StyleImports {
  /// How deep style sheets may import each other.
  static let maximumDepth = 8

  private let loadResource: (@Sendable (String) -> [UInt8]?)?
  private var remainingCount = 100
  private var remainingByteCount: Int

  init(options: SVGDocument.Options, limits: SVGDocument.Limits) {
    loadResource = options.loadResource
    remainingByteCount = limits.maximumTextByteCount
  }

  /// The text that an import names; `nil` where there is none, or where it is for other media.
  ///
  /// - Parameter prelude: what stands between `@import` and the semicolon.
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

  /// The address, as a string or in `url()`, and the media queries behind it.
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
