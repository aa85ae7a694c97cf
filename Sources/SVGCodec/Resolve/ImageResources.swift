// The content of images: their bytes, from a data URL or the caller's resource loader, and a bitmap or a nested
// document. This code does not access files or the network.

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

/// The images that have been loaded.
struct ImageResources {
  typealias NodeIndex = XMLDocument.NodeIndex

  /// The hash and the length of a URL.
  private struct Key: Hashable {
    var hash: UInt64
    var byteCount: Int
  }

  private var pictures: [Key: RenderTree.ImageNode.Content?] = [:]
  /// The URLs of elements.
  private var keys: [NodeIndex: Key] = [:]

  /// Returns the image to which an element links; `nil` if there is none. Elements with the same link share the image.
  mutating func content(of node: NodeIndex, _ draft: inout TreeDraft) throws(CodecError) -> RenderTree.ImageNode
    .Content?
  {
    if let key = keys[node], let known = pictures[key] { return known }
    guard let slice = draft.document.xml.value(.href, of: node) else { return nil }
    let url = draft.document.xml.text[StyleSheet.trimmed(slice.range, of: draft.document.xml.text.span)]
    let (content, key) = try load(url, node, &draft)
    keys[node] = key
    return content
  }

  /// Returns the image that a URL denotes; `nil` if there is none.
  ///
  /// - Parameter node: the element whose property refers to the image.
  mutating func content(
    _ url: [UInt8], _ node: NodeIndex, _ draft: inout TreeDraft
  ) throws(CodecError) -> RenderTree.ImageNode.Content? {
    try load(url[...], node, &draft).content
  }

  private mutating func load(
    _ url: ArraySlice<UInt8>, _ node: NodeIndex, _ draft: inout TreeDraft
  ) throws(CodecError) -> (content: RenderTree.ImageNode.Content?, key: Key) {
    try draft.account.budget.chargeWork(count: url.count, unitsEach: 2)
    let bytes = url.span
    let key = Key(hash: XMLDocument.hash(bytes), byteCount: bytes.count)
    if let known = pictures[key] { return (known, key) }
    let content = try loadContent(url, node, &draft)
    pictures[key] = .some(content)
    return (content, key)
  }

  private func loadContent(
    _ url: ArraySlice<UInt8>, _ node: NodeIndex, _ draft: inout TreeDraft
  ) throws(CodecError) -> RenderTree.ImageNode.Content? {
    // The link may contain the image in a data URL. Decoding it takes the same size again, in arrays that grow by
    // doubling.
    let linkByteCount = try draft.account.budget.allocate(count: url.count, bytesEach: 2)
    defer { draft.account.budget.release(linkByteCount) }
    try draft.account.budget.chargeWork(count: url.count, unitsEach: 4)
    guard let bytes = imageBytes(url, draft) else {
      draft.note(node, "the picture \(abbreviated(url)) is not available")
      return nil
    }
    if SVGDecoder().probe(bytes.span) == .yes(SVGDecoder.type) || (bytes.starts(with: [0x1f, 0x8b])) {
      return try nestedDocument(bytes, node, &draft)
    }
    guard let decode = draft.options.decodeImage else {
      draft.note(node, "pictures are not decoded")
      return nil
    }
    do throws(CodecError) {
      return .bitmap(try draft.decoded(bytes, by: decode))
    } catch {
      try draft.rethrowLimits(error)
      draft.note(node, "a picture cannot be decoded: \(error.reason)")
      return nil
    }
  }

  private func nestedDocument(
    _ bytes: [UInt8], _ node: NodeIndex, _ draft: inout TreeDraft
  ) throws(CodecError) -> RenderTree.ImageNode.Content? {
    guard !draft.isNested else {
      draft.note(node, "a document in a nested document is not drawn")
      return nil
    }
    do throws(CodecError) {
      return .document(try draft.nested(bytes, options: draft.options))
    } catch {
      try draft.rethrowLimits(error)
      draft.note(node, "a picture cannot be decoded: \(error.reason)")
      return nil
    }
  }

  private func imageBytes(_ url: ArraySlice<UInt8>, _ draft: borrowing TreeDraft) -> [UInt8]? {
    let bytes = url.span
    if bytes.count >= 5, isKeyword(bytes.extracting(first: 5), "data:") { return DataURL.decode(bytes) }
    // Links in a nested image are never resolved.
    guard !draft.isNested, let load = draft.options.loadResource, !url.isEmpty else { return nil }
    return load(String(decoding: url, as: UTF8.self))
  }

  private func abbreviated(_ url: ArraySlice<UInt8>) -> String { String(decoding: url.prefix(64), as: UTF8.self) }
}
