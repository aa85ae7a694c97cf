// What shaping a script, language and direction with some features means for one font: which lookups, in which order, and
// which bits of a glyph's mask ask for them. The order of features and stages is HarfBuzz's.

internal import ImageCore

/// The plan of a kind of run.
struct ShapePlan: Sendable {
  /// What makes runs alike.
  struct Key: Hashable, Sendable {
    var script: Script
    var direction: TextDirection
    var language: String?
    var features: [FontFeature]
    var coordinates: [Double]
  }

  /// The bit of features that apply to every glyph.
  static let everywhere: UInt32 = 1

  let script: Script
  /// Whether letters take the form of their place in a word.
  let joinsLetters: Bool
  /// Substitutions; each stage is complete before the next.
  private(set) var substitutions: [[PlannedLookup]] = []
  private(set) var positioning: [PlannedLookup] = []
  /// The mask that every glyph starts with.
  private(set) var initialMask = ShapePlan.everywhere
  /// The bits of features for some glyphs only.
  private(set) var masks: [Tag: UInt32] = [:]
  let hasPositioning: Bool
  let hasPositionedMarks: Bool
  /// Whether the pairs of the `kern` table are to be kerned.
  let usesKernTable: Bool

  /// The features of letters' forms; a glyph's action is an index into them.
  var formFeatures: [Tag] {
    joinsLetters ? ArabicJoining.features : script == "Hang" ? HangulSyllables.features : []
  }

  /// The bits of a feature; 0 where the font lacks it.
  func mask(_ tag: Tag) -> UInt32 { masks[tag] ?? 0 }

  init(_ key: Key, layout: FontLayout) {
    script = key.script
    let scriptTags = OpenTypeTags.scripts(for: key.script)
    let languages = OpenTypeTags.languages(for: key.language)
    let systems = [layout.substitution, layout.positioning].map {
      $0.languageSystem(scripts: scriptTags, languages: languages)
    }
    joinsLetters =
      ArabicJoining.scripts.contains(key.script) && key.direction.isHorizontal
      && (key.script == .arabic || systems[0].map { $0.script != "DFLT" } ?? false)
    var builder = FeatureList()
    builder.addFeatures(of: key, joinsLetters: joinsLetters)
    let stageCount = builder.stageCount
    let features = builder.merged()

    var substitutionStages = [[PlannedLookup]](repeating: [], count: stageCount)
    var positioningLookups: [PlannedLookup] = []
    var nextBit: UInt32 = 1
    let tables = [layout.substitution, layout.positioning]
    let alternatives = tables.map { $0.alternatives(coordinates: key.coordinates) }
    for (number, system) in systems.enumerated() {
      guard let required = system?.requiredFeature else { continue }
      let lookups = tables[number].lookups(ofFeature: required, alternatives: alternatives[number]).map {
        PlannedLookup(index: $0, mask: ShapePlan.everywhere)
      }
      if number == 0 { substitutionStages[0] += lookups } else { positioningLookups += lookups }
    }
    var found: [Set<Tag>] = [[], []]
    for feature in features where feature.maximum > 0 {
      var indices: [Int?] = systems.map { system in system?.features.first { $0.tag == feature.tag }?.index }
      if feature.isSoughtEverywhere {
        for number in 0..<2 where indices[number] == nil {
          indices[number] = tables[number].anyFeature(feature.tag)
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
            index: $0, mask: mask, skipsJoiners: !feature.keepsJoiners, skipsNonJoiners: !feature.keepsNonJoiners)
        }
        if number == 0 { substitutionStages[feature.stage] += lookups } else { positioningLookups += lookups }
      }
    }
    substitutions = substitutionStages.map(ShapePlan.merge).filter { !$0.isEmpty }
    positioning = ShapePlan.merge(positioningLookups)
    // Fonts that have no anchors for Hebrew are better without those they have for others.
    let isUsable = key.script != "Hebr" || systems[1]?.script == "hebr"
    hasPositioning = !layout.positioning.isEmpty && isUsable
    hasPositionedMarks = hasPositioning && found[1].contains("mark")
    let wantsKerning = features.contains { $0.tag == "kern" && $0.maximum > 0 }
    usesKernTable =
      wantsKerning && key.direction.isHorizontal && !(hasPositioning && found[1].contains("kern"))
      && !layout.kerning.isEmpty
  }

  /// Lookups in the order of the table, each once, with the masks of all features that ask for it.
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

  init(_ container: FontContainer) {
    substitution = LayoutTable(container["GSUB"], isPositioning: false)
    positioning = LayoutTable(container["GPOS"], isPositioning: true)
    definitions = GlyphDefinitions(container["GDEF"])
    kerning = KernTable(container["kern"])
  }
}
