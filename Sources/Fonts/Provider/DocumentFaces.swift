// The faces that a document brings with it, in front of the fonts of a provider (CSS Fonts 4, section 4).

internal import ImageCore

/// A face that a document defines: a font with a family name and traits of the document's choice.
package struct DocumentFace: Sendable {
  /// The family name; letters of ASCII are compared case-insensitively.
  package var family: String
  /// The weights for which the face is used.
  package var weights: ClosedRange<Double>
  /// The widths for which the face is used, as percentages of the normal width.
  package var stretches: ClosedRange<Double>
  /// The slope for which the face is used.
  package var style: FontStyle
  /// The face itself.
  package var face: FontFace

  /// Creates a face.
  ///
  /// - Parameters:
  ///   - face: the font.
  ///   - characters: the characters for which the face is used; all of the font if empty.
  ///   - sizeAdjustment: the factor by which the font is larger than its size says.
  ///   - ascent: the ascent as a fraction of the font size, instead of the font's.
  ///   - descent: the descent as a positive fraction of the font size, instead of the font's.
  ///   - lineGap: the line gap as a fraction of the font size, instead of the font's.
  package init(
    family: String, weights: ClosedRange<Double>, stretches: ClosedRange<Double>, style: FontStyle, face: FontFace,
    characters: [ClosedRange<UInt32>] = [], sizeAdjustment: Double = 1, ascent: Double? = nil,
    descent: Double? = nil, lineGap: Double? = nil
  ) {
    self.family = family.lowercased()
    self.weights = weights
    self.stretches = stretches
    self.style = style
    self.face = face.adjusted(
      FaceAdjustment(
        scale: sizeAdjustment, ascent: ascent, descent: descent, lineGap: lineGap, characters: characters,
        weights: weights, stretches: stretches, style: style))
  }
}

/// The changes that a document's `@font-face` rule makes to a face.
final class FaceAdjustment: Sendable {
  /// The factor by which the font is larger than its size says; positive.
  let scale: Double
  /// The ascent as a fraction of the font size; `nil` for the font's.
  let ascent: Double?
  let descent: Double?
  let lineGap: Double?
  /// The characters for which the face is used; all if empty.
  let characters: [ClosedRange<UInt32>]
  /// The ranges to which the axes of a variable font are limited.
  let weights: ClosedRange<Double>
  let stretches: ClosedRange<Double>
  /// The slope for which the face is used.
  let style: FontStyle

  init(
    scale: Double, ascent: Double?, descent: Double?, lineGap: Double?, characters: [ClosedRange<UInt32>],
    weights: ClosedRange<Double>, stretches: ClosedRange<Double>, style: FontStyle
  ) {
    // A font of no size has glyphs of no size.
    self.scale = max(scale, 1e-6)
    self.ascent = ascent
    self.descent = descent
    self.lineGap = lineGap
    self.characters = characters
    self.weights = weights
    self.stretches = stretches
    self.style = style
  }

  func covers(_ scalar: Unicode.Scalar) -> Bool {
    characters.isEmpty || characters.contains { $0.contains(scalar.value) }
  }

  /// The value of an axis within the range of the document.
  func limited(_ value: Double, of axis: Tag) -> Double {
    switch axis {
    case "wght": min(max(value, weights.lowerBound), weights.upperBound)
    case "wdth": min(max(value, stretches.lowerBound), stretches.upperBound)
    default: value
    }
  }
}

extension [DocumentFace] {
  /// The faces of a family that match a query best, those that were defined last first. They differ in the characters
  /// for which they are used (CSS Fonts 4, section 5.2).
  func matching(_ family: String, _ query: FontQuery) -> [FontFace] {
    let name = family.lowercased()
    var candidates = filter { $0.family == name }
    if candidates.isEmpty { return [] }
    let stretch = Self.nearest(
      candidates.map { $0.stretches }, query.stretch, prefersLess: query.stretch <= 100)
    candidates.removeAll { $0.stretches != stretch }
    let order: [FontStyle] =
      switch query.style {
      case .italic: [.italic, .oblique, .normal]
      case .oblique: [.oblique, .italic, .normal]
      case .normal: [.normal, .oblique, .italic]
      }
    let style = order.first { style in candidates.contains { $0.style == style } }
    candidates.removeAll { $0.style != style }
    let wanted = Double(query.weight)
    let weights = candidates.map { $0.weights }
    let exact = weights.first { $0.contains(wanted) }
    // From 400 to 500, the weights up to 500 precede the lighter ones.
    let middle =
      400...500 ~= wanted
      ? weights.filter { wanted < $0.lowerBound && $0.lowerBound <= 500 }.min { $0.lowerBound < $1.lowerBound } : nil
    let weight = exact ?? middle ?? Self.nearest(weights, wanted, prefersLess: wanted <= 500)
    candidates.removeAll { $0.weights != weight }
    return candidates.reversed().map { $0.face }
  }

  private static func nearest(
    _ ranges: [ClosedRange<Double>], _ wanted: Double, prefersLess: Bool
  ) -> ClosedRange<Double>? {
    if let match = ranges.first(where: { $0.contains(wanted) }) { return match }
    let less = ranges.filter { $0.upperBound < wanted }.max { $0.upperBound < $1.upperBound }
    let more = ranges.filter { $0.lowerBound > wanted }.min { $0.lowerBound < $1.lowerBound }
    return prefersLess ? less ?? more : more ?? less
  }
}

extension FontFace {
  /// Returns whether a weight is to be synthesised because the face is lighter, as in browsers.
  package func lacksWeight(_ weight: Double) -> Bool {
    guard weight >= 600 else { return false }
    if let adjustment { return adjustment.weights.upperBound < 600 }
    if let axis = axes.first(where: { $0.tag == "wght" }) { return axis.maximum < 600 }
    return self.weight < 600
  }

  /// Whether the slope of oblique letters is to be synthesised because the face is upright.
  package var lacksSlope: Bool {
    let axes = axes
    if axes.contains(where: { $0.tag == "ital" || $0.tag == "slnt" }) { return false }
    return (adjustment?.style ?? style) == .normal
  }
}

extension FontProvider {
  /// Returns whether a face is one of a family: of the document's family if it is one of the document's faces.
  package func isFace(_ face: FontFace, ofFamily family: String) -> Bool {
    let name = family.lowercased()
    if let adjustment = face.adjustment {
      return documentFaces.contains { $0.face.adjustment === adjustment && $0.family == name }
    }
    return face.families.contains { $0.lowercased() == name }
  }

  /// Returns a provider with the faces of a document in front of its fonts, instead of those of any other document.
  package func with(documentFaces: [DocumentFace]) -> FontProvider {
    var provider = self
    provider.documentFaces = documentFaces
    return provider
  }
}
