// Loads the fonts of @font-face rules, charged to the budget of the document.

internal import CSSStyles
internal import ImageCoding
internal import XMLDocuments

/// Loads the faces of a document.
struct DocumentFonts {
  /// The maximum number of fonts that are loaded; further ones are left out.
  private static let maximumCount = 64
  /// The work units for parsing the headers of a font.
  private static let workPerFont = 20_000

  let options: SVGDocument.Options
  let isNested: Bool
  var document: StyledDocument

  /// Returns the faces of a document that its text may use. Each rule uses its first source that can be loaded.
  static func load(
    _ document: inout StyledDocument, options: SVGDocument.Options, isNested: Bool, budget: inout ResourceBudget
  ) throws(CodecError) -> [DocumentFace] {
    let rules = document.sheet.fontFaces
    guard !rules.isEmpty, document.xml.nodes.contains(where: { $0.element == .text }) else { return [] }
    let usage = try FontUsage(of: document, defaultFamily: options.fonts.defaultFamily, budget: &budget)
    var fonts = DocumentFonts(options: options, isNested: isNested, document: document)
    defer { document = fonts.document }
    var faces: [DocumentFace] = []
    for rule in rules where usage.includes(rule) {
      guard faces.count < maximumCount else {
        fonts.document.note("more than \(maximumCount) fonts are not loaded", at: rule.byteOffset)
        break
      }
      if let face = try fonts.face(rule, &budget) {
        faces.append(
          DocumentFace(
            family: rule.family, weights: rule.weights, stretches: rule.stretches, style: rule.style, face: face,
            characters: rule.characters, sizeAdjustment: rule.sizeAdjustment, ascent: rule.ascent,
            descent: rule.descent, lineGap: rule.lineGap))
      }
    }
    return faces
  }

  private mutating func face(
    _ rule: FontFaceRule, _ budget: inout ResourceBudget
  ) throws(CodecError) -> FontFace? {
    for source in rule.sources {
      if let face = try load(source, rule, &budget) { return face }
    }
    document.note("@font-face \(rule.family.prefix(48)) has no usable font", at: rule.byteOffset)
    return nil
  }

  /// Loads a font from one source; `nil` if that is not possible.
  private mutating func load(
    _ source: FontFaceRule.Source, _ rule: FontFaceRule, _ budget: inout ResourceBudget
  ) throws(CodecError) -> FontFace? {
    let url: [UInt8]
    switch source {
    case .local(let name): return try options.fonts.face(fullName: name, budget: &budget)
    case .url(let range): url = Array(document.xml.text[range])
    case .unescapedURL(let bytes): url = bytes
    }
    let held = budget.heldByteCount
    do throws(CodecError) {
      // The URL, and the font that it contains in an array that grows by doubling. The font stays charged.
      try budget.allocate(count: url.count, bytesEach: 3, byteOffset: rule.byteOffset)
      try budget.chargeWork(count: url.count, unitsEach: 4, byteOffset: rule.byteOffset)
      try budget.chargeWork(Self.workPerFont, byteOffset: rule.byteOffset)
      guard let bytes = bytes(of: url) else {
        budget.settle(heldByteCount: held)
        document.note(
          "the font \(String(decoding: url.prefix(64), as: UTF8.self)) is not available", at: rule.byteOffset)
        return nil
      }
      budget.settle(heldByteCount: held)
      try budget.allocate(bytes.count, byteOffset: rule.byteOffset)
      return try FontFace(parsing: bytes, budget: &budget)
    } catch {
      budget.settle(heldByteCount: held)
      switch error.kind {
      case .cancelled, .deadlineExceeded, .limitExceeded: throw error
      default: break
      }
      document.note("a font cannot be used: \(error.reason)", at: rule.byteOffset)
      return nil
    }
  }

  private func bytes(of url: [UInt8]) -> [UInt8]? {
    if url.count >= 5, isKeyword(url.span.extracting(first: 5), "data:") { return DataURL.decode(url.span) }
    // Links in a nested image are never resolved.
    guard !isNested, let load = options.loadResource, !url.isEmpty else { return nil }
    return load(String(decoding: url, as: UTF8.self))
  }
}
