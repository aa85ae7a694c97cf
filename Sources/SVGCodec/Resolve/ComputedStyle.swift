// The properties of an element after cascade, inheritance and parsing.

internal import VectorGraphics

/// The computed values of all supported properties, initially their initial values.
struct ComputedStyle: Sendable {
  enum PaintLayer: UInt8, Sendable {
    case fill
    case stroke
    case markers
  }

  enum Overflow: Sendable {
    case visible
    case hidden
  }

  enum ImageRendering: Sendable {
    case smooth
    case crisp
  }

  enum ShapeRendering: Sendable {
    case smooth
    case crisp
  }

  /// A `url(#…)` reference, `none`, or an invalid reference.
  enum Reference: Hashable, Sendable {
    case none
    case id(TextSlice)
  }

  // Inherited properties.
  var color = Color.black
  var fontSize = 16.0
  /// The value of `medium`, and the initial font size of the document.
  var mediumFontSize = 16.0
  var fill = PaintValue.color(.color(.black))
  var fillOpacity = 1.0
  var fillRule = Fill.Rule.nonZero
  var stroke = PaintValue.none
  var strokeOpacity = 1.0
  var strokeWidth = Length(1)
  var strokeCap = StrokeStyle.Cap.butt
  var strokeJoin = StrokeStyle.Join.miter
  var strokeMiterLimit = 4.0
  var strokeDashes: [Length] = []
  var strokeDashOffset = Length.zero
  var clipRule = Fill.Rule.nonZero
  var isVisible = true
  var markerStart = Reference.none
  var markerMid = Reference.none
  var markerEnd = Reference.none
  var paintOrder: [PaintLayer] = [.fill, .stroke, .markers]
  var shapeRendering = ShapeRendering.smooth
  var imageRendering = ImageRendering.smooth
  var usesLinearColor = false
  var text = TextStyle()

  // Properties that are not inherited.
  var opacity = 1.0
  /// `vector-effect: non-scaling-stroke`.
  var hasFixedStroke = false
  var isDisplayed = true
  var overflow: Overflow?
  var clipPath = Reference.none
  var mask = Reference.none
  var filter: TextSlice?
  var blendMode = BlendMode.normal
  var isIsolated = false
  var isAlphaMask = false
  var stopColor = Color.black
  var stopOpacity = 1.0
  var transform: TextSlice?
  var transformOrigin: TransformOrigin?
  var usesFillBox = false
  var backgroundColor: Color?

  static let initial = ComputedStyle()

  /// Returns the initial values with another font size.
  static func initial(fontSize: Double) -> ComputedStyle {
    var style = initial
    style.fontSize = fontSize
    style.mediumFontSize = fontSize
    return style
  }

  /// Returns the style from which those of children are computed: inherited properties are kept, all others are
  /// initial.
  func inherited() -> ComputedStyle {
    var style = self
    let initial = Self.initial
    style.opacity = 1
    style.hasFixedStroke = false
    style.isDisplayed = true
    style.overflow = nil
    style.clipPath = .none
    style.mask = .none
    style.filter = nil
    style.blendMode = .normal
    style.isIsolated = false
    style.isAlphaMask = false
    style.stopColor = initial.stopColor
    style.stopOpacity = 1
    style.transform = nil
    style.transformOrigin = nil
    style.usesFillBox = false
    style.backgroundColor = nil
    style.text = text.inherited()
    return style
  }
}
