// The names of properties, compared with the property index and the presentation attributes of SVG 2.

import CSSStyles
import Testing
import XMLDocuments

struct PropertyTests {
  /// Presentation attributes (SVG 2, section 6.6).
  private static let presentationAttributes = [
    "clip-path", "clip-rule", "color", "color-interpolation", "direction", "display", "dominant-baseline", "fill",
    "fill-opacity", "fill-rule", "filter", "flood-color", "flood-opacity", "font-family", "font-size", "font-stretch",
    "font-style", "font-variant", "font-weight", "image-rendering",
    "letter-spacing", "lighting-color", "marker-end", "marker-mid", "marker-start", "mask", "mask-type", "opacity",
    "overflow", "paint-order", "pointer-events", "shape-rendering", "stop-color", "stop-opacity", "stroke",
    "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit",
    "stroke-opacity", "stroke-width", "text-anchor", "text-decoration", "text-rendering", "transform",
    "transform-origin", "unicode-bidi", "vector-effect", "visibility", "word-spacing", "writing-mode",
  ]

  private func attribute(_ name: String) -> MarkupNames.AttributeMeaning? {
    let bytes = Array(name.utf8)
    return MarkupNames.svg.attributes[bytes.span]
  }

  @Test(arguments: presentationAttributes)
  func presentationAttributesSetTheirProperty(name: String) throws {
    let property = try #require(PropertyTable.property(named: name))
    #expect(property.row.name == name)
    #expect(attribute(name)?.property == property)
  }

  /// Properties that only style sheets set.
  @Test(arguments: ["mix-blend-mode", "isolation", "translate", "scale", "color-scheme", "text-emphasis"])
  func otherPropertiesHaveNoAttribute(name: String) {
    #expect(PropertyTable.property(named: name) != nil)
    #expect(attribute(name)?.property == nil)
  }

  @Test(arguments: ["viewBox", "href", "d", "stdDeviation"])
  func otherAttributesSetNoProperty(name: String) {
    #expect(attribute(name)?.name == AttributeName(rawValue: name))
    #expect(attribute(name)?.property == nil)
  }

  @Test(arguments: ["", "Fill", "fil", "fill-", "-fill", "onclick", String(repeating: "f", count: 1_000)])
  func unknownNamesAreNotFound(name: String) {
    #expect(PropertyTable.property(named: name) == nil)
    #expect(attribute(name) == nil)
  }
}
