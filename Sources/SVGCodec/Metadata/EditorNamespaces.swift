// The namespaces in which editors and metadata vocabularies keep their data. Nothing in them is drawn.

internal import ImageCoding

/// The prefixes that a document binds to such namespaces.
struct EditorNamespaces {
  private var prefixes: Set<String> = []

  /// The beginnings of namespace names. Illustrator's are the names of entities that its document type declares.
  private static let beginnings = [
    "http://www.inkscape.org/", "http://sodipodi.sourceforge.net/", "http://inkscape.sourceforge.net/",
    "http://ns.adobe.com/", "&ns_", "http://www.bohemiancoding.com/sketch", "http://www.serif.com/",
    "http://www.figma.com/", "https://www.figma.com/", "http://www.vectornator.io", "http://vectornator.io",
    "https://boxy-svg.com", "http://krita.org/", "http://www.corel.com/", "http://creativecommons.org/ns",
    "http://web.resource.org/cc/", "http://purl.org/dc/", "http://www.w3.org/1999/02/22-rdf-syntax-ns",
    "http://xml.openoffice.org/", "http://schemas.microsoft.com/visio/", "http://purl.oclc.org/dsdl/",
    "http://www.svgjs.", "http://svgjs.", "https://svgjs.", "http://www.evolus.vn/",
  ]

  /// Takes note of a declaration. Returns whether it binds a prefix to one of the namespaces.
  mutating func declare(_ attribute: String, _ namespace: String) -> Bool {
    guard attribute.hasPrefix("xmlns:") else { return false }
    let prefix = String(attribute.dropFirst(6))
    guard Self.beginnings.contains(where: namespace.hasPrefix) else {
      prefixes.remove(prefix)
      return false
    }
    prefixes.insert(prefix)
    return true
  }

  /// Whether a qualified name is in one of the namespaces.
  func contains(_ name: String) -> Bool {
    guard !prefixes.isEmpty, let colon = name.firstIndex(of: ":") else { return false }
    return prefixes.contains(String(name[..<colon]))
  }
}
