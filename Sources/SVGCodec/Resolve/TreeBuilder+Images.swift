// The image element (SVG 2, section 12.3): its bytes, from a data URL or the caller's resource loader; its content, a
// bitmap or a nested document; and its position. This code does not access files or the network.

internal import ImageCore
internal import VectorGraphics

extension TreeBuilder {
  mutating func convertImage(_ node: NodeIndex, _ style: ComputedStyle, _ frame: Frame) throws(CodecError) {
    guard frame.mode == .drawing, style.isVisible, let content = try imageContent(of: node) else { return }
    guard var group = try group(for: node, style, frame) else { return }
    let size = content.size
    guard size.width > 0, size.height > 0,
      let rect = imageRect(node, style, frame, Viewport(width: size.width, height: size.height)),
      let image = RenderTree.ImageNode(
        content, in: rect, aspectRatio(of: node), isSmooth: style.imageRendering == .smooth)
    else { return }
    group.transform = transform(of: style, frame.viewport, box: rect)
    tree.images.append(image)
    let groupNode = try openGroup(group)
    try append(.image(Int32(tree.images.count - 1)))
    closeGroup(groupNode)
  }

  /// Returns the rectangle of the image. A size that is missing or `auto` follows from the other size or from the
  /// image.
  private func imageRect(
    _ node: NodeIndex, _ style: ComputedStyle, _ frame: Frame, _ natural: Viewport
  ) -> Rect? {
    let context = lengths(style, frame.viewport)
    let x = length(.x, of: node).map { context.resolve($0, .horizontal) } ?? 0
    let y = length(.y, of: node).map { context.resolve($0, .vertical) } ?? 0
    let width = length(.width, of: node).map { context.resolve($0, .horizontal) }
    let height = length(.height, of: node).map { context.resolve($0, .vertical) }
    let rect: Rect
    switch (width, height) {
    case (let width?, let height?): rect = Rect(x: x, y: y, width: width, height: height)
    case (let width?, nil): rect = Rect(x: x, y: y, width: width, height: width * natural.height / natural.width)
    case (nil, let height?): rect = Rect(x: x, y: y, width: height * natural.width / natural.height, height: height)
    case (nil, nil): rect = Rect(x: x, y: y, width: natural.width, height: natural.height)
    }
    return rect.width > 0 && rect.height > 0 && rect.isFinite ? rect : nil
  }

  // MARK: Content

  /// Returns the image to which an element links; `nil` if there is none.
  mutating func imageContent(of node: NodeIndex) throws(CodecError) -> RenderTree.ImageNode.Content? {
    if let known = pictures[node] { return known }
    let content = try loadContent(of: node)
    pictures[node] = content
    return content
  }

  private mutating func loadContent(of node: NodeIndex) throws(CodecError) -> RenderTree.ImageNode.Content? {
    guard let slice = document.xml.value(.href, of: node) else { return nil }
    let range = StyleSheet.trimmed(slice.range, of: document.xml.text.span)
    // The link may contain the image in a data URL. Decoding it takes the same size again, in arrays that grow by
    // doubling.
    let linkByteCount = try account.budget.allocate(count: range.count, bytesEach: 2)
    defer { account.budget.release(linkByteCount) }
    try account.budget.chargeWork(count: range.count, unitsEach: 4)
    guard let bytes = imageBytes(range) else {
      note(node, "the picture \(abbreviated(range)) is not available")
      return nil
    }
    if SVGDecoder().probe(bytes.span) == .yes(SVGDecoder.type) || (bytes.starts(with: [0x1f, 0x8b])) {
      return try nestedDocument(bytes, node)
    }
    guard let decode = options.decodeImage else {
      note(node, "pictures are not decoded")
      return nil
    }
    do throws(CodecError) {
      return .bitmap(try decoded(bytes, by: decode))
    } catch {
      try rethrowLimits(error)
      note(node, "a picture cannot be decoded: \(error.reason)")
      return nil
    }
  }

  /// Returns the pixels of an image, decoded within the remainder of the budget.
  mutating func decoded(
    _ bytes: [UInt8], by decode: ([UInt8], inout ResourceBudget) throws(CodecError) -> Bitmap
  ) throws(CodecError) -> Layer {
    let held = account.budget.heldByteCount
    try account.budget.descend()
    defer { account.budget.ascend() }
    let bitmap = try decode(bytes, &account.budget)
    // The pixels of the layer exist in addition to those of the bitmap during the conversion.
    account.budget.settle(heldByteCount: held)
    let byteCount = try account.budget.allocatePixels(width: bitmap.width, height: bitmap.height, bytesPerPixel: 8)
    account.budget.release(byteCount)
    try account.hold(byteCount / 2)
    return try Layer(bitmap)
  }

  /// Rethrows errors that end the whole decode, since a nested image is charged to the budget of the document.
  func rethrowLimits(_ error: CodecError) throws(CodecError) {
    switch error.kind {
    case .limitExceeded, .cancelled, .deadlineExceeded: throw error
    default: break
    }
  }

  private mutating func nestedDocument(
    _ bytes: [UInt8], _ node: NodeIndex
  ) throws(CodecError) -> RenderTree.ImageNode.Content? {
    guard !isNested else {
      note(node, "a document in a nested document is not drawn")
      return nil
    }
    do throws(CodecError) {
      return .document(try nested(bytes, options: options))
    } catch {
      try rethrowLimits(error)
      note(node, "a picture cannot be decoded: \(error.reason)")
      return nil
    }
  }

  /// Returns a nested document, read within the remainder of the budget.
  mutating func nested(
    _ bytes: [UInt8], options: SVGDocument.Options, elementID: String? = nil
  ) throws(CodecError) -> SVGDocument {
    let held = account.budget.heldByteCount
    try account.budget.descend()
    defer { account.budget.ascend() }
    let document = try SVGDocument(
      parsing: bytes.span, limits: account.limits, options: options, budget: &account.budget, isNested: true,
      elementID: elementID)
    account.treeByteCount += account.budget.heldByteCount - held
    return document
  }

  private func imageBytes(_ range: Range<Int>) -> [UInt8]? {
    let url = document.xml.text.span.extracting(range)
    if url.count >= 5, isKeyword(url.extracting(first: 5), "data:") { return DataURL.decode(url) }
    // Links in a nested image are never resolved.
    guard !isNested, let load = options.loadResource, !url.isEmpty else { return nil }
    return load(String(decoding: document.xml.text[range], as: UTF8.self))
  }

  private func abbreviated(_ range: Range<Int>) -> String {
    String(decoding: document.xml.text[range.prefix(64)], as: UTF8.self)
  }
}

extension RenderTree.ImageNode.Content {
  /// The size of the image in pixels or user units.
  var size: Rect {
    switch self {
    case .bitmap(let layer):
      Rect(x: 0, y: 0, width: Double(layer.bounds.width), height: Double(layer.bounds.height))
    case .document(let document): Rect(x: 0, y: 0, width: document.tree.width, height: document.tree.height)
    }
  }
}

extension RenderTree.ImageNode {
  /// Creates an image fitted into a rectangle; `nil` if it has no pixels.
  init?(_ content: Content, in rect: Rect, _ aspectRatio: PreserveAspectRatio, isSmooth: Bool) {
    let size = content.size
    guard size.width > 0, size.height > 0 else { return nil }
    let fitted = aspectRatio.transform(from: size, to: rect)
    self.init(
      content: content, transform: fitted, clip: rect.intersection(fitted.apply(size)) ?? rect, bounds: rect,
      isSmooth: isSmooth)
  }
}
