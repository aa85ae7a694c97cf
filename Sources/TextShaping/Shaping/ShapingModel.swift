// The shaping model of a run: which characters are reordered, which features apply when, and how marks are treated.

internal import Fonts
internal import ImageCore

/// A shaping model of the OpenType script specifications.
enum ShapingModel: Sendable {
  case plain, arabic, hebrew, hangul, thai, indic, khmer, myanmar, universal

  /// Selects the model for a script.
  ///
  /// - Parameter tag: the script tag found in the font's substitutions; `nil` if there is none. A font that supports a
  ///   script only by default is shaped without knowledge of the script.
  init(script: Script, tag: Tag?, isHorizontal: Bool) {
    let isDefault = tag == "DFLT" || tag == "latn"
    switch script {
    case "Arab": self = .arabic
    case "Syrc": self = tag != "DFLT" && isHorizontal ? .arabic : .plain
    case "Hebr": self = .hebrew
    case "Hang": self = .hangul
    case "Thai", "Laoo": self = .thai
    case "Khmr": self = .khmer
    case "Mymr": self = isDefault || tag == "mymr" ? .plain : .myanmar
    case _ where IndicShaping.shapes(script):
      // The third version of the tags selects the universal model.
      self = isDefault ? .plain : tag.map { $0.rawValue & 0xFF == 0x33 } ?? false ? .universal : .indic
    case _ where Self.universalScripts.contains(script): self = isDefault ? .plain : .universal
    default: self = .plain
    }
  }

  /// Whether syllables are found in the text.
  var hasSyllables: Bool {
    switch self {
    case .indic, .khmer, .myanmar, .universal: true
    default: false
    }
  }

  /// The stage at which the advances of marks are set to zero.
  enum MarkWidths {
    case kept, removedBeforePositioning, removedAfterPositioning
  }

  var markWidths: MarkWidths {
    switch self {
    case .indic, .khmer, .hangul: .kept
    case .myanmar, .universal: .removedBeforePositioning
    case .plain, .arabic, .hebrew, .thai: .removedAfterPositioning
    }
  }

  /// Whether marks that the font does not position are placed by their extents.
  var placesMarks: Bool { self == .plain || self == .arabic || self == .hebrew }

  /// Scripts of the Universal Shaping Engine.
  private static let universalScripts: Set<Script> = [
    "Tibt", "Mong", "Sinh", "Buhd", "Hano", "Tglg", "Tagb", "Limb", "Tale", "Bugi", "Khar", "Sylo", "Tfng", "Bali",
    "Nkoo", "Phag", "Cham", "Kali", "Lepc", "Rjng", "Saur", "Sund", "Egyp", "Java", "Kthi", "Mtei", "Lana", "Tavt",
    "Batk", "Brah", "Mand", "Cakm", "Plrd", "Shrd", "Takr", "Dupl", "Gran", "Khoj", "Sind", "Mahj", "Mani", "Modi",
    "Hmng", "Phlp", "Sidd", "Tirh", "Ahom", "Mult", "Adlm", "Bhks", "Marc", "Newa", "Gonm", "Soyo", "Zanb", "Dogr",
    "Gong", "Rohg", "Maka", "Medf", "Sogo", "Sogd", "Elym", "Nand", "Hmnp", "Wcho", "Chrs", "Diak", "Kits", "Yezi",
    "Cpmn", "Ougr", "Tnsa", "Toto", "Vith", "Kawi", "Nagm",
  ]
}

/// A step between two stages of substitution.
enum ShapingStep: Sendable {
  case findSyllables
  case reorder
  case reorderFinally
  case clearSyllables
  case clearSubstitutions
  case recordRepha
  case recordPreBase
}

/// The steps of the models with syllables.
struct SyllableShaping {
  private let model: ShapingModel
  private let circle: GlyphID?
  private let khmer: KhmerShaping
  private let universal: UniversalShaping
  private let indic: IndicShaping?

  init(plan: ShapePlan, layout: LayoutTable, characters: CharacterMap) {
    model = plan.model
    circle = characters.glyph(for: 0x25CC)
    khmer = KhmerShaping(plan: plan)
    universal = UniversalShaping(plan: plan)
    indic = plan.model == .indic ? IndicShaping(plan: plan, layout: layout, characters: characters) : nil
  }

  /// Assigns the category of each character.
  func assignCategories(_ buffer: inout GlyphBuffer) {
    if model == .universal { universal.assignCategories(&buffer) } else { buffer.assignIndicCategories() }
  }

  /// The work units for a glyph in a step.
  private static let workPerGlyph = 60

  /// Performs a step.
  ///
  /// - Parameter budget: charged for the glyphs, and for the rules that were looked through for the forms of
  ///   consonants.
  func perform(
    _ step: ShapingStep, _ buffer: inout GlyphBuffer, budget: inout ResourceBudget
  ) throws(CodecError) {
    try budget.chargeWorkInParts(count: buffer.count, unitsEach: Self.workPerGlyph)
    perform(step, &buffer)
    if let indic {
      try budget.chargeWork(
        count: indic.takeOperationCount(), unitsEach: LookupApplication.workPerOperation)
    }
  }

  private func perform(_ step: ShapingStep, _ buffer: inout GlyphBuffer) {
    switch step {
    case .findSyllables: findSyllables(&buffer)
    case .reorder: reorder(&buffer)
    case .reorderFinally: indic?.reorderFinally(&buffer)
    case .clearSyllables: buffer.clearSyllables()
    case .clearSubstitutions: universal.clearSubstitutions(&buffer)
    case .recordRepha: universal.recordRepha(&buffer)
    case .recordPreBase: universal.recordPreBase(&buffer)
    }
  }

  private func findSyllables(_ buffer: inout GlyphBuffer) {
    switch model {
    case .khmer: khmer.findSyllables(&buffer)
    case .myanmar: MyanmarShaping().findSyllables(&buffer)
    case .universal: universal.findSyllables(&buffer)
    default: indic?.findSyllables(&buffer)
    }
  }

  private func reorder(_ buffer: inout GlyphBuffer) {
    switch model {
    case .khmer: khmer.reorder(&buffer, circle: circle)
    case .myanmar: MyanmarShaping().reorder(&buffer, circle: circle)
    case .universal: universal.reorder(&buffer, circle: circle)
    default: indic?.reorderInitially(&buffer)
    }
  }
}
