// The content of patterns, clip paths, masks and filter images, which is converted after the document.

internal import ImageCore
internal import VectorGraphics

extension TreeBuilder {
  /// Converts the content of a resource.
  mutating func build(_ item: Pending) throws(CodecError) {
    let start = Int32(draft.tree.nodes.count)
    let style = try draft.documentStyle(of: item.node)
    var frame = Frame(
      next: draft.document.xml[item.node].firstChild, isSingle: false, style: style, viewport: item.viewport,
      mode: .drawing, groupNode: -1, context: nil, target: XMLDocument.noNode)
    switch item.kind {
    case .pattern(let index):
      try draft.push(frame)
      try run()
      draft.tree.patterns[Int(index)].content = start..<Int32(draft.tree.nodes.count)
    case .clip(let index):
      frame.mode = .clipping
      if case .id(let id) = style.clipPath { draft.tree.clips[Int(index)].clip = try clipping.clip(id, frame, &draft) }
      try draft.push(frame)
      try run()
      draft.tree.clips[Int(index)].content = start..<Int32(draft.tree.nodes.count)
    case .mask(let index):
      if case .id(let id) = style.mask { draft.tree.masks[Int(index)].mask = try clipping.mask(id, frame, &draft) }
      try draft.push(frame)
      try run()
      draft.tree.masks[Int(index)].content = start..<Int32(draft.tree.nodes.count)
    case .filterImage(let index, let primitive):
      frame.next = item.node
      frame.isSingle = true
      frame.style = try draft.documentStyle(of: draft.document.xml[item.node].parent)
      try draft.push(frame)
      try run()
      draft.tree.filters[Int(index)].primitives[primitive].effect = ImageEffect(
        content: .nodes(start..<Int32(draft.tree.nodes.count)))
    }
  }
}
