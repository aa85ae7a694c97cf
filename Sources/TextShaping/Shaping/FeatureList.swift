// The features of a run: those enabled for all text, those of joining scripts, and the caller's settings.

internal import Fonts
internal import ImageCore

/// Collects features in order of their stages.
struct FeatureList {
  /// A feature to look for in the font.
  struct Feature {
    var tag: Tag
    var stage: Int
    /// The largest value; 0 disables the feature.
    var maximum = 1
    /// Whether it applies to every glyph; otherwise masks select the glyphs.
    var isGlobal = true
    /// Whether the feature treats joiners and non-joiners as ordinary glyphs.
    var keepsJoiners = false
    var keepsNonJoiners = false
    /// Whether the feature can be taken from any script.
    var isSoughtEverywhere = false
    /// Whether the feature applies within syllables.
    var isPerSyllable = false
  }

  private var features: [Feature] = []
  private var stage = 0
  /// The step after each complete stage; `nil` for none.
  private(set) var steps: [ShapingStep?] = []

  /// The number of stages so far.
  var stageCount: Int { stage + 1 }

  private mutating func add(
    _ tags: [Tag], keepsJoiners: Bool = false, keepsNonJoiners: Bool = false, isGlobal: Bool = true,
    isPerSyllable: Bool = false
  ) {
    for tag in tags {
      features.append(
        Feature(
          tag: tag, stage: stage, isGlobal: isGlobal, keepsJoiners: keepsJoiners, keepsNonJoiners: keepsNonJoiners,
          isPerSyllable: isPerSyllable))
    }
  }

  /// Ends the stage.
  private mutating func startStage(after step: ShapingStep? = nil) {
    steps.append(step)
    stage += 1
  }

  /// Adds all features that a run requires.
  mutating func addFeatures(of key: ShapePlan.Key, model: ShapingModel) {
    add(["rvrn"])
    startStage()
    switch key.direction {
    case .leftToRight: add(["ltra", "ltrm"])
    case .rightToLeft:
      add(["rtla"])
      add(["rtlm"], isGlobal: false)
    case .topToBottom: break
    }
    // Applied only around a fraction slash.
    add(["frac", "numr", "dnom"], isGlobal: false)
    switch model {
    case .arabic: addJoiningFeatures(isArabic: key.script == .arabic)
    case .hangul: add(HangulSyllables.features, isGlobal: false)
    case .indic: addIndicFeatures()
    case .khmer: addKhmerFeatures()
    case .myanmar: addMyanmarFeatures()
    case .universal: addUniversalFeatures()
    case .plain, .hebrew, .thai: break
    }
    add(["abvm", "blwm", "ccmp", "locl"])
    for tag in ["mark", "mkmk"] as [Tag] {
      features.append(Feature(tag: tag, stage: stage, keepsJoiners: true, keepsNonJoiners: true))
    }
    add(["rlig"])
    if key.direction.isHorizontal {
      add(["calt", "clig", "curs", "dist", "kern", "liga", "rclt"])
    } else {
      features.append(Feature(tag: "vert", stage: stage, isSoughtEverywhere: true))
    }
    for feature in key.features {
      features.append(Feature(tag: feature.tag, stage: stage, maximum: max(0, feature.value)))
    }
    switch model {
    // Some Korean fonts also have the letter forms in `calt`, for less capable shapers.
    case .hangul: disable("calt")
    case .indic:
      disable("liga")
      startStage(after: .clearSyllables)
    case .khmer:
      add(["clig"])
      disable("liga")
    default: break
    }
  }

  private mutating func disable(_ tag: Tag) { features.append(Feature(tag: tag, stage: stage, maximum: 0)) }

  /// Each joining form is a separate stage, because fonts rely on the order.
  private mutating func addJoiningFeatures(isArabic: Bool) {
    add(["stch"])
    startStage()
    add(["ccmp", "locl"], keepsJoiners: true)
    startStage()
    for tag in ArabicJoining.features {
      add([tag], keepsJoiners: true, isGlobal: false)
      startStage()
    }
    add(["rlig"], keepsJoiners: true)
    if isArabic { startStage() }
    add(["calt"], keepsJoiners: true)
    startStage()
    add(["rclt"], keepsJoiners: true)
    add(["liga", "clig"], keepsJoiners: true)
    add(["mset"], keepsJoiners: true)
  }

  private mutating func addIndicFeatures() {
    startStage(after: .findSyllables)
    add(["locl", "ccmp"], isPerSyllable: true)
    startStage(after: .reorder)
    for (index, feature) in IndicShaping.basicFeatures.enumerated() {
      addManual([feature.tag], isGlobal: feature.isGlobal)
      startStage(after: index == IndicShaping.basicFeatures.count - 1 ? .reorderFinally : nil)
    }
    for feature in IndicShaping.finalFeatures { addManual([feature.tag], isGlobal: feature.isGlobal) }
  }

  private mutating func addKhmerFeatures() {
    startStage(after: .findSyllables)
    startStage(after: .reorder)
    add(["locl", "ccmp"], isPerSyllable: true)
    addManual(KhmerShaping.basicFeatures, isGlobal: false)
    startStage(after: .clearSyllables)
    addManual(["pres", "abvs", "blws", "psts"], isPerSyllable: false)
  }

  private mutating func addMyanmarFeatures() {
    startStage(after: .findSyllables)
    add(["locl", "ccmp"], isPerSyllable: true)
    startStage(after: .reorder)
    for tag in MyanmarShaping.basicFeatures {
      add([tag], keepsJoiners: true, isPerSyllable: true)
      startStage()
    }
    startStage(after: .clearSyllables)
    add(["pres", "abvs", "blws", "psts"], keepsJoiners: true)
  }

  private mutating func addUniversalFeatures() {
    startStage(after: .findSyllables)
    add(["locl", "ccmp", "nukt"], isPerSyllable: true)
    add(["akhn"], keepsJoiners: true, isPerSyllable: true)
    startStage(after: .clearSubstitutions)
    add(["rphf"], keepsJoiners: true, isGlobal: false, isPerSyllable: true)
    startStage(after: .recordRepha)
    startStage(after: .clearSubstitutions)
    add(["pref"], keepsJoiners: true, isPerSyllable: true)
    startStage(after: .recordPreBase)
    add(UniversalShaping.basicFeatures, keepsJoiners: true, isPerSyllable: true)
    startStage(after: .reorder)
    startStage(after: .clearSyllables)
    add(UniversalShaping.topographicFeatures, isGlobal: false)
    startStage()
    add(["abvs", "blws", "haln", "pres", "psts"], keepsJoiners: true)
  }

  /// Adds features that treat joiners as the specifications of syllables do.
  private mutating func addManual(_ tags: [Tag], isGlobal: Bool = true, isPerSyllable: Bool = true) {
    add(tags, keepsJoiners: true, keepsNonJoiners: true, isGlobal: isGlobal, isPerSyllable: isPerSyllable)
  }

  /// Returns each feature once, in the first stage that lists it. Later settings override earlier ones, except for
  /// joiners.
  func merged() -> [Feature] {
    var result: [Feature] = []
    for feature in features {
      guard let index = result.firstIndex(where: { $0.tag == feature.tag }) else {
        result.append(feature)
        continue
      }
      if feature.isGlobal {
        result[index].isGlobal = true
        result[index].maximum = feature.maximum
      } else {
        result[index].isGlobal = false
        result[index].maximum = max(result[index].maximum, feature.maximum)
      }
      result[index].keepsJoiners = result[index].keepsJoiners || feature.keepsJoiners
      result[index].keepsNonJoiners = result[index].keepsNonJoiners || feature.keepsNonJoiners
      result[index].isSoughtEverywhere = result[index].isSoughtEverywhere || feature.isSoughtEverywhere
    }
    return result
  }
}
