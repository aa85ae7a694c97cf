// Computed values of the text properties.

extension ComputedStyle {
  /// Copies the value of a text property from another style.
  mutating func copyText(_ property: AttributeName, from other: ComputedStyle) {
    let source = other.text
    switch property {
    case .fontFamily: text.font.families = source.font.families
    case .fontWeight: text.font.weight = source.font.weight
    case .fontStyle: text.font.slant = source.font.slant
    case .fontStretch: text.font.stretch = source.font.stretch
    case .fontVariationSettings: text.font.variations = source.font.variations
    case .fontOpticalSizing: text.font.hasOpticalSizing = source.font.hasOpticalSizing
    case .fontVariant, .fontVariantCaps: text.shaping.usesSmallCaps = source.shaping.usesSmallCaps
    case .fontFeatureSettings: text.shaping.features = source.shaping.features
    case .fontKerning, .kerning: text.shaping.hasKerning = source.shaping.hasKerning
    case .letterSpacing: text.letterSpacing = source.letterSpacing
    case .wordSpacing: text.wordSpacing = source.wordSpacing
    case .textAnchor: text.anchor = source.anchor
    case .dominantBaseline: text.dominantBaseline = source.dominantBaseline
    case .writingMode: text.isVertical = source.isVertical
    case .textOrientation, .glyphOrientationVertical: text.orientation = source.orientation
    case .direction: text.isRightToLeft = source.isRightToLeft
    case .textRendering: text.isCrisp = source.isCrisp
    case .whiteSpace: text.preservesSpace = source.preservesSpace
    case .alignmentBaseline: text.alignmentBaseline = source.alignmentBaseline
    case .baselineShift: text.baselineShift = source.baselineShift
    case .textDecoration, .textDecorationLine: setLines(source.lines)
    case .unicodeBidi: text.bidi = source.bidi
    default: break
    }
  }

  /// Sets a text property.
  mutating func setText(
    _ property: AttributeName, _ bytes: Span<UInt8>, _ slice: TextSlice, _ parent: ComputedStyle,
    _ rootFontSize: Double
  ) {
    switch property {
    case .fontFamily: text.font.families = slice
    case .fontWeight: if let value = weight(bytes, parent.text.font.weight) { text.font.weight = value }
    case .fontStyle: if let value = slant(bytes) { text.font.slant = value }
    case .fontStretch: if let value = stretch(bytes, parent.text.font.stretch) { text.font.stretch = value }
    case .fontVariationSettings: text.font.variations = isKeyword(bytes, "normal") ? nil : slice
    case .fontOpticalSizing: text.font.hasOpticalSizing = !isKeyword(bytes, "none")
    case .fontVariant, .fontVariantCaps: text.shaping.usesSmallCaps = words(of: bytes).contains("small-caps")
    case .fontFeatureSettings: text.shaping.features = isKeyword(bytes, "normal") ? nil : slice
    case .fontKerning: text.shaping.hasKerning = !isKeyword(bytes, "none")
    case .kerning:
      // In SVG 1.1, a length replaces the font's kerning. As in resvg, only zero has an effect.
      text.shaping.hasKerning = Length(parsing: bytes).map { $0.value != 0 } ?? true
    case .letterSpacing: if let value = spacing(bytes, rootFontSize) { text.letterSpacing = value }
    case .wordSpacing: if let value = spacing(bytes, rootFontSize) { text.wordSpacing = value }
    case .textRendering: text.isCrisp = isKeyword(bytes, "optimizespeed")
    case .baselineShift: setBaselineShift(bytes, rootFontSize)
    case .textDecoration, .textDecorationLine: setLines(decorationLines(bytes))
    default: setTextKeyword(property, bytes, parent)
    }
  }

  private mutating func setTextKeyword(_ property: AttributeName, _ bytes: Span<UInt8>, _ parent: ComputedStyle) {
    switch property {
    case .textAnchor:
      if isKeyword(bytes, "start") { text.anchor = .start }
      if isKeyword(bytes, "middle") { text.anchor = .middle }
      if isKeyword(bytes, "end") { text.anchor = .end }
    case .dominantBaseline:
      if isKeyword(bytes, "no-change") {
        text.dominantBaseline = parent.text.dominantBaseline
      } else if let value = baseline(bytes) {
        text.dominantBaseline = value
      }
    case .alignmentBaseline: if let value = baseline(bytes) { text.alignmentBaseline = value }
    case .writingMode:
      text.isVertical =
        isKeyword(bytes, "tb") || isKeyword(bytes, "tb-rl") || isKeyword(bytes, "vertical-rl")
        || isKeyword(bytes, "vertical-lr") || isKeyword(bytes, "sideways-rl") || isKeyword(bytes, "sideways-lr")
    case .textOrientation:
      if isKeyword(bytes, "mixed") { text.orientation = .mixed }
      if isKeyword(bytes, "upright") { text.orientation = .upright }
      if isKeyword(bytes, "sideways") || isKeyword(bytes, "sideways-right") { text.orientation = .sideways }
    case .glyphOrientationVertical:
      // CSS Writing Modes 3, section 5.1.1: three of the values are still supported.
      if isKeyword(bytes, "auto") { text.orientation = .mixed }
      if isKeyword(bytes, "0") || isKeyword(bytes, "0deg") { text.orientation = .upright }
      if isKeyword(bytes, "90") || isKeyword(bytes, "90deg") { text.orientation = .sideways }
    case .direction:
      if isKeyword(bytes, "ltr") { text.isRightToLeft = false }
      if isKeyword(bytes, "rtl") { text.isRightToLeft = true }
    case .whiteSpace:
      text.preservesSpace =
        isKeyword(bytes, "pre") || isKeyword(bytes, "pre-wrap") || isKeyword(bytes, "break-spaces")
        || isKeyword(bytes, "preserve")
    case .unicodeBidi: text.bidi = bidiControl(bytes)
    default: break
    }
  }

  // MARK: Values

  /// Returns the words of a value in lower case.
  private func words(of bytes: Span<UInt8>) -> [String] {
    var words: [String] = []
    var word = ""
    for index in 0..<bytes.count {
      if isSpace(bytes[index]) {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.unicodeScalars.append(Unicode.Scalar(lowercased(bytes[index])))
      }
    }
    return word.isEmpty ? words : words + [word]
  }

  /// CSS Fonts 4, section 2.2.
  private func weight(_ bytes: Span<UInt8>, _ parent: Double) -> Double? {
    if isKeyword(bytes, "normal") { return 400 }
    if isKeyword(bytes, "bold") { return 700 }
    if isKeyword(bytes, "bolder") { return parent < 350 ? 400 : parent < 550 ? 700 : max(parent, 900) }
    if isKeyword(bytes, "lighter") { return parent < 100 ? parent : parent < 550 ? 100 : parent <= 750 ? 400 : 700 }
    var scanner = TextScanner(bytes)
    guard let value = scanner.number(), scanner.isAtEnd, 1...1000 ~= value else { return nil }
    return value
  }

  private func slant(_ bytes: Span<UInt8>) -> TextStyle.Slant? {
    switch words(of: bytes).first {
    case "normal": .normal
    case "italic": .italic
    // The optional angle is ignored.
    case "oblique": .oblique
    default: nil
    }
  }

  /// CSS Fonts 4, section 2.3; `narrower` and `wider` are of SVG 1.1.
  private func stretch(_ bytes: Span<UInt8>, _ parent: Double) -> Double? {
    let steps: [(String, Double)] = [
      ("ultra-condensed", 50), ("extra-condensed", 62.5), ("condensed", 75), ("semi-condensed", 87.5), ("normal", 100),
      ("semi-expanded", 112.5), ("expanded", 125), ("extra-expanded", 150), ("ultra-expanded", 200),
    ]
    if let word = words(of: bytes).first {
      if let step = steps.first(where: { $0.0 == word }) { return step.1 }
      if word == "narrower" { return steps.last { $0.1 < parent }?.1 ?? 50 }
      if word == "wider" { return steps.first { $0.1 > parent }?.1 ?? 200 }
    }
    guard let length = Length(parsing: bytes), length.unit == .percent, length.value >= 0 else { return nil }
    return length.value
  }

  private func spacing(_ bytes: Span<UInt8>, _ rootFontSize: Double) -> Length? {
    isKeyword(bytes, "normal") ? .zero : Length(parsing: bytes).map { absolute($0, rootFontSize) }
  }

  private func baseline(_ bytes: Span<UInt8>) -> TextStyle.Baseline? {
    switch words(of: bytes).first {
    case "auto", "baseline", "use-script", "reset-size": .auto
    case "alphabetic": .alphabetic
    case "ideographic": .ideographic
    case "hanging": .hanging
    case "mathematical": .mathematical
    case "central", "center": .central
    case "middle": .middle
    case "before-edge", "text-before-edge", "text-top", "top": .beforeEdge
    case "after-edge", "text-after-edge", "text-bottom", "bottom": .afterEdge
    default: nil
    }
  }

  private func bidiControl(_ bytes: Span<UInt8>) -> TextStyle.BidiControl {
    switch words(of: bytes).first {
    case "embed": .embed
    case "isolate": .isolate
    case "bidi-override": .override
    case "isolate-override": .isolateOverride
    case "plaintext": .plaintext
    default: .normal
    }
  }

  private mutating func setBaselineShift(_ bytes: Span<UInt8>, _ rootFontSize: Double) {
    if isKeyword(bytes, "sub") {
      text.baselineShift = .lowered
    } else if isKeyword(bytes, "super") {
      text.baselineShift = .raised
    } else if let length = Length(parsing: bytes) {
      // Percentages refer to the font size, as in resvg; in SVG 1.1 they refer to the line height, which is similar.
      let context = LengthContext(
        fontSize: fontSize, rootFontSize: rootFontSize, viewportWidth: fontSize, viewportHeight: fontSize)
      text.baselineShift = .distance(context.resolve(length, .horizontal))
    } else {
      text.baselineShift = nil
    }
  }

  private func decorationLines(_ bytes: Span<UInt8>) -> TextStyle.DecorationLines {
    var lines: TextStyle.DecorationLines = []
    for word in words(of: bytes) {
      switch word {
      case "underline": lines.insert(.underline)
      case "overline": lines.insert(.overline)
      case "line-through": lines.insert(.lineThrough)
      default: break
      }
    }
    return lines
  }

  private mutating func setLines(_ lines: TextStyle.DecorationLines) {
    text.lines = lines
    text.propagatedLines.formUnion(lines)
  }
}
