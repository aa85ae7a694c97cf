// Namespaces in XML 1.0: resolution of prefixes to the namespaces relevant to SVG.

internal import ImageCoding

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
        try bind(.empty, to: namespace(forURI: attribute.value))
        document.attributes[index].namespace = .other
      } else if document.equals(prefix, "xmlns") {
        try bind(local, to: namespace(forURI: attribute.value))
        document.attributes[index].namespace = .other
      }
    }
    for index in start..<document.attributes.count where document.attributes[index].namespace != .other {
      let (prefix, local) = split(document.attributes[index].text)
      let namespace: XMLNamespace = prefix.isEmpty ? .none : try self.namespace(of: prefix)
      document.attributes[index].namespace = namespace
      document.attributes[index].text = local
      let meaning = attributeNames[document.text.span.extracting(local.range)]
      document.attributes[index].number = try number(of: local, known: meaning?.number)
      if namespace != .other {
        document.attributes[index].name = meaning?.name
        if namespace == .none { document.attributes[index].property = meaning?.property }
      }
    }
  }

  /// Returns the number of a name.
  ///
  /// - Parameter known: its number in ``MarkupNames``, if it is there.
  mutating func number(of name: TextSlice, known: NameNumber? = nil) throws(CodecError) -> NameNumber {
    if let known { return known }
    let text = document.text
    return try document.names.number(of: name, in: text.span, budget: &budget)
  }

  // MARK: Declarations

  /// Binds a prefix, or the default namespace if it is empty.
  private mutating func bind(_ prefix: TextSlice, to namespace: XMLNamespace) throws(CodecError) {
    guard bindings.count < Self.maximumBindingCount else {
      throw limit("more than \(Self.maximumBindingCount) namespaces are in scope")
    }
    let number = prefix.isEmpty ? NameNumbers.none : try prefixNumber(prefix)
    bindings.append(Binding(prefix: number, namespace: namespace, outer: boundNamespace(of: number)))
    if namespace == .svg { svgBindingCount += 1 }
    setNamespace(of: number, namespace)
  }

  /// Ends the scope of all declarations but the first ones.
  mutating func endBindings(after count: Int) {
    while bindings.count > count, let last = bindings.popLast() {
      if last.namespace == .svg { svgBindingCount -= 1 }
      setNamespace(of: last.prefix, last.outer)
    }
  }

  private func boundNamespace(of prefix: NameNumber) -> XMLNamespace? {
    guard prefix != NameNumbers.none else { return declaredDefault }
    let index = Int(prefix - NameNumbers.first)
    return index < namespaceOfPrefix.count ? namespaceOfPrefix[index] : nil
  }

  private mutating func setNamespace(of prefix: NameNumber, _ namespace: XMLNamespace?) {
    guard prefix != NameNumbers.none else {
      declaredDefault = namespace
      return
    }
    let index = Int(prefix - NameNumbers.first)
    if index >= namespaceOfPrefix.count {
      namespaceOfPrefix.append(contentsOf: repeatElement(nil, count: index + 1 - namespaceOfPrefix.count))
    }
    namespaceOfPrefix[index] = namespace
  }

  private mutating func prefixNumber(_ prefix: TextSlice) throws(CodecError) -> NameNumber {
    if prefix.count == lastPrefix.text.count, prefix.count <= 16, document.equal(prefix, lastPrefix.text) {
      return lastPrefix.number
    }
    lastPrefix = (prefix, try number(of: prefix))
    return lastPrefix.number
  }

  // MARK: Names

  /// Returns the namespace of elements without a prefix. A document without any namespace declaration is treated as SVG
  /// if the name of its root element is `svg`, since some tools write such files.
  func defaultNamespace() -> XMLNamespace { declaredDefault ?? (svgBindingCount == 0 ? .svg : .none) }

  mutating func namespace(of prefix: TextSlice) throws(CodecError) -> XMLNamespace {
    if let bound = boundNamespace(of: try prefixNumber(prefix)) { return bound }
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
