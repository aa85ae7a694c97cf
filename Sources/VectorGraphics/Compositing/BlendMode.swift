// The ways to combine two layers: W3C Compositing and Blending Level 1.

/// The mixing of colours where source and backdrop overlap.
package enum BlendMode: String, Hashable, Sendable, CaseIterable {
  case normal, multiply, screen, overlay, darken, lighten
  case colorDodge = "color-dodge"
  case colorBurn = "color-burn"
  case hardLight = "hard-light"
  case softLight = "soft-light"
  case difference, exclusion, hue, saturation, color, luminosity
}

/// A Porter–Duff operator: the parts of source and backdrop that are retained.
package enum CompositeOperator: Hashable, Sendable, CaseIterable {
  case clear, source, destination
  case over, destinationOver
  case sourceIn, destinationIn
  case out, destinationOut
  case atop, destinationAtop
  case xor
  /// The sum, clamped to 1.
  case lighter

  /// Whether the backdrop changes even where the source is transparent.
  package var isUnbounded: Bool {
    switch self {
    case .clear, .source, .sourceIn, .destinationIn, .out, .destinationAtop: true
    case .destination, .over, .destinationOver, .destinationOut, .atop, .xor, .lighter: false
    }
  }
}
