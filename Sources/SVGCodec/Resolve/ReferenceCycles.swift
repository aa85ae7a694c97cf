// Removal of reference cycles among patterns, clips, masks and filters, so that drawing always terminates. Depth-first
// search over flat arrays; every edge is visited once.

internal import VectorGraphics

/// Finds and removes cycles.
enum ReferenceCycles {
  /// The reference graph. Resources are numbered: patterns, then clips, then masks, then filters.
  private struct Graph {
    var edges: [[Edge]]
  }

  /// A reference and its location.
  private struct Edge {
    enum Place {
      case groupClip(Int)
      case groupMask(Int)
      case groupFilters(Int)
      case fill(Int)
      case stroke(Int)
      case clip(Int)
      case mask(Int)
      case maskLayer(mask: Int, layer: Int)
    }

    var target: Int
    var place: Place
  }

  /// Removes every reference that closes a cycle.
  static func cut(_ tree: inout RenderTree) {
    guard !tree.patterns.isEmpty || !tree.clips.isEmpty || !tree.masks.isEmpty || !tree.filters.isEmpty else {
      return
    }
    let graph = makeGraph(tree)
    var state = [UInt8](repeating: 0, count: graph.edges.count)
    for start in 0..<graph.edges.count where state[start] == 0 {
      var stack: [(resource: Int, next: Int)] = [(start, 0)]
      state[start] = 1
      while let top = stack.last {
        guard top.next < graph.edges[top.resource].count else {
          state[top.resource] = 2
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].next += 1
        let edge = graph.edges[top.resource][top.next]
        if state[edge.target] == 1 {
          remove(edge.place, from: &tree)
        } else if state[edge.target] == 0 {
          state[edge.target] = 1
          stack.append((edge.target, 0))
        }
      }
    }
  }

  private static func remove(_ place: Edge.Place, from tree: inout RenderTree) {
    switch place {
    case .groupClip(let group): tree.groups[group].clip = nil
    case .groupMask(let group): tree.groups[group].mask = nil
    case .groupFilters(let group): tree.groups[group].filters = []
    case .fill(let shape): tree.shapes[shape].fill = nil
    case .stroke(let shape): tree.shapes[shape].stroke = nil
    case .clip(let clip): tree.clips[clip].clip = nil
    case .mask(let mask): tree.masks[mask].mask = nil
    case .maskLayer(let mask, let layer): tree.masks[mask].layers[layer].source = .empty
    }
  }

  private static func makeGraph(_ tree: RenderTree) -> Graph {
    var graph = Graph(edges: [])
    for pattern in tree.patterns { graph.edges.append(edges(of: pattern.content, tree)) }
    for (index, clip) in tree.clips.enumerated() {
      var list = edges(of: clip.content, tree)
      if let own = clip.clip { list.append(Edge(target: tree.patterns.count + Int(own), place: .clip(index))) }
      graph.edges.append(list)
    }
    for (index, mask) in tree.masks.enumerated() {
      var list = edges(of: mask.content, tree)
      if let own = mask.mask {
        list.append(Edge(target: tree.patterns.count + tree.clips.count + Int(own), place: .mask(index)))
      }
      for (position, layer) in mask.layers.enumerated() {
        guard case .element(let element, _) = layer.source else { continue }
        list.append(
          Edge(
            target: tree.patterns.count + tree.clips.count + Int(element),
            place: .maskLayer(mask: index, layer: position)))
      }
      graph.edges.append(list)
    }
    for filter in tree.filters {
      var list: [Edge] = []
      for primitive in filter.primitives {
        if let image = primitive.effect as? ImageEffect, case .nodes(let content) = image.content {
          list += edges(of: content, tree)
        }
      }
      graph.edges.append(list)
    }
    return graph
  }

  private static func edges(of content: Range<RenderTree.Index>, _ tree: RenderTree) -> [Edge] {
    let clipStart = tree.patterns.count
    let maskStart = clipStart + tree.clips.count
    let filterStart = maskStart + tree.masks.count
    var edges: [Edge] = []
    for index in content {
      switch tree.nodes[Int(index)] {
      case .group(let group, _):
        let value = tree.groups[Int(group)]
        if let clip = value.clip { edges.append(Edge(target: clipStart + Int(clip), place: .groupClip(Int(group)))) }
        if let mask = value.mask { edges.append(Edge(target: maskStart + Int(mask), place: .groupMask(Int(group)))) }
        for filter in value.filters {
          edges.append(Edge(target: filterStart + Int(filter), place: .groupFilters(Int(group))))
        }
      case .shape(let shape):
        let value = tree.shapes[Int(shape)]
        if case .pattern(let pattern) = value.fill?.source {
          edges.append(Edge(target: Int(pattern), place: .fill(Int(shape))))
        }
        if case .pattern(let pattern) = value.stroke?.source {
          edges.append(Edge(target: Int(pattern), place: .stroke(Int(shape))))
        }
      case .image: break
      }
    }
    return edges
  }
}
