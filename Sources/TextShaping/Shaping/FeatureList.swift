// The features of a run: those enabled for all text, those of joining scripts, and the caller's settings.

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
  }

  private var features: [Feature] = []
  private var stage = 0

  /// The number of stages so far.
  var stageCount: Int { stage + 1 }

  private mutating func add(_ tags: [Tag], keepsJoiners: Bool = false, isGlobal: Bool = true) {
    for tag in tags {
      features.append(Feature(tag: tag, stage: stage, isGlobal: isGlobal, keepsJoiners: keepsJoiners))
    }
  }

  private mutating func startStage() { stage += 1 }

  /// Adds all features that a run requires.
  mutating func addFeatures(of key: ShapePlan.Key, joinsLetters: Bool) {
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
    if joinsLetters { addJoiningFeatures(isArabic: key.script == .arabic) }
    let isHangul = key.script == "Hang"
    if isHangul { add(HangulSyllables.features, isGlobal: false) }
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
    // Some Korean fonts also have the letter forms in `calt`, for less capable shapers.
    if isHangul { features.append(Feature(tag: "calt", stage: stage, maximum: 0)) }
    for feature in key.features {
      features.append(Feature(tag: feature.tag, stage: stage, maximum: max(0, feature.value)))
    }
  }

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
