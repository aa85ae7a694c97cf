// Forms of characters that `text-transform` selects besides case: wide forms, and Kana of full size.

/// Lookups of related characters.
package enum CharacterForms {
  /// Returns the wide form of a character; the character itself if it has none.
  package static func wide(_ scalar: Unicode.Scalar) -> Unicode.Scalar { wideForms[scalar] ?? scalar }

  /// Returns the Kana of full size of a small one; the character itself if it is not small.
  package static func fullSizeKana(_ scalar: Unicode.Scalar) -> Unicode.Scalar { fullSizes[scalar] ?? scalar }

  private static let wideForms = pairs(WideFormTable.words)
  private static let fullSizes = pairs(FullSizeKanaTable.words)

  private static func pairs(_ literal: StaticString) -> [Unicode.Scalar: Unicode.Scalar] {
    let values = TableWords(literal).words.map { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }
    var result: [Unicode.Scalar: Unicode.Scalar] = [:]
    for index in stride(from: 0, to: values.count - 1, by: 2) {
      if let from = values[index], let to = values[index + 1] { result[from] = to }
    }
    return result
  }
}
