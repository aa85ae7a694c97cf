// Diagnostics for features of a document that are ignored or rendered differently, one per feature, so that differences
// need not be found by comparing images. Features that omit something are recorded where that happens.

internal import CSSStyles
internal import ImageCoding
internal import XMLDocuments

/// Records unsupported elements and attributes of a document. Those of properties are noted where they are parsed.
struct UnsupportedFeatures {
  /// Adds a diagnostic for each unsupported feature in a document, with the position of its first use.
  static func note(in document: inout StyledDocument) {
    for node in 0..<XMLDocument.NodeIndex(document.xml.nodes.count) {
      guard document.xml[node].namespace == .svg, let element = document.xml[node].element else { continue }
      noteElement(node, element, &document)
      noteAttributes(of: node, &document)
      if element.isFilterPart { checkPrimitive(node, &document) }
    }
  }

  private static func add(_ reason: String, _ node: XMLDocument.NodeIndex, _ document: inout StyledDocument) {
    document.note(reason, at: Int(document.xml[node].byteOffset))
  }

  // MARK: Elements

  /// The elements that are never drawn in a static document.
  private static let silentElements: Set<String> = [
    "cursor", "discard", "color-profile", "font-face", "font-face-src", "font-face-uri", "font-face-name",
    "font-face-format", "glyph", "missing-glyph", "hkern", "vkern", "RDF", "namedview", "sodipodi", "perspective",
  ]

  private static func noteElement(
    _ node: XMLDocument.NodeIndex, _ element: ElementName, _ document: inout StyledDocument
  ) {
    switch element {
    case .use, .linearGradient, .radialGradient, .filter, .tref, .textPath:
      if let slice = document.xml.value(.href, of: node), !slice.isEmpty,
        parseFragment(document.xml.text.span.extracting(slice.range)) == nil
      {
        add("links to another document are not followed", node, &document)
      }
    default: break
    }
    switch element {
    case .script: add("scripts are not run", node, &document)
    case .animate, .animateColor, .animateMotion, .animateTransform, .set:
      add("animations are drawn at time 0", node, &document)
    case .unknown:
      let name = document.xml.string(document.xml[node].text.prefix(48))
      if name == "font" {
        add("SVG fonts are not used", node, &document)
      } else if !silentElements.contains(name), document.xml[node].parent != XMLDocument.noNode,
        document.xml[document.xml[node].parent].element != .unknown
      {
        add("the element \(name) is not known", node, &document)
      }
    case .pattern:
      if document.declares(PropertyTable.property(named: "overflow"), node) {
        add("patterns are cut to their tiles", node, &document)
      }
    default: break
    }
  }

  // MARK: Attributes

  /// Attributes without a namespace that affect nothing in a static drawing.
  private static let silentAttributes: Set<String> = [
    "baseProfile", "contentScriptType", "contentStyleType", "zoomAndPan", "externalResourcesRequired", "role",
    "tabindex", "focusable", "target", "download", "ping", "rel", "hreflang", "referrerpolicy", "crossorigin",
    "decoding", "loading", "title", "arcrole", "show", "actuate", "autofocus", "nonce", "part", "slot", "is", "name",
    "spacing", "xmlns", "viewTarget", "filterRes", "xml", "space", "base", "tableValues", "p-id", "t", "id",
    "overlay", "alt", "align", "border",
  ]

  private static func noteAttributes(of node: XMLDocument.NodeIndex, _ document: inout StyledDocument) {
    for position in document.xml.attributes(of: node) {
      let attribute = document.xml.attributes[position]
      guard attribute.namespace == .none, attribute.name == nil, attribute.property == nil else { continue }
      let bytes = document.xml.text[attribute.text.range]
      // Attributes of programs and of accessibility contain a hyphen or a colon, handlers of events begin with on.
      guard !bytes.isEmpty, !bytes.starts(with: "on".utf8), !bytes.starts(with: "data-".utf8),
        !bytes.starts(with: "aria-".utf8), !bytes.contains(UInt8(ascii: ":"))
      else { continue }
      let name = String(decoding: bytes.prefix(48), as: UTF8.self)
      if name == "font-size-adjust" {
        // A property that browsers do not read from the attribute.
        if !document.xml.equals(attribute.value, "none") {
          add("the attribute font-size-adjust has no effect, as in browsers", node, &document)
        }
        continue
      }
      if !silentAttributes.contains(name) { add("the attribute \(name) is not known", node, &document) }
    }
  }

  private static func checkPrimitive(_ node: XMLDocument.NodeIndex, _ document: inout StyledDocument) {
    if document.xml.value(.kernelUnitLength, of: node) != nil {
      add("kernelUnitLength has no effect: kernels have pixels as their unit", node, &document)
    }
    for name in [AttributeName.in, .in2] {
      guard let value = document.xml.value(name, of: node) else { continue }
      for input in ["BackgroundImage", "BackgroundAlpha", "FillPaint", "StrokePaint"]
      where document.xml.equals(value, input) {
        add("\(input) is replaced by SourceGraphic", node, &document)
      }
    }
  }
}
