// The content of images: their bytes, from a data URL or the caller's resource loader, and a bitmap or a nested document.
// This code does not access files or the network.

internal import ImageCore
internal import VectorGraphics

/// The images that have been loaded.
struct ImageResources {
  typealias NodeIndex = XMLDocument.NodeIndex

  private var pictures: [NodeIndex: RenderTree.ImageNode.Content?] = [:]

  /// Returns the image to which an element links; `nil` if there is none.
  mutating func content(of node: NodeIndex, _ draft: inout TreeDraft) throws(CodecError) -> RenderTree.ImageNode
    .Content?
  {
    if let known = pictures[node] { return known }
    let content = try loadContent(of: node, &draft)
    pictures[node] = content
    return content
  }

  private mutating func loadContent(
    of node: NodeIndex, _ draft: inout TreeDraft
  ) throws(CodecError) -> RenderTree.ImageNode.Content? {
    guard let slice = draft.document.xml.value(.href, of: node) else { return nil }
    let range = StyleSheet.trimmed(slice.range, of: draft.document.xml.text.span)
    // The link may contain the image in a data URL. Decoding it takes the same size again, in arrays that grow by
    // doubling.
    let linkByteCount = try draft.account.budget.allocate(count: range.count, bytesEach: 2)
    defer { draft.account.budget.release(linkByteCount) }
    try draft.account.budget.chargeWork(count: range.count, unitsEach: 4)
    guard let bytes = imageBytes(range, draft) else {
      draft.note(node, "the picture \(abbreviated(range, draft)) is not available")
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

  private mutating func nestedDocument(
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

  private func imageBytes(_ range: Range<Int>, _ draft: TreeDraft) -> [UInt8]? {
    let url = draft.document.xml.text.span.extracting(range)
    if url.count >= 5, isKeyword(url.extracting(first: 5), "data:") { return DataURL.decode(url) }
    // Links in a nested image are never resolved.
    guard !draft.isNested, let load = draft.options.loadResource, !url.isEmpty else { return nil }
    return load(String(decoding: draft.document.xml.text[range], as: UTF8.self))
  }

  private func abbreviated(_ range: Range<Int>, _ draft: TreeDraft) -> String {
    String(decoding: draft.document.xml.text[range.prefix(64)], as: UTF8.self)
  }
}
