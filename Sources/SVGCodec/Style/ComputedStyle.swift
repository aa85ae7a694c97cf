// The properties of an element after cascade, inheritance and parsing. Both parts are shared between elements until one
// of them differs, so that copying a style copies two references.

internal import VectorGraphics

/// The computed values of all supported properties.
@dynamicMemberLookup
struct ComputedStyle: Sendable {
  // Arrays of one element, for their storage that is copied when it is written.
  private var inheritedStorage: [InheritedStyle]
  private var ownStorage: [OwnStyle]
  /// The custom properties that apply to the element, as an index of scopes; −1 if there are none.
  var customScope: Int32 = -1

  static let initial = ComputedStyle(inherited: InheritedStyle())

  private static let initialOwn = [OwnStyle()]

  init(inherited: InheritedStyle) {
    inheritedStorage = [inherited]
    ownStorage = Self.initialOwn
  }

  /// Returns the initial values with another font size.
  static func initial(fontSize: Double) -> ComputedStyle {
    var style = InheritedStyle()
    style.fontSize = fontSize
    style.mediumFontSize = fontSize
    return ComputedStyle(inherited: style)
  }

  /// The properties that children inherit.
  var inherited: InheritedStyle {
    _read { yield inheritedStorage[0] }
    _modify { yield &inheritedStorage[0] }
  }

  /// The properties that children do not inherit.
  var own: OwnStyle {
    _read { yield ownStorage[0] }
    _modify { yield &ownStorage[0] }
  }

  /// The transform, if it depends on nothing but `transform`; identity if no transform property is declared.
  var plainTransform: AffineTransform? {
    if !ownStorage[0].hasTransform { return .identity }
    guard ownStorage[0].translate == nil, ownStorage[0].rotate == nil, ownStorage[0].scale == nil,
      ownStorage[0].transformOrigin == nil, ownStorage[0].transformBox == .view
    else { return nil }
    return ownStorage[0].transform?.constant
  }

  /// Whether the element needs no group: it is not transparent, blended, clipped, masked or filtered.
  var isPlain: Bool {
    guard case .none = ownStorage[0].clipPath else { return false }
    return ownStorage[0].opacity == 1 && ownStorage[0].blending == OwnStyle.Blending() && !ownStorage[0].isIsolated
      && !ownStorage[0].hasMask && ownStorage[0].filter == nil
  }

  subscript<Value>(dynamicMember path: KeyPath<InheritedStyle, Value>) -> Value { inheritedStorage[0][keyPath: path] }
  subscript<Value>(dynamicMember path: KeyPath<OwnStyle, Value>) -> Value { ownStorage[0][keyPath: path] }

  /// Returns the style from which those of children are computed: inherited properties are kept, all others are
  /// initial.
  func forChild() -> ComputedStyle {
    var style = self
    style.ownStorage = Self.initialOwn
    return style
  }
}

/// A reference to an element by its identifier.
enum ElementReference: Hashable, Sendable {
  case none
  case id([UInt8])
  /// A reference to another document, which is never loaded.
  case external
}

/// The properties that are inherited, initially their initial values.
struct InheritedStyle: Sendable {
  enum PaintLayer: UInt8, Sendable {
    case fill
    case stroke
    case markers
  }

  enum Rendering: Sendable {
    case smooth
    case crisp
  }

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
  var markerStart = ElementReference.none
  var markerMid = ElementReference.none
  var markerEnd = ElementReference.none
  var paintOrder: [PaintLayer] = [.fill, .stroke, .markers]
  var shapeRendering = Rendering.smooth
  var imageRendering = Rendering.smooth
  /// `color-interpolation: linearRGB`.
  var usesLinearColor = false
  /// `color-interpolation-filters`, whose initial value is linearRGB.
  var filtersInLinearLight = true
  /// Whether `color-scheme` selects dark system colours.
  var isDark = false
  // An array of one element. The text properties are most of a style, and few elements change them.
  private var textStorage = Self.initialText

  private static let initialText = [TextStyle()]

  var text: TextStyle {
    _read { yield textStorage[0] }
    _modify { yield &textStorage[0] }
  }
}

/// The properties that are not inherited, initially their initial values.
struct OwnStyle: Sendable {
  enum Overflow: Sendable {
    case visible
    case hidden
  }

  /// The value of `clip-path`.
  enum ClipPath: Sendable {
    case none
    case reference(ElementReference)
    case shape(BasicShape?, ReferenceBox)
  }

  /// The box to which basic shapes and transforms refer.
  enum ReferenceBox: Hashable, Sendable {
    case fill
    case stroke
    case view
  }

  /// The value of `mix-blend-mode`.
  struct Blending: Hashable, Sendable {
    var mode = BlendMode.normal
    /// Whether colours are added: `plus-lighter`.
    var isAdditive = false
  }

  var opacity = 1.0
  /// `vector-effect: non-scaling-stroke`.
  var hasFixedStroke = false
  var isDisplayed = true
  var overflow: Overflow?
  var clipPath = ClipPath.none
  private var maskStorage: [ImageLayers] = []
  var filter: [FilterFunction]?
  var blending = Blending()
  var isIsolated = false
  var isAlphaMask = false
  var stopColor = Color.black
  var stopOpacity = 1.0
  var floodColor = Color.black
  var floodOpacity = 1.0
  var lightingColor = Color.white
  /// The transform; invalid ones are not declared. The position of a malformed attribute is that of a missing one.
  var transform: TransformList?
  var translate: TransformList?
  var rotate: TransformList?
  var scale: TransformList?
  var transformOrigin: TransformOrigin?
  var transformBox = ReferenceBox.view
  var backgroundColor: Color?
  private var backgroundStorage: [ImageLayers] = []
  var geometry: GeometryValues?
  var ownText = OwnTextStyle()

  // Few elements have masks or backgrounds, and the lists are long: both are stored indirectly.

  /// The layers of `mask`.
  var mask: ImageLayers {
    get { maskStorage.first ?? ImageLayers() }
    _modify {
      if maskStorage.isEmpty { maskStorage.append(ImageLayers()) }
      yield &maskStorage[0]
    }
  }
  /// The layers of `background`.
  var background: ImageLayers {
    get { backgroundStorage.first ?? ImageLayers() }
    _modify {
      if backgroundStorage.isEmpty { backgroundStorage.append(ImageLayers()) }
      yield &backgroundStorage[0]
    }
  }
  /// Whether there is any mask.
  var hasMask: Bool { maskStorage.first.map { !$0.images.isEmpty } ?? false }
  /// Whether there is any image in the background.
  var hasBackgroundImage: Bool { backgroundStorage.first.map { !$0.images.isEmpty } ?? false }
}

/// The geometry that style sheets declare; attributes are read where nothing is declared.
struct GeometryValues: Sendable {
  /// `nil` for `auto`.
  typealias Value = Length?

  var x: Value?
  var y: Value?
  var width: Value?
  var height: Value?
  var cx: Value?
  var cy: Value?
  var r: Value?
  var rx: Value?
  var ry: Value?
  /// The path data of `d: path(…)`; empty for `none`.
  var pathData: [UInt8]?

  subscript(name: AttributeName) -> Value? {
    switch name {
    case .x: x
    case .y: y
    case .width: width
    case .height: height
    case .cx: cx
    case .cy: cy
    case .r: r
    case .rx: rx
    case .ry: ry
    default: nil
    }
  }
}
