// The content of patterns, clip paths, masks and filter images, which is converted after the document.

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

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
      switch style.clipPath {
      case .none: break
      case .reference(let reference):
        let clip = try clipping.clip(reference, frame, &draft)
        draft.tree.clips[Int(index)].clip = clip
      case .shape(let shape, let box):
        let clip = try clipping.clip(shape, box, style, frame, &draft)
        draft.tree.clips[Int(index)].clip = clip
      }
      try draft.push(frame)
      try run()
      draft.tree.clips[Int(index)].content = start..<Int32(draft.tree.nodes.count)
    case .mask(let index):
      let mask = try mask(item.node, style, frame)
      draft.tree.masks[Int(index)].mask = mask
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
