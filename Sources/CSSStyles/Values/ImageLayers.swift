// Layers of images: the values of `mask` and `background` and of their longhands (CSS Masking 1, section 7; CSS
// Backgrounds 3, section 2).

internal import VectorGraphics

/// An image of CSS.
package enum CSSImage: Sendable {
  case none
  /// An element of the document.
  case element(ElementReference)
  /// The URL of a picture.
  case picture([UInt8])
  case gradient(CSSGradient)
}

/// A position in a box, by its distances from two edges.
package struct ImagePosition: Sendable {
  /// A distance from an edge. Percentages refer to the part of the box that the image leaves free.
  package struct Offset: Sendable {
    package var length: Length
    /// Whether the edge is the right or the bottom one.
    package var isFromEnd = false
  }

  package var x = Offset(length: .percent(0))
  package var y = Offset(length: .percent(0))

  static let center = ImagePosition(
    x: Offset(length: .percent(50)), y: Offset(length: .percent(50)))
}

/// The size of an image in a box.
package enum ImageSizing: Sendable {
  case contain
  case cover
  /// `nil` for `auto`.
  case lengths(Length?, Length?)
}

/// The repetition of an image in one direction.
package enum ImageRepetition: Hashable, Sendable {
  case repeated
  case once
  case spaced
  case rounded
}

/// The compositing of a mask layer with those below it.
package enum MaskCompositing: Hashable, Sendable {
  case add
  case subtract
  case intersect
  case exclude
}

/// The layers of `mask` or `background`, the top one first. Each list is repeated if it has fewer values than there are
/// images.
package struct ImageLayers: Sendable {
  /// The area to which a layer is cut.
  package enum Area: Hashable, Sendable {
    case box(OwnStyle.ReferenceBox)
    case unlimited
  }

  /// The values of one layer.
  package struct Layer: Sendable {
    package var image: CSSImage
    package var position: ImagePosition
    package var size: ImageSizing
    package var repetition: (x: ImageRepetition, y: ImageRepetition)
    package var origin: OwnStyle.ReferenceBox
    package var area: Area
    /// Whether the luminance of a mask is used, instead of its alpha; `nil` if that depends on the image.
    package var usesLuminance: Bool?
    package var compositing: MaskCompositing
  }

  package var images: [CSSImage] = []
  var positions = [ImagePosition()]
  var sizes = [ImageSizing.lengths(nil, nil)]
  var repetitions: [(x: ImageRepetition, y: ImageRepetition)] = [(.repeated, .repeated)]
  var origins = [OwnStyle.ReferenceBox.stroke]
  var areas = [Area.box(.stroke)]
  var modes: [Bool?] = [nil]
  var compositings = [MaskCompositing.add]

  /// The maximum number of layers.
  static let maximumCount = 32

  /// The layers, the top one first.
  package var layers: [Layer] {
    images.indices.map { index in
      func value<Value>(_ list: [Value]) -> Value { list[index % list.count] }
      return Layer(
        image: images[index], position: value(positions), size: value(sizes), repetition: value(repetitions),
        origin: value(origins), area: value(areas), usesLuminance: value(modes), compositing: value(compositings))
    }
  }

  /// The element that is the only image, if nothing else is specified about it.
  package var element: ElementReference? {
    guard images.count == 1, case .element(let reference) = images[0], modes[0] == nil else { return nil }
    return reference
  }
}
