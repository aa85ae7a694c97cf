// Conversion of the `filter` property and of `filter` elements (Filter Effects 1, sections 5 to 8).

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

/// The filters that have been resolved.
struct FilterResources {
  typealias NodeIndex = XMLDocument.NodeIndex
  typealias Frame = TreeBuilder.Frame

  private static let workPerFunction = 1_200

  private struct Shadow: Hashable {
    var color: Color
    var deviation: Double
  }

  private var shadows: [Shadow: [RenderTree.Index]] = [:]
  private var indices: [NodeIndex: RenderTree.Index?] = [:]
  /// The elements that filters reference as images.
  private var targets: [RenderTree.Index: Set<NodeIndex>] = [:]
}

extension FilterResources {
  /// The value of the `filter` property.
  enum FilterList {
    /// Filters to be applied in order; if empty, the element is drawn without filters.
    case filters([RenderTree.Index])
    /// Only filters that cannot be applied: the element is not drawn, as in browsers and resvg.
    case invalid
  }

  /// Returns the filters of an element.
  mutating func filters(
    _ functions: [FilterFunction], _ node: NodeIndex, _ style: ComputedStyle, _ frame: Frame,
    _ images: inout ImageResources, _ draft: inout TreeDraft
  ) throws(CodecError) -> FilterList {
    try draft.account.budget.chargeWork(count: functions.count, unitsEach: Self.workPerFunction)
    var list: [RenderTree.Index] = []
    var hasInvalid = false
    for function in functions {
      if case .reference(let reference) = function {
        try draft.spendReference()
        guard let target = try draft.element(reference), draft.document.xml[target].element == .filter else {
          // As in browsers, the rest of the list is applied.
          draft.document.note(
            ImageDiagnostic(
              .warning, "a filter that is referred to does not exist",
              byteOffset: Int(draft.document.xml[node].byteOffset)))
          continue
        }
        if let index = try filter(target, frame, &images, &draft) {
          // A filter that references the filtered element as an image is ignored, as in resvg.
          if targets[index]?.contains(node) == true { return .filters([]) }
          list.append(index)
        } else {
          hasInvalid = true
        }
      } else {
        list.append(try append(function.resource(draft.lengths(style, frame.viewport), color: style.color), &draft))
      }
    }
    return list.isEmpty && hasInvalid ? .invalid : .filters(list)
  }

  /// Returns the filters that turn text into its shadow: everything takes one colour, and is blurred.
  mutating func shadow(
    color: Color, deviation: Double, _ draft: inout TreeDraft
  ) throws(CodecError) -> [RenderTree.Index] {
    let key = Shadow(color: color, deviation: deviation)
    if let known = shadows[key] { return known }
    var effects: [any FilterEffect] = [ColorMatrixEffect(matrix: .replacingColor(with: color))]
    if deviation > 0, deviation.isFinite { effects.append(GaussianBlurEffect(deviation: deviation)) }
    var list: [RenderTree.Index] = []
    for effect in effects {
      let primitive = FilterPrimitive(effect: effect, subregion: FilterSubregion(), usesLinearLight: false)
      let overflow = effect is GaussianBlurEffect ? FilterOverflow(deviation: deviation) : FilterOverflow()
      list.append(
        try append(
          RenderTree.FilterResource(
            rect: nil, units: .userSpace, primitiveUnits: .userSpace, isOptional: true, overflow: overflow,
            primitives: [primitive]), &draft))
    }
    shadows[key] = list
    return list
  }

  private mutating func append(
    _ filter: RenderTree.FilterResource, _ draft: inout TreeDraft
  ) throws(CodecError) -> RenderTree.Index {
    draft.account.filterPrimitiveCount += filter.primitives.count
    guard draft.account.filterPrimitiveCount <= draft.account.limits.maximumFilterPrimitiveCount else {
      throw draft.error("more than \(draft.account.limits.maximumFilterPrimitiveCount) filter primitives")
    }
    try draft.account.hold(filter.primitives.count * 256 + MemoryLayout<RenderTree.FilterResource>.stride * 3 / 2)
    var filter = filter
    filter.stepCount = filter.primitives.reduce(0) { $0 + 1 + $1.effect.inputs.count }
    draft.tree.filters.append(filter)
    return Int32(draft.tree.filters.count - 1)
  }

  // MARK: Elements

  /// Returns the filter of an element; `nil` if it cannot be applied.
  private mutating func filter(
    _ node: NodeIndex, _ frame: Frame, _ images: inout ImageResources, _ draft: inout TreeDraft
  ) throws(CodecError) -> RenderTree.Index? {
    if let known = indices[node] { return known }
    indices[node] = .some(nil)
    let chain = try draft.chain(from: node) { $0 == .filter }
    guard let owner = try draft.firstWithElements(chain) else { return nil }
    let units = draft.units(draft.inheritedValue(.filterUnits, chain, of: [.filter]), default: .boundingBox)
    // Fonts are those of the filter element, the viewport is that of the filtered element.
    var frame = frame
    frame.style = try draft.documentStyle(of: node)
    func value(_ name: AttributeName, _ direction: LengthContext.Direction, _ percent: Double) -> Double {
      let slice = draft.inheritedValue(name, chain, of: [.filter])
      let declared = slice.flatMap { Length(parsing: draft.document.xml.text.span.extracting($0.range)) }
      return draft.resolve(declared ?? .percent(percent), units, frame, direction)
    }
    let rect = Rect(
      x: value(.x, .horizontal, -10), y: value(.y, .vertical, -10), width: value(.width, .horizontal, 120),
      height: value(.height, .vertical, 120))
    guard rect.width > 0, rect.height > 0, rect.isFinite else { return nil }
    var resource = RenderTree.FilterResource(
      rect: rect, units: units,
      primitiveUnits: draft.units(draft.inheritedValue(.primitiveUnits, chain, of: [.filter]), default: .userSpace),
      isOptional: false, primitives: [])
    let references = try appendPrimitives(of: owner, to: &resource, frame, &images, &draft)
    guard !resource.primitives.isEmpty else { return nil }
    let index = try append(resource, &draft)
    indices[node] = index
    for image in references {
      targets[index, default: []].insert(image.target)
      draft.pending.append(
        TreeBuilder.Pending(
          kind: .filterImage(index, primitive: image.primitive), node: image.target, viewport: frame.viewport))
    }
    return index
  }

  private struct ReferencedImage {
    var primitive: Int
    var target: NodeIndex
  }

  /// Appends the primitives of a filter. Returns those that reference elements of the document.
  private mutating func appendPrimitives(
    of owner: NodeIndex, to resource: inout RenderTree.FilterResource, _ frame: Frame,
    _ pictures: inout ImageResources, _ draft: inout TreeDraft
  ) throws(CodecError) -> [ReferencedImage] {
    var results = FilterResults()
    var images: [ReferencedImage] = []
    var child = draft.document.xml[owner].firstChild
    while child != XMLDocument.noNode {
      defer { child = draft.document.xml[child].nextSibling }
      guard draft.document.xml[child].isElement,
        resource.primitives.count < draft.account.limits.maximumFilterPrimitiveCount
      else {
        continue
      }
      try chargeList(of: child, &draft)
      let element = FilterElement(
        document: draft.document, node: child, style: try draft.documentStyle(of: child), results: results)
      let effect: any FilterEffect
      if element.name == .feImage {
        let image = try imageEffect(element, &pictures, &draft)
        effect = image.effect
        if let target = image.target {
          images.append(ReferencedImage(primitive: resource.primitives.count, target: target))
        }
      } else {
        guard let plain = Self.effect(element) else { continue }
        effect = plain
      }
      resource.primitives.append(
        FilterPrimitive(
          effect: effect, subregion: try subregion(of: child, resource.primitiveUnits, frame, &draft),
          usesLinearLight: element.usesLinearLight))
      results.append(draft.document.xml.value(.result, of: child), in: draft.document.xml)
    }
    return images
  }

  private mutating func subregion(
    of node: NodeIndex, _ units: RenderTree.Units, _ frame: Frame, _ draft: inout TreeDraft
  ) throws(CodecError) -> FilterSubregion {
    func value(_ name: AttributeName, _ direction: LengthContext.Direction) throws(CodecError) -> Double? {
      guard let length = draft.length(name, of: node) else { return nil }
      guard length.isFontRelative else { return draft.resolve(length, units, frame, direction) }
      var own = frame
      own.style = try draft.documentStyle(of: node)
      return draft.resolve(length, units, own, direction)
    }
    return FilterSubregion(
      x: try value(.x, .horizontal), y: try value(.y, .vertical), width: try value(.width, .horizontal),
      height: try value(.height, .vertical))
  }

  /// Returns the effect of an element; `nil` if it is not a primitive. A primitive with invalid attributes yields
  /// transparent pixels.
  private static func effect(_ element: FilterElement) -> (any FilterEffect)? {
    switch element.name {
    case .feBlend: BlendEffect(element)
    case .feColorMatrix: ColorMatrixEffect(element)
    case .feComponentTransfer: ComponentTransferEffect(element)
    case .feComposite: CompositeEffect(element)
    case .feConvolveMatrix: ConvolveMatrixEffect(element) ?? FloodEffect.transparent
    case .feDiffuseLighting: LightingEffect(diffuse: element) ?? FloodEffect.transparent
    case .feDisplacementMap: DisplacementMapEffect(element)
    case .feDropShadow: DropShadowEffect(element)
    case .feFlood: FloodEffect(element)
    case .feGaussianBlur: GaussianBlurEffect(element)
    case .feMerge: MergeEffect(element)
    case .feMorphology: MorphologyEffect(element)
    case .feOffset: OffsetEffect(element)
    case .feSpecularLighting: LightingEffect(specular: element) ?? FloodEffect.transparent
    case .feTile: TileEffect(element)
    case .feTurbulence: TurbulenceEffect(element)
    default: nil
    }
  }
}

extension FilterResources {
  /// Charges a primitive and its children, whose attributes may be lists of numbers, including the memory of the lists.
  private mutating func chargeList(of primitive: NodeIndex, _ draft: inout TreeDraft) throws(CodecError) {
    var next: NodeIndex? = primitive
    while let node = next {
      try draft.chargeReading(node)
      for name in [AttributeName.tableValues, .values, .kernelMatrix] {
        guard let list = draft.document.xml.value(name, of: node) else { continue }
        try draft.account.hold(Int(list.count) * MemoryLayout<Double>.stride)
      }
      next = draft.document.xml.next(after: node, within: primitive)
    }
  }
}

extension FilterResources {
  /// Returns the effect of an feImage element, and the element that it references.
  mutating func imageEffect(
    _ element: FilterElement, _ images: inout ImageResources, _ draft: inout TreeDraft
  ) throws(CodecError) -> (effect: ImageEffect, target: NodeIndex?) {
    if let target = draft.hrefTarget(of: element.node) {
      try draft.spendReference()
      return (ImageEffect(content: nil), target)
    }
    guard let picture = try images.content(of: element.node, &draft) else { return (ImageEffect(content: nil), nil) }
    let style = try draft.documentStyle(of: element.node)
    let content = ImageEffect.Content.picture(
      picture, draft.aspectRatio(of: element.node), isSmooth: style.imageRendering == .smooth)
    return (ImageEffect(content: content), nil)
  }
}
