// The demands of an element on any face that its text is set in, and their synthesis for a face that does not meet
// them.

internal import Fonts
internal import ImageCoding

/// The demands on the faces of an element, including fallback faces.
package struct FaceDemand: Hashable, Sendable {
  /// The weight, if a bolder one than that of a face is synthesised; otherwise 0.
  private var weight = 0.0
  private var isSlanted = false
  private var sizeAdjustment: FontSizeAdjustment?
  /// The font size, if anything depends on it.
  private var size = 0.0

  package init(_ font: TextStyle.Font, size: Double) {
    let adjustments = font.adjustments
    if adjustments.synthesizesWeight, font.weight >= 600 {
      weight = font.weight
      // Beyond these sizes, the width of bold letters is a fixed fraction.
      self.size = adjustments.size == nil ? min(max(size, 9), 36) : size
    }
    isSlanted =
      switch adjustments.slantSynthesis {
      case .always: font.slant != .normal
      case .never: false
      case .oblique: font.slant == .oblique
      }
    sizeAdjustment = adjustments.size
  }

  /// Returns a face with what it lacks.
  func synthesise(_ face: FontFace, budget: inout ResourceBudget) throws(CodecError) -> FontFace {
    var synthesis = FaceSynthesis.none
    if let sizeAdjustment, let wanted = sizeAdjustment.value {
      let own = try FontUnitMetrics(face, budget: &budget).value(of: sizeAdjustment.metric)
      if own > 0 { synthesis = FaceSynthesis(sizeScale: wanted / own) }
    }
    if weight > 0, face.lacksWeight(weight) {
      synthesis.boldWidth = FaceSynthesis.boldWidth(ofSize: size * synthesis.sizeScale)
    }
    synthesis.isOblique = isSlanted && face.lacksSlope
    return synthesis == .none ? face : face.synthesised(synthesis)
  }
}
