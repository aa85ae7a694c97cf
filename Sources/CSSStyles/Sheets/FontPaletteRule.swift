// @font-palette-values rules: palettes of colour fonts with names (CSS Fonts 4, section 9.2).

package import Fonts
internal import VectorGraphics

/// A palette that a style sheet defines.
package struct FontPaletteRule: Sendable {
  /// The maximum number of colours; further ones are ignored.
  private static let maximumColorCount = 1_024

  package let name: String
  /// The families of the fonts that have the palette.
  package private(set) var families: [String] = []
  package private(set) var selection = PaletteSelection.standard

  /// Reads a rule; `nil` if it has no name that starts with two hyphens.
  init?(named prelude: Range<Int>, _ block: Range<Int>, of text: Span<UInt8>) {
    guard let name = FontPaletteParser.name(text.extracting(prelude)) else { return nil }
    self.name = name
    for (name, range) in Descriptors.read(block, of: text) { read(name, text.extracting(range)) }
  }

  /// Reads a descriptor. One that is not valid has no effect.
  private mutating func read(_ name: String, _ value: Span<UInt8>) {
    switch name {
    case "font-family":
      var names: [String] = []
      for family in FontSettings.families(value) {
        guard case .named(let name) = family else { return }
        names.append(name)
      }
      families = names
    case "base-palette":
      if isWord(value, "light") {
        selection.base = .light
      } else if isWord(value, "dark") {
        selection.base = .dark
      } else if let number = Parse.number(value), number == number.rounded(), 0...65_535 ~= number {
        selection.base = .index(Int(number))
      }
    case "override-colors":
      if let colors = Self.colors(value) { selection.overrides = colors }
    default: break
    }
  }

  /// Parses a list of entries and their colours; `nil` if one is not valid or depends on the element.
  private static func colors(_ value: Span<UInt8>) -> [Int: Color]? {
    var scanner = TextScanner(value)
    var colors: [Int: Color] = [:]
    while colors.count < maximumColorCount {
      scanner.skipSpace()
      guard let number = scanner.number(), number == number.rounded(), 0...65_535 ~= number else { return nil }
      scanner.skipSpace()
      guard case .color(let color)? = ColorParser.parse(&scanner) else { return nil }
      colors[Int(number)] = color
      scanner.skipSpace()
      if scanner.isAtEnd { return colors }
      guard scanner.take(UInt8(ascii: ",")) else { return nil }
    }
    return colors
  }
}
