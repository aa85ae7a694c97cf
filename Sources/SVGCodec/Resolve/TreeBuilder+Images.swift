// The image element (SVG 2, section 12.3) and the position of its content.

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

extension TreeBuilder {
  mutating func convertImage(_ node: NodeIndex, _ style: ComputedStyle, _ frame: Frame) throws(CodecError) {
    guard frame.mode == .drawing, style.isVisible, let content = try images.content(of: node, &draft) else { return }
    guard var group = try group(for: node, style, frame) else { return }
    let size = content.size
    guard size.width > 0, size.height > 0,
      let rect = imageRect(node, style, frame, Viewport(width: size.width, height: size.height)),
      let image = RenderTree.ImageNode(
        content, in: rect, draft.aspectRatio(of: node), isSmooth: style.imageRendering == .smooth)
    else { return }
    group.transform = draft.transform(of: style, frame.viewport, box: rect)
    draft.tree.images.append(image)
    let groupNode = try draft.openGroup(group)
    try draft.append(.image(Int32(draft.tree.images.count - 1)))
    draft.closeGroup(groupNode)
  }

  /// Returns the rectangle of the image. A size that is missing or `auto` follows from the other size or from the
  /// image.
  private mutating func imageRect(
    _ node: NodeIndex, _ style: ComputedStyle, _ frame: Frame, _ natural: Viewport
  ) -> Rect? {
    let context = draft.lengths(style, frame.viewport)
    let x = draft.length(.x, of: node, style).map { context.resolve($0, .horizontal) } ?? 0
    let y = draft.length(.y, of: node, style).map { context.resolve($0, .vertical) } ?? 0
    let width = draft.length(.width, of: node, style).map { context.resolve($0, .horizontal) }
    let height = draft.length(.height, of: node, style).map { context.resolve($0, .vertical) }
    let rect: Rect
    switch (width, height) {
    case (let width?, let height?): rect = Rect(x: x, y: y, width: width, height: height)
    case (let width?, nil): rect = Rect(x: x, y: y, width: width, height: width * natural.height / natural.width)
    case (nil, let height?): rect = Rect(x: x, y: y, width: height * natural.width / natural.height, height: height)
    case (nil, nil): rect = Rect(x: x, y: y, width: natural.width, height: natural.height)
    }
    return rect.width > 0 && rect.height > 0 && rect.isFinite ? rect : nil
  }
}

extension RenderTree.ImageNode.Content {
  /// The size of the image in pixels or user units.
  var size: Rect {
    switch self {
    case .bitmap(let picture):
      Rect(x: 0, y: 0, width: Double(picture.layer.bounds.width), height: Double(picture.layer.bounds.height))
    case .document(let document):
      Rect(x: 0, y: 0, width: document.tree.width, height: document.tree.height)
    case .layer: Rect(x: 0, y: 0, width: 0, height: 0)
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
