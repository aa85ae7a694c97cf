// The fonts that the text of a document may need, found before any font is loaded: the families that are declared
// anywhere, and the characters of all text. More may be included than is drawn, but nothing less.

internal import CSSStyles
internal import ImageCoding
internal import XMLDocuments

/// The families and characters of a document's text.
struct FontUsage {
  /// The work units for a declared value, and for a byte of text.
  private static let workPerValue = 40
  private static let workPerByte = 8

  /// The families in lower case; `nil` if they are not known, because a value contains var().
  private var families: Set<String>?
  /// The characters in order; `nil` if they are not known, because properties replace characters.
  private var characters: [UInt32]?

  init(of document: StyledDocument, defaultFamily: String, budget: inout ResourceBudget) throws(CodecError) {
    families = [defaultFamily.lowercased()]
    characters = []
    for node in 0..<XMLDocument.NodeIndex(document.xml.nodes.count) {
      let values = document.declaredValues(of: node)
      try budget.chargeWork(count: values.count, unitsEach: Self.workPerValue)
      for entry in values { note(entry) }
    }
    guard document.sheet.fontFaces.contains(where: { !$0.characters.isEmpty }) else { return }
    guard characters != nil else { return }
    // Spaces replace other white space, and determine the metrics of a family. Hyphens and ellipses end lines.
    var found: Set<UInt32> = [0x20, 0x2D, 0x2010, 0x2026]
    for node in document.xml.nodes where !node.isElement {
      guard node.parent == XMLDocument.noNode || document.xml[node.parent].element != .style else { continue }
      try budget.chargeWork(count: Int(node.text.count), unitsEach: Self.workPerByte)
      for scalar in String(decoding: document.xml.text[node.text.range], as: UTF8.self).unicodeScalars {
        found.insert(scalar.value)
      }
    }
    characters = found.sorted()
  }

  /// The properties that replace characters by others or add some.
  private static let replacing: Set<Property> = Set(
    [
      "text-transform", "font-variant-caps", "text-overflow", "hyphens", "hyphenate-character", "text-emphasis-style",
    ].compactMap { PropertyTable.property(named: $0) })
  private static let family = PropertyTable.property(named: "font-family")

  private mutating func note(_ entry: StyledDocument.Entry) {
    guard entry.property == Self.family || Self.replacing.contains(entry.property) else { return }
    switch entry.value {
    case .value(let value):
      guard entry.property == Self.family else {
        characters = nil
        return
      }
      var style = ComputedStyle.initial
      value.apply(&style, StyleContext(parent: .initial, rootFontSize: style.fontSize))
      for case .named(let name) in style.text.font.families ?? [] { families?.insert(name.lowercased()) }
    case .text:
      if entry.property == Self.family { families = nil } else { characters = nil }
    case .inherit, .initial, .unset, .revertLayer: break
    }
  }

  /// Returns whether the face of a rule may be needed.
  func includes(_ rule: FontFaceRule) -> Bool {
    if let families, !families.contains(rule.family) { return false }
    guard let characters, !rule.characters.isEmpty else { return true }
    return rule.characters.contains { Self.contains(characters, $0) }
  }

  /// Returns whether one of the characters is in a range.
  private static func contains(_ characters: [UInt32], _ range: ClosedRange<UInt32>) -> Bool {
    var (low, high) = (0, characters.count)
    while low < high {
      let middle = (low + high) / 2
      if characters[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < characters.count && characters[low] <= range.upperBound
  }
}
