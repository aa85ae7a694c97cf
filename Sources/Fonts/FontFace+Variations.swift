// Variable fonts: axes and instances.

package import ImageCore

/// An axis in the design space of a variable font.
package struct VariationAxis: Hashable, Sendable {
  /// The axis tag, such as `wght`.
  package var tag: Tag
  /// The smallest value.
  package var minimum: Double
  /// The value of the default instance.
  package var defaultValue: Double
  /// The largest value.
  package var maximum: Double
  /// Whether user interfaces should hide the axis.
  package var isHidden: Bool
}

extension FontFace {
  /// The axes of the design space; empty for a static font.
  package var axes: [VariationAxis] { tables.designSpace.axes }
  /// Whether the font has a design space.
  package var isVariable: Bool { !axes.isEmpty }

  /// Returns the face at a position in its design space. Unspecified axes have their default values, values are clamped
  /// to their axes, and unknown axes are ignored. If an axis is specified twice, the last value wins.
  ///
  /// - Parameter budget: charged for the position and the metrics of the instance.
  /// - Throws: the errors of the budget.
  package func instance(
    variations: [(tag: Tag, value: Double)], budget: inout ResourceBudget
  ) throws(CodecError) -> FontFace {
    var variations = variations
    if let adjustment {
      for index in variations.indices {
        variations[index].value = adjustment.limited(variations[index].value, of: variations[index].tag)
      }
    }
    let coordinates = try tables.designSpace.coordinates(variations, budget: &budget)
    let deltas = try tables.faceVariations.deltas(coordinates: coordinates, budget: &budget)
    return FontFace(
      tables, coordinates: coordinates, metricsDeltas: deltas.isEmpty ? nil : MetricsDeltas(deltas),
      adjustment: adjustment, synthesis: synthesis)
  }
}
