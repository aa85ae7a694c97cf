// The transform of an element about its origin (CSS Transforms 2, section 7), with the box to which it refers.

internal import CSSStyles
internal import VectorGraphics

/// The transform properties of an element, resolved when the box is known.
struct ElementTransform: Sendable {
  private var list = TransformList()
  private let origin: TransformOrigin?
  private let box: OwnStyle.ReferenceBox
  private let lengths: LengthContext

  /// - Parameter lengths: the context of lengths, whose viewport is the reference box `view-box`.
  init(_ style: ComputedStyle, _ lengths: LengthContext) {
    let own = style.own
    for part in [own.translate, own.rotate, own.scale, own.transform] {
      for function in part?.functions ?? [] { list.append(function) }
    }
    origin = own.transformOrigin
    box = own.transformBox
    self.lengths = lengths
  }

  /// Whether the box includes strokes.
  var usesStrokeBox: Bool { box == .stroke }

  /// Returns the transform.
  ///
  /// - Parameter box: the bounding box of the element, used if `transform-box` is not `view-box`.
  func resolved(box bounds: Rect?) -> AffineTransform {
    let bounds = box == .view ? nil : bounds
    var lengths = lengths
    if let bounds {
      lengths.viewportWidth = bounds.width
      lengths.viewportHeight = bounds.height
    }
    let transform = list.resolved(lengths)
    guard let origin = origin ?? (bounds == nil ? nil : TransformOrigin()) else { return transform }
    let x = (bounds?.x ?? 0) + lengths.resolve(origin.x, .horizontal)
    let y = (bounds?.y ?? 0) + lengths.resolve(origin.y, .vertical)
    return .translation(x: x, y: y) * transform * .translation(x: -x, y: -y)
  }
}
