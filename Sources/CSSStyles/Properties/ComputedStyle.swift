// The properties of an element after cascade, inheritance and parsing. Both parts are shared between elements until one
// of them differs, so that copying a style copies two references.

package import VectorGraphics
internal import XMLDocuments

/// The computed values of all supported properties.
@dynamicMemberLookup
@usableFromInline
package struct ComputedStyle: Sendable {
  // Arrays of one element, for their storage that is copied when it is written.
  @usableFromInline var inheritedStorage: [InheritedStyle]
  @usableFromInline var ownStorage: [OwnStyle]
  /// The custom properties that apply to the element, as an index of scopes; −1 if there are none.
  package var customScope: Int32 = -1

  package static let initial = ComputedStyle(inherited: InheritedStyle())

  private static let initialOwn = [OwnStyle()]

  init(inherited: InheritedStyle) {
    inheritedStorage = [inherited]
    ownStorage = Self.initialOwn
  }

  /// Returns the initial values with another font size.
  package static func initial(fontSize: Double) -> ComputedStyle {
    var style = InheritedStyle()
    style.fontSize = fontSize
    style.mediumFontSize = fontSize
    return ComputedStyle(inherited: style)
  }

  /// The properties that children inherit.
  @inlinable package var inherited: InheritedStyle {
    _read { yield inheritedStorage[0] }
    _modify { yield &inheritedStorage[0] }
  }

  /// The properties that children do not inherit.
  @inlinable package var own: OwnStyle {
    _read { yield ownStorage[0] }
    _modify { yield &ownStorage[0] }
  }

  /// The transform, if it depends on nothing but `transform`; identity if no transform property is declared.
  package var plainTransform: AffineTransform? {
    if !ownStorage[0].hasTransform { return .identity }
    guard ownStorage[0].translate == nil, ownStorage[0].rotate == nil, ownStorage[0].scale == nil,
      ownStorage[0].transformOrigin == nil, ownStorage[0].transformBox == .view
    else { return nil }
    return ownStorage[0].transform?.constant
  }

  /// Whether the element needs no group: it is not transparent, blended, clipped, masked or filtered.
  package var isPlain: Bool {
    guard case .none = ownStorage[0].clipPath else { return false }
    return ownStorage[0].opacity == 1 && ownStorage[0].blending == OwnStyle.Blending() && !ownStorage[0].isIsolated
      && !ownStorage[0].hasMask && ownStorage[0].filter == nil
  }

  @inlinable @inline(__always)
  package subscript<Value>(dynamicMember path: KeyPath<InheritedStyle, Value>) -> Value {
    inheritedStorage[0][keyPath: path]
  }

  @inlinable @inline(__always)
  package subscript<Value>(dynamicMember path: KeyPath<OwnStyle, Value>) -> Value { ownStorage[0][keyPath: path] }

  /// Returns the style from which those of children are computed: inherited properties are kept, all others are
  /// initial.
  package func forChild() -> ComputedStyle {
    var style = self
    style.ownStorage = Self.initialOwn
    return style
  }
}

/// A reference to an element by its identifier.
package enum ElementReference: Hashable, Sendable {
  case none
  case id([UInt8])
  /// A reference to another document, which is never loaded.
  case external
}

/// The properties that are inherited, initially their initial values.
@usableFromInline
package struct InheritedStyle: Sendable {
  package enum PaintLayer: UInt8, Sendable {
    case fill
    case stroke
    case markers
  }

  package enum Rendering: Sendable {
    case smooth
    case crisp
  }

  package var color = Color.black
  package var fontSize = 16.0
  /// The value of `medium`, and the initial font size of the document.
  var mediumFontSize = 16.0
  package var fill = PaintValue.color(.color(.black))
  package var fillOpacity = 1.0
  package var fillRule = Fill.Rule.nonZero
  package var stroke = PaintValue.none
  package var strokeOpacity = 1.0
  package var strokeWidth = Length(1)
  package var strokeCap = StrokeStyle.Cap.butt
  package var strokeJoin = StrokeStyle.Join.miter
  package var strokeMiterLimit = 4.0
  package var strokeDashes: [Length] = []
  package var strokeDashOffset = Length.zero
  package var clipRule = Fill.Rule.nonZero
  package var isVisible = true
  package var markerStart = ElementReference.none
  package var markerMid = ElementReference.none
  package var markerEnd = ElementReference.none
  package var paintOrder: [PaintLayer] = [.fill, .stroke, .markers]
  package var shapeRendering = Rendering.smooth
  package var imageRendering = Rendering.smooth
  /// `color-interpolation: linearRGB`.
  package var usesLinearColor = false
  /// `color-interpolation-filters`, whose initial value is linearRGB.
  package var filtersInLinearLight = true
  /// Whether `color-scheme` selects dark system colours.
  package var isDark = false
  // An array of one element. The text properties are most of a style, and few elements change them.
  @usableFromInline var textStorage = Self.initialText

  private static let initialText = [TextStyle()]

  @inlinable package var text: TextStyle {
    _read { yield textStorage[0] }
    _modify { yield &textStorage[0] }
  }
}

/// The properties that are not inherited, initially their initial values.
@usableFromInline
package struct OwnStyle: Sendable {
  package enum Overflow: Sendable {
    case visible
    case hidden
  }

  /// The value of `clip-path`.
  package enum ClipPath: Sendable {
    case none
    case reference(ElementReference)
    case shape(BasicShape?, ReferenceBox)
  }

  /// The box to which basic shapes and transforms refer.
  package enum ReferenceBox: Hashable, Sendable {
    case fill
    case stroke
    case view
  }

  /// The value of `mix-blend-mode`.
  package struct Blending: Hashable, Sendable {
    package var mode = BlendMode.normal
    /// Whether colours are added: `plus-lighter`.
    package var isAdditive = false

    package init(mode: BlendMode = BlendMode.normal, isAdditive: Bool = false) {
      self.mode = mode
      self.isAdditive = isAdditive
    }
  }

  package var opacity = 1.0
  /// `vector-effect: non-scaling-stroke`.
  package var hasFixedStroke = false
  package var isDisplayed = true
  package var overflow: Overflow?
  package var clipPath = ClipPath.none
  private var maskStorage: [ImageLayers] = []
  package var filter: [FilterFunction]?
  package var blending = Blending()
  package var isIsolated = false
  package var isAlphaMask = false
  package var stopColor = Color.black
  package var stopOpacity = 1.0
  package var floodColor = Color.black
  package var floodOpacity = 1.0
  package var lightingColor = Color.white
  /// The transform; invalid ones are not declared. The position of a malformed attribute is that of a missing one.
  package var transform: TransformList?
  package var translate: TransformList?
  package var rotate: TransformList?
  package var scale: TransformList?
  package var transformOrigin: TransformOrigin?
  package var transformBox = ReferenceBox.view
  package var backgroundColor: Color?
  private var backgroundStorage: [ImageLayers] = []
  package var geometry: GeometryValues?
  package var ownText = OwnTextStyle()

  // Few elements have masks or backgrounds, and the lists are long: both are stored indirectly.

  /// The layers of `mask`.
  package var mask: ImageLayers {
    get { maskStorage.first ?? ImageLayers() }
    _modify {
      if maskStorage.isEmpty { maskStorage.append(ImageLayers()) }
      yield &maskStorage[0]
    }
  }
  /// The layers of `background`.
  package var background: ImageLayers {
    get { backgroundStorage.first ?? ImageLayers() }
    _modify {
      if backgroundStorage.isEmpty { backgroundStorage.append(ImageLayers()) }
      yield &backgroundStorage[0]
    }
  }
  /// Whether there is any mask.
  package var hasMask: Bool { maskStorage.first.map { !$0.images.isEmpty } ?? false }
  /// Whether there is any image in the background.
  package var hasBackgroundImage: Bool { backgroundStorage.first.map { !$0.images.isEmpty } ?? false }
}

/// The geometry that style sheets declare; attributes are read where nothing is declared.
package struct GeometryValues: Sendable {
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
  package var pathData: [UInt8]?

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

extension OwnStyle {
  /// Whether any transform property is declared.
  package var hasTransform: Bool { transform != nil || translate != nil || rotate != nil || scale != nil }
}
