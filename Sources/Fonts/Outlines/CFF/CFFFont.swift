// The headers of a CFF or CFF2 table: the locations of a font's charstrings, subroutines and dictionaries (Adobe TN
// 5176; OpenType, `CFF2`).

internal import ImageCore
internal import VectorGraphics

/// The glyph data of a CFF font.
struct CFFFont: Sendable {
  /// The data shared by the charstrings of one font dictionary.
  struct Dictionary: Sendable {
    var subroutines: CFFIndex
    /// The index of the variation data with which charstrings start (CFF2).
    var variationIndex: Int
    /// The transform from charstring units to font units, if it is not the usual scaling.
    var transform: AffineTransform?
  }

  let isCFF2: Bool
  let charStrings: CFFIndex
  let globalSubroutines: CFFIndex
  let variationStore: ItemVariationStore?
  private let table: TableBytes
  private let dictionaries: [Dictionary]
  private let selection: Int?
  /// The offset of the charset, or 0…2 for a predefined one.
  private let charset: Int

  /// Parses the headers; `nil` if there are no charstrings.
  ///
  /// - Parameter budget: charged for the dictionaries, which can share their bytes.
  init?(
    _ table: TableBytes, isCFF2: Bool, unitsPerEm: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    self.table = table
    self.isCFF2 = isCFF2
    let headerSize = table.uint8(at: 2)
    let top: CFFDictionary
    if isCFF2 {
      let topSize = table.uint16(at: 3)
      top = try CFFDictionary(table.part(at: headerSize, count: topSize), budget: &budget)
      globalSubroutines = CFFIndex(table, at: headerSize + topSize, isCFF2: true)
    } else {
      let names = CFFIndex(table, at: headerSize, isCFF2: false)
      let tops = CFFIndex(table, at: names.end, isCFF2: false)
      let strings = CFFIndex(table, at: tops.end, isCFF2: false)
      top = try CFFDictionary(tops[0], budget: &budget)
      globalSubroutines = CFFIndex(table, at: strings.end, isCFF2: false)
    }
    charStrings = CFFIndex(table, at: top.integer(.charStrings) ?? 0, isCFF2: isCFF2)
    guard charStrings.count > 0 else { return nil }
    charset = top.integer(.charset) ?? 0
    variationStore =
      isCFF2 ? top.integer(.variationStore).map { ItemVariationStore(table.part(at: $0 + 2)) } : nil
    let topMatrix = top[.fontMatrix]
    let hasDictionaries = isCFF2 || top[.registryOrderingSupplement] != nil
    if hasDictionaries, let offset = top.integer(.fontDictionaries) {
      let index = CFFIndex(table, at: offset, isCFF2: isCFF2)
      var dictionaries: [Dictionary] = []
      for number in 0..<min(index.count, 256) {
        dictionaries.append(
          try CFFFont.dictionary(
            CFFDictionary(index[number], budget: &budget), table, isCFF2: isCFF2, topMatrix: topMatrix,
            unitsPerEm: unitsPerEm, &budget))
      }
      self.dictionaries = dictionaries
      selection = top.integer(.fontDictionarySelection)
    } else {
      dictionaries = [
        try CFFFont.dictionary(
          top, table, isCFF2: isCFF2, topMatrix: nil, unitsPerEm: unitsPerEm, &budget)
      ]
      selection = nil
    }
  }

  private static func dictionary(
    _ font: CFFDictionary, _ table: TableBytes, isCFF2: Bool, topMatrix: [Double]?, unitsPerEm: Int,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> Dictionary {
    var result = Dictionary(subroutines: .empty, variationIndex: 0, transform: nil)
    if let size = font.integer(.privateDictionary), let offset = font.integer(.privateDictionary, at: 1) {
      let dictionary = try CFFDictionary(table.part(at: offset, count: size), budget: &budget)
      // Subroutine offsets are relative to the private dictionary.
      if let local = dictionary.integer(.subroutines) {
        result.subroutines = CFFIndex(table, at: offset + local, isCFF2: isCFF2)
      }
      result.variationIndex = dictionary.integer(.variationStoreIndex) ?? 0
    }
    let matrices = [font[.fontMatrix], topMatrix].compactMap { $0 }.filter { $0.count == 6 }
    guard !matrices.isEmpty else { return result }
    var transform = AffineTransform.scale(x: Double(unitsPerEm), y: Double(unitsPerEm))
    for m in matrices.reversed() { transform = transform * AffineTransform(m[0], m[1], m[2], m[3], m[4], m[5]) }
    let isUsual =
      abs(transform.a - 1) < 1e-3 && abs(transform.d - 1) < 1e-3 && transform.b == 0 && transform.c == 0
      && transform.e == 0 && transform.f == 0
    if !isUsual, transform.isFinite, transform.determinant != 0 { result.transform = transform }
    return result
  }

  /// Returns the font dictionary of a glyph; `nil` if the font lacks it.
  func dictionary(for glyph: Int) -> Dictionary? {
    let index = selection.map { dictionaryIndex(for: glyph, at: $0) } ?? 0
    return index < dictionaries.count ? dictionaries[index] : nil
  }

  /// Returns the outline of a glyph in font units; `nil` if it has no contours.
  func outline(
    of glyph: GlyphID, coordinates: [Double], budget: inout ResourceBudget
  ) throws(GlyphFailure) -> Path? {
    guard glyph.index < charStrings.count, let dictionary = dictionary(for: glyph.index) else {
      throw .malformed("the font has no such glyph")
    }
    var interpreter = CharstringInterpreter(font: self, dictionary: dictionary, coordinates: coordinates)
    try interpreter.run(charStrings[glyph.index], &budget)
    guard !interpreter.path.isEmpty else { return nil }
    return dictionary.transform.map { interpreter.path.transformed(by: $0) } ?? interpreter.path
  }

  /// FDSelect, formats 0, 3 and 4.
  private func dictionaryIndex(for glyph: Int, at start: Int) -> Int {
    let format = table.uint8(at: start)
    if format == 0 { return table.uint8(at: start + 1 + glyph) }
    let isWide = format == 4
    let (first, stride) = isWide ? (start + 5, 6) : (start + 3, 3)
    var low = 0
    var high = min(isWide ? table.uint32(at: start + 1) : table.uint16(at: start + 1), table.count / stride)
    while low < high {
      let middle = (low + high) / 2
      let record = first + middle * stride
      if (isWide ? table.uint32(at: record) : table.uint16(at: record)) <= glyph {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low > 0 else { return 0 }
    let record = first + (low - 1) * stride
    return isWide ? table.uint16(at: record + 4) : table.uint8(at: record + 2)
  }

  /// Returns the glyph for a code in Adobe's standard encoding, which accented characters use to refer to their parts.
  func glyph(forStandardCode code: Int) -> Int? {
    guard let name = CFFFont.standardName(ofCode: code) else { return nil }
    // The predefined ISOAdobe charset has the names in order.
    if charset == 0 { return name < charStrings.count ? name : nil }
    guard charset > 2 else { return nil }
    let format = table.uint8(at: charset)
    var position = charset + 1
    var glyph = 1
    while glyph < charStrings.count, position < table.count {
      let first = table.uint16(at: position)
      let more = format == 0 ? 0 : format == 1 ? table.uint8(at: position + 2) : table.uint16(at: position + 2)
      if first <= name, name <= first + more { return glyph + name - first }
      glyph += more + 1
      position += format == 0 ? 2 : format == 1 ? 3 : 4
    }
    return nil
  }

  /// Returns the string ID (SID) of the glyph name for a code in the standard encoding (TN 5176, appendix B).
  private static func standardName(ofCode code: Int) -> Int? {
    // Runs of consecutive codes and names: first code, last code, first name.
    let runs = [
      (32, 126, 1), (161, 175, 96), (177, 180, 111), (182, 189, 115), (191, 191, 123), (193, 200, 124),
      (202, 203, 132), (205, 208, 134), (225, 225, 138), (227, 227, 139), (232, 235, 140), (241, 241, 144),
      (245, 245, 145), (248, 251, 146),
    ]
    return runs.first { $0.0 <= code && code <= $0.1 }.map { $0.2 + code - $0.0 }
  }
}
