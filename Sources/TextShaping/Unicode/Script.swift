// The script of a character (Unicode Standard Annex 24).

package import Fonts
internal import ImageCore

/// A script by its ISO 15924 code, such as `Arab`.
package struct Script: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The four letters.
  package let code: Tag

  /// Creates a script from its code.
  package init(code: Tag) {
    self.code = code
  }

  /// Creates a script from its code.
  package init(stringLiteral value: String) {
    code = Tag(stringLiteral: value)
  }

  /// The script of a character: `Zyyy` if it is used in many scripts, `Zinh` for marks that inherit it from their base.
  package init(of scalar: Unicode.Scalar) {
    let table = Script.table
    var low = 0
    var high = table.starts.count
    while low < high {
      let middle = (low + high) / 2
      if table.starts[middle] <= scalar.value { low = middle + 1 } else { high = middle }
    }
    code = low == 0 ? "Zyyy" : table.codes[low - 1]
  }

  /// Characters used in many scripts, such as digits and punctuation.
  package static let common: Script = "Zyyy"
  /// Marks that inherit the script of their base.
  package static let inherited: Script = "Zinh"
  package static let latin: Script = "Latn"
  package static let arabic: Script = "Arab"

  /// Whether the script is ``common`` or ``inherited``, and thus determined by context.
  package var isIndefinite: Bool { self == .common || self == .inherited }

  /// The four-letter code.
  package var description: String { code.description }

  private static let table: (starts: [UInt32], codes: [Tag]) = {
    let words = TableWords(ScriptTable.words).words
    var starts: [UInt32] = []
    var codes: [Tag] = []
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      starts.append(UInt32(words[index], radix: 16) ?? 0)
      codes.append(Tag(stringLiteral: String(words[index + 1])))
    }
    return (starts, codes)
  }()
}
