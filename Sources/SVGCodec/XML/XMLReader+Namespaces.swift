// Namespaces in XML 1.0: resolution of prefixes to the namespaces relevant to SVG.

internal import ImageCore

extension XMLReader {
  private static let maximumBindingCount = 256

  /// Processes the namespace declarations in a start tag and assigns namespaces to its other attributes.
  mutating func resolveNamespaces(attributesFrom start: Int) throws(CodecError) {
    for index in start..<document.attributes.count {
      let attribute = document.attributes[index]
      // Few names begin like a declaration and are split twice.
      guard document.text[attribute.text.range.lowerBound] == UInt8(ascii: "x") else { continue }
      let (prefix, local) = split(attribute.text)
      if prefix.isEmpty, document.equals(local, "xmlns") {
        bindings.append(Binding(prefix: .empty, namespace: namespace(forURI: attribute.value)))
        document.attributes[index].namespace = .other
      } else if document.equals(prefix, "xmlns") {
        bindings.append(Binding(prefix: local, namespace: namespace(forURI: attribute.value)))
        document.attributes[index].namespace = .other
      }
    }
    // Every name is looked up in all declarations in scope.
    guard bindings.count <= Self.maximumBindingCount else {
      throw limit("more than \(Self.maximumBindingCount) namespaces are in scope")
    }
    for index in start..<document.attributes.count where document.attributes[index].namespace != .other {
      let (prefix, local) = split(document.attributes[index].text)
      let namespace: XMLNamespace = prefix.isEmpty ? .none : self.namespace(of: prefix)
      document.attributes[index].namespace = namespace
      document.attributes[index].text = local
      if namespace != .other {
        let meaning = MarkupNames.attributes[document.text.span.extracting(local.range)]
        document.attributes[index].name = meaning?.name
        if namespace == .none { document.attributes[index].property = meaning?.property }
      }
    }
  }

  /// Returns the namespace of elements without a prefix. A document without any namespace declaration is treated as SVG
  /// if the name of its root element is `svg`, since some tools write such files.
  func defaultNamespace() -> XMLNamespace {
    for binding in bindings.reversed() where binding.prefix.isEmpty { return binding.namespace }
    return bindings.isEmpty || !bindings.contains { $0.namespace == .svg } ? .svg : .none
  }

  func namespace(of prefix: TextSlice) -> XMLNamespace {
    for binding in bindings.reversed() where document.equal(binding.prefix, prefix) { return binding.namespace }
    if document.equals(prefix, "xml") { return .xml }
    return document.equals(prefix, "xlink") ? .xlink : .other
  }

  private func namespace(forURI uri: TextSlice) -> XMLNamespace {
    if document.equals(uri, "http://www.w3.org/2000/svg") { return .svg }
    if document.equals(uri, "http://www.w3.org/1999/xlink") { return .xlink }
    if document.equals(uri, "http://www.w3.org/XML/1998/namespace") { return .xml }
    return uri.isEmpty ? .none : .other
  }

  /// Splits a qualified name into prefix and local name.
  func split(_ name: TextSlice) -> (prefix: TextSlice, local: TextSlice) {
    let text = document.text.span
    for index in name.range where text[index] == UInt8(ascii: ":") {
      return (TextSlice(name.range.lowerBound..<index), TextSlice(index + 1..<name.range.upperBound))
    }
    return (TextSlice(start: name.start, count: 0), name)
  }
}
