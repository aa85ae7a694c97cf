// Variable fonts: axes and instances.

internal import ImageCore

/// An axis of the design space of a variable font.
package struct VariationAxis: Hashable, Sendable {
  /// The axis' name, such as `wght`.
  package var tag: Tag
  /// The smallest value.
  package var minimum: Double
  /// The value of the default instance.
  package var defaultValue: Double
  /// The largest value.
  package var maximum: Double
  /// Whether users are not to be shown the axis.
  package var isHidden: Bool
}

extension FontFace {
  /// The axes of the design space; empty for a static font.
  package var axes: [VariationAxis] { tables.designSpace.axes }
  /// Whether the font has a design space.
  package var isVariable: Bool { !axes.isEmpty }

  /// The face at a place of its design space. Axes that are not named are at their default, values are cut to the
  /// axis, names of no axis count for nothing; of one axis named twice the last value counts.
  package func instance(variations: [(tag: Tag, value: Double)]) -> FontFace {
    FontFace(tables, coordinates: tables.designSpace.coordinates(variations))
  }
}
