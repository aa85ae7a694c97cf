// The pictures of a document at the size at which they are drawn, computed once before the drawing is divided into
// bands.

internal import ImageCoding
internal import VectorGraphics

/// Pictures that all bands of a drawing share.
struct ReducedPictures: Sendable {
  private var layers: [PictureKey: Layer] = [:]

  /// No pictures, which are then reduced where they are drawn.
  init() {}

  /// Reduces the pictures among the nodes of a document. Those in patterns, masks and nested documents are not among
  /// them.
  ///
  /// - Parameters:
  ///   - transform: the transform from CSS pixels to the canvas.
  ///   - budget: charged with the pixels, which are kept.
  init(
    _ tree: RenderTree, transform: AffineTransform, canvas: PixelRect, budget: inout ResourceBudget
  ) throws(CodecError) {
    guard tree.images.contains(where: \.isReducible) else { return }
    var open: [(end: Int, transform: AffineTransform)] = []
    var transform = transform
    var byteCount = 0
    for index in Int(tree.content.lowerBound)..<Int(tree.content.upperBound) {
      while let last = open.last, last.end <= index {
        open.removeLast()
        transform = last.transform
      }
      try budget.chargeWork(20)
      switch tree.nodes[index] {
      case .group(let group, let end):
        open.append((Int(end), transform))
        transform = transform * tree.groups[Int(group)].transform
      case .shape: break
      case .image(let image):
        let image = tree.images[Int(image)]
        guard case .bitmap(let picture) = image.content, let key = image.reduction(transform), layers[key] == nil,
          image.covers(canvas, transform)
        else { continue }
        byteCount += key.reduction.byteCount
        guard byteCount <= LayerCache<PictureKey>.maximumByteCount(budget.limits) else { return }
        let layer = try key.reduction.apply(to: picture.layer, budget: &budget)
        guard (try? budget.allocate(key.reduction.byteCount)) != nil else { return }
        layers[key] = layer
      }
    }
  }

  /// Returns a picture.
  func layer(_ key: PictureKey) -> Layer? { layers.isEmpty ? nil : layers[key] }
}

extension RenderTree.ImageNode {
  /// Whether the picture is filtered where it is drawn smaller than it is.
  fileprivate var isReducible: Bool { if case .bitmap = content { isSmooth } else { false } }

  /// Returns the reduction of the picture; `nil` if it is not drawn smaller than it is.
  ///
  /// - Parameter transform: the transform from the parent's user space to the canvas.
  func reduction(_ transform: AffineTransform) -> PictureKey? {
    guard isSmooth, case .bitmap(let picture) = content else { return nil }
    return ImageReduction(of: picture.layer.bounds, transform: transform * self.transform).map {
      PictureKey(picture: picture.id, reduction: $0)
    }
  }

  /// Returns whether a part of the picture is in an area of the canvas.
  func covers(_ area: PixelRect, _ transform: AffineTransform) -> Bool {
    transform.isFinite && !PixelRect(covering: transform.apply(clip).expanded(by: 1)).intersection(area).isEmpty
  }
}
