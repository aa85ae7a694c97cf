// The characters of emphasis marks (CSS Text Decoration 4, section 3.1).

internal import CSSStyles
internal import TextShaping

extension TextEmphasis.Mark {
  /// Returns the characters of the mark; none if there is no mark.
  func scalars(isVertical: Bool) -> [Unicode.Scalar] {
    switch self {
    case .none: []
    case .string(let scalars): Self.firstCluster(of: scalars)
    case .shape(let shape, let isOpen):
      switch shape ?? (isVertical ? .sesame : .circle) {
      case .dot: [isOpen ? "\u{25E6}" : "\u{2022}"]
      case .circle: [isOpen ? "\u{25CB}" : "\u{25CF}"]
      case .doubleCircle: [isOpen ? "\u{25CE}" : "\u{25C9}"]
      case .triangle: [isOpen ? "\u{25B3}" : "\u{25B2}"]
      case .sesame: [isOpen ? "\u{FE46}" : "\u{FE45}"]
      }
    }
  }

  /// Browsers draw no more of a string either.
  private static func firstCluster(of scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var clusters = GraphemeClusters(scalars)
    return clusters.next().map { Array(scalars[$0]) } ?? []
  }
}
