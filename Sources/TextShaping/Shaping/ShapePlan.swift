// The shape plan for a script, language, direction and set of features in one font: which lookups apply, in which
// order, and which mask bits enable them. The order of features and stages is HarfBuzz's.

internal import Fonts
internal import ImageCore

/// The shape plan for a kind of run.
struct ShapePlan: Sendable {
  /// The properties that determine a plan.
  struct Key: Hashable, Sendable {
    var script: Script
    var direction: TextDirection
    var language: String?
    var features: [FontFeature]
    var coordinates: [Double]
  }

  /// The mask bit of features that apply to every glyph.
  static let everywhere: UInt32 = 1

  /// A stage of substitution, which is completed before the next.
  struct Stage: Sendable {
    var lookups: [PlannedLookup]
    /// The step after the lookups.
    var step: ShapingStep?
  }

  let script: Script
  let model: ShapingModel
  /// The script tag of the font's substitutions; `nil` if there is none.
  let scriptTag: Tag?
  /// Whether letters take joining forms.
  let joinsLetters: Bool
  private(set) var substitutions: [Stage] = []
  /// The lookups of features that determine how syllables are reordered.
  private(set) var featureLookups: [Tag: [Int]] = [:]
  private(set) var positioning: [PlannedLookup] = []
  /// The initial mask of every glyph.
  private(set) var initialMask = ShapePlan.everywhere
  /// The mask bits of features that apply only to some glyphs.
  private(set) var masks: [Tag: UInt32] = [:]
  let hasPositioning: Bool
  let hasPositionedMarks: Bool
  /// Whether the `kern` table is applied.
  let usesKernTable: Bool

  /// The features for letter forms; a glyph's action is an index into this array.
  var formFeatures: [Tag] {
    joinsLetters ? ArabicJoining.features : model == .hangul ? HangulSyllables.features : []
  }

  /// The mask bits of a feature; 0 if the font lacks it.
  func mask(_ tag: Tag) -> UInt32 { masks[tag] ?? 0 }

  /// The work units for a feature of a kind of run, besides its search in the font, for comparing it with a feature of
  /// the font, and for sorting a lookup into the plan.
  private static let workPerFeature = 150
  private static let workPerComparison = 7
  private static let workPerLookup = 100

  /// - Parameter budget: charged for the features and lookups of the font that are looked through.
  init(_ key: Key, layout: FontLayout, budget: inout ResourceBudget) throws(CodecError) {
    script = key.script
    let scriptTags = OpenTypeTags.scripts(for: key.script)
    let languages = OpenTypeTags.languages(for: key.language)
    let systems = [
      try layout.substitution.languageSystem(scripts: scriptTags, languages: languages, budget: &budget),
      try layout.positioning.languageSystem(scripts: scriptTags, languages: languages, budget: &budget),
    ]
    scriptTag = systems[0]?.script
    model = ShapingModel(script: key.script, tag: scriptTag, isHorizontal: key.direction.isHorizontal)
    joinsLetters = model == .arabic || model == .universal && ArabicJoining.scripts.contains(key.script)
    var builder = FeatureList()
    builder.addFeatures(of: key, model: model)
    let stageCount = builder.stageCount
    let features = builder.merged()

    var substitutionStages = [[PlannedLookup]](repeating: [], count: stageCount)
    var positioningLookups: [PlannedLookup] = []
    var nextBit: UInt32 = 1
    let tables = [layout.substitution, layout.positioning]
    let alternatives = [
      try layout.substitution.alternatives(coordinates: key.coordinates, budget: &budget),
      try layout.positioning.alternatives(coordinates: key.coordinates, budget: &budget),
    ]
    let searched = systems.reduce(0) { $0 + ($1?.features.count ?? 0) }
    for (number, system) in systems.enumerated() {
      guard let required = system?.requiredFeature else { continue }
      let lookups = tables[number].lookups(ofFeature: required, alternatives: alternatives[number]).map {
        PlannedLookup(index: $0, mask: ShapePlan.everywhere)
      }
      try budget.chargeWork(count: lookups.count, unitsEach: ShapePlan.workPerLookup)
      if number == 0 { substitutionStages[0] += lookups } else { positioningLookups += lookups }
    }
    var found: [Set<Tag>] = [[], []]
    for feature in features where feature.maximum > 0 {
      try budget.chargeWork(ShapePlan.workPerFeature + searched * ShapePlan.workPerComparison)
      var indices: [Int?] = systems.map { system in system?.features.first { $0.tag == feature.tag }?.index }
      if feature.isSoughtEverywhere {
        for number in 0..<2 where indices[number] == nil {
          indices[number] = try tables[number].anyFeature(feature.tag, budget: &budget)
        }
      }
      guard indices.contains(where: { $0 != nil }) else { continue }
      let mask: UInt32
      if feature.isGlobal, feature.maximum == 1 {
        mask = ShapePlan.everywhere
      } else {
        let width = UInt32(8 - min(feature.maximum, 255).leadingZeroBitCount + 56)
        guard nextBit + width < 32 else { continue }
        mask = ((1 << width) - 1) << nextBit
        if feature.isGlobal { initialMask |= UInt32(min(feature.maximum, 255)) << nextBit & mask }
        nextBit += width
      }
      masks[feature.tag] = mask
      for number in 0..<2 {
        guard let index = indices[number] else { continue }
        found[number].insert(feature.tag)
        let lookups = tables[number].lookups(ofFeature: index, alternatives: alternatives[number]).map {
          PlannedLookup(
            index: $0, mask: mask, skipsJoiners: !feature.keepsJoiners, skipsNonJoiners: !feature.keepsNonJoiners,
            isPerSyllable: feature.isPerSyllable)
        }
        try budget.chargeWork(count: lookups.count, unitsEach: ShapePlan.workPerLookup)
        if number == 0, model == .indic { featureLookups[feature.tag] = lookups.map({ $0.index }) }
        if number == 0 { substitutionStages[feature.stage] += lookups } else { positioningLookups += lookups }
      }
    }
    let steps = builder.steps + [nil]
    substitutions = zip(substitutionStages, steps).map { Stage(lookups: ShapePlan.merge($0), step: $1) }
      .filter { !$0.lookups.isEmpty || $0.step != nil }
    positioning = ShapePlan.merge(positioningLookups)
    // If a font has no Hebrew anchors, those it has for other scripts make matters worse.
    let isUsable = key.script != "Hebr" || systems[1]?.script == "hebr"
    hasPositioning = !layout.positioning.isEmpty && isUsable
    hasPositionedMarks = hasPositioning && found[1].contains("mark")
    let wantsKerning = features.contains { $0.tag == "kern" && $0.maximum > 0 }
    usesKernTable =
      wantsKerning && key.direction.isHorizontal && !(hasPositioning && found[1].contains("kern"))
      && !layout.kerning.isEmpty
  }

  /// Merges lookups: in table order, each once, with the masks of all features that use it.
  private static func merge(_ lookups: [PlannedLookup]) -> [PlannedLookup] {
    var result: [PlannedLookup] = []
    for lookup in lookups.sorted(by: { $0.index < $1.index }) {
      if let last = result.last, last.index == lookup.index {
        result[result.count - 1].mask |= lookup.mask
        result[result.count - 1].skipsJoiners = last.skipsJoiners && lookup.skipsJoiners
        result[result.count - 1].skipsNonJoiners = last.skipsNonJoiners && lookup.skipsNonJoiners
      } else {
        result.append(lookup)
      }
    }
    return result
  }
}

/// The layout tables of a font.
struct FontLayout: Sendable {
  let substitution: LayoutTable
  let positioning: LayoutTable
  let definitions: GlyphDefinitions
  let kerning: KernTable

  /// - Parameter budget: charged for the lookups.
  init(_ container: FontContainer, budget: inout ResourceBudget) throws(CodecError) {
    substitution = try LayoutTable(container["GSUB"], isPositioning: false, budget: &budget)
    positioning = try LayoutTable(container["GPOS"], isPositioning: true, budget: &budget)
    definitions = GlyphDefinitions(container["GDEF"])
    kerning = KernTable(container["kern"])
  }
}
