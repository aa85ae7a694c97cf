// The namespaces of markup as text: which prefixes are bound, at every depth.

/// The namespaces that a rewriter distinguishes, by the use of the names in them.
enum MarkupNamespace {
  /// Names without a namespace, which are treated as those of SVG.
  case none
  case svg
  case xlink
  case xml
  /// Declarations of namespaces.
  case declaration
  /// XHTML, MathML and XML Events, which browsers draw or obey.
  case embedded
  /// Everything that no viewer draws: data of editors, and vocabularies of metadata.
  case unknown
}

/// The namespaces that are in scope.
struct NamespaceScope {
  /// The namespaces of each prefix, the innermost last. The empty prefix is that of the default namespace.
  private var bound: [String: [MarkupNamespace]] = [:]
  /// The prefixes that each open element binds.
  private var declared: [[String]] = []

  /// Enters an element with some attributes.
  mutating func open(_ attributes: [(name: String, value: [UInt8])]) {
    var prefixes: [String] = []
    for (name, value) in attributes {
      guard name == "xmlns" || name.hasPrefix("xmlns:") else { continue }
      let prefix = String(name.dropFirst(6))
      bound[prefix, default: []].append(Self.namespace(named: value))
      prefixes.append(prefix)
    }
    declared.append(prefixes)
  }

  mutating func close() {
    guard let prefixes = declared.popLast() else { return }
    for prefix in prefixes { _ = bound[prefix]?.popLast() }
  }

  /// Returns the namespace of an element, and its local name.
  func element(_ name: String) -> (namespace: MarkupNamespace, local: String) {
    let (prefix, local) = Self.split(name)
    return (prefix.isEmpty ? bound[""]?.last ?? .none : namespace(ofPrefix: prefix), local)
  }

  /// Returns the namespace of an attribute, and its local name.
  func attribute(_ name: String) -> (namespace: MarkupNamespace, local: String) {
    let (prefix, local) = Self.split(name)
    if name == "xmlns" || prefix == "xmlns" { return (.declaration, local) }
    return (prefix.isEmpty ? .none : namespace(ofPrefix: prefix), local)
  }

  private func namespace(ofPrefix prefix: String) -> MarkupNamespace {
    if let known = bound[prefix]?.last { return known }
    // Some documents use these without a declaration.
    return prefix == "xml" ? .xml : prefix == "xlink" ? .xlink : .unknown
  }

  private static func split(_ name: String) -> (prefix: String, local: String) {
    guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return ("", name) }
    return (String(name[..<colon]), String(name[name.utf8.index(after: colon)...]))
  }

  /// Returns what a namespace is for.
  static func namespace(named name: [UInt8]) -> MarkupNamespace {
    switch String(decoding: name.prefix(64), as: UTF8.self) {
    case "": .none
    case "http://www.w3.org/2000/svg": .svg
    case "http://www.w3.org/1999/xlink": .xlink
    case "http://www.w3.org/XML/1998/namespace": .xml
    case "http://www.w3.org/1999/xhtml", "http://www.w3.org/1998/Math/MathML", "http://www.w3.org/2001/xml-events":
      .embedded
    default: .unknown
    }
  }
}
