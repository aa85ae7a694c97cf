// The elements, attributes and links that a document may keep if it is not trusted: those that are known to draw, from
// lists of what is permitted.

internal import CSSStyles
internal import ImageCoding
internal import XMLDocuments

/// Decides what is kept of documents without scripts and external resources.
enum ActiveContent {
  /// The attributes besides those that are read for drawing.
  private static let attributes: Set<String> = [
    "role", "tabindex", "focusable", "baseProfile", "zoomAndPan", "cursor", "pointer-events", "xml:space", "xml:lang",
    "contentStyleType", "enable-background", "buffered-rendering", "vector-effect", "filterRes", "keySystem", "origin",
    "attributeType", "glyph-orientation-vertical", "glyph-orientation-horizontal", "color-profile", "color-rendering",
  ]

  /// Returns whether an element is kept: it is drawn, or has an effect on what is drawn. Everything else is removed with
  /// its content: scripts, HTML in `foreignObject`, and whatever later versions of SVG may add.
  static func keepsElement(_ local: String, _ namespace: MarkupNamespace) -> Bool {
    guard namespace == .svg || namespace == .none, let element = ElementName(rawValue: local) else { return false }
    switch element {
    case .unknown, .script, .foreignObject, .metadata: return false
    default: return true
    }
  }

  /// Returns whether an attribute is kept if its value is harmless. Those that handle events are not known and removed.
  static func keepsAttribute(_ local: String, _ namespace: MarkupNamespace) -> Bool {
    switch namespace {
    case .declaration, .unknown, .embedded, .svg: return false
    // Not `xml:base`, which makes references to elements references to other documents.
    case .xml: return local == "space" || local == "lang"
    case .xlink: return local == "href"
    case .none:
      let name = Array(local.utf8)
      return MarkupNames.svg.attributes[name.span] != nil || attributes.contains(local) || local.hasPrefix("aria-")
    }
  }

  /// Returns whether the target of an animation is an attribute that a drawing may animate: not a link, and not a handler
  /// of events.
  static func mayAnimate(_ attributeName: [UInt8]) -> Bool {
    let name = String(decoding: attributeName.filter { !isSpace($0) }, as: UTF8.self)
    let local = Array((name.split(separator: ":").last.map(String.init) ?? "").utf8)
    guard let meaning = MarkupNames.svg.attributes[local.span] else { return false }
    return meaning.name != .href && meaning.name != .style
  }

  /// Returns whether a URL refers to an element of the document.
  static func isLocal(_ url: [UInt8]) -> Bool { url.drop(while: \.isURLControl).first == UInt8(ascii: "#") }
}
