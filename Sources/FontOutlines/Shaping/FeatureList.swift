// The features of a run: those that every text has, those of joining scripts, and the caller's.

internal import ImageCore

/// Features in the order of their stages.
struct FeatureList {
  /// A feature to be looked for in the font.
  struct Feature {
    var tag: Tag
    var stage: Int
    /// The largest value; 0 turns the feature off.
    var maximum = 1
    /// Whether it applies to every glyph; else masks choose.
    var isGlobal = true
    /// Whether joiners, and non-joiners, are glyphs like others to it.
    var keepsJoiners = false
    var keepsNonJoiners = false
    /// Whether the feature of any script will do.
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

  /// Adds everything that a run asks for.
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
    // Around a fraction slash only.
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
    // Fonts of Korean have their letters' forms in `calt` too, for programs that do not know better.
    if isHangul { features.append(Feature(tag: "calt", stage: stage, maximum: 0)) }
    for feature in key.features {
      features.append(Feature(tag: feature.tag, stage: stage, maximum: max(0, feature.value)))
    }
  }

  /// Each form of a letter is a stage: fonts rely on their order.
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

  /// Each feature once, in the first stage that names it. What is said of it later counts, except for joiners.
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
