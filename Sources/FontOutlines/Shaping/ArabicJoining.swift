// Which form a letter of a cursive script takes from its neighbours: a small machine over joining types (Unicode,
// chapter 9; OpenType, Arabic and Syriac shaping).

internal import ImageCore

/// The forms of cursive letters.
enum ArabicJoining {
  /// The scripts whose letters join.
  static let scripts: Set<Script> = [
    "Arab", "Syrc", "Mong", "Nkoo", "Mand", "Phag", "Mani", "Phlp", "Adlm", "Rohg", "Sogd", "Chrs", "Ougr",
  ]

  /// The features of the forms, in the order in which they are applied; an action is an index into them.
  static let features: [Tag] = ["isol", "fina", "fin2", "fin3", "medi", "med2", "init"]
  /// The action of characters without forms.
  static let none: UInt8 = 7

  private enum Form {
    static let isolated: UInt8 = 0
    static let final: UInt8 = 1
    static let final2: UInt8 = 2
    static let final3: UInt8 = 3
    static let medial: UInt8 = 4
    static let medial2: UInt8 = 5
    static let initial: UInt8 = 6
  }

  /// How a letter joins its neighbours. The last two are letters of Syriac with rules of their own.
  enum JoiningType: Int {
    case nonJoining, left, right, dual, alaph, dalathRish, transparent
  }

  /// For a state and a joining type: what becomes of the letter before, what of this one, and the next state.
  private typealias Entry = (previous: UInt8, current: UInt8, next: Int)

  private static let machine: [[Entry]] = {
    let (x, isol, fina, fin2, fin3) = (none, Form.isolated, Form.final, Form.final2, Form.final3)
    let (medi, med2, initial) = (Form.medial, Form.medial2, Form.initial)
    return [
      // The letter before does not join.
      [(x, x, 0), (x, isol, 2), (x, isol, 1), (x, isol, 2), (x, isol, 1), (x, isol, 6)],
      // It was one that joins to the right, or an isolated alaph.
      [(x, x, 0), (x, isol, 2), (x, isol, 1), (x, isol, 2), (x, fin2, 5), (x, isol, 6)],
      // It was isolated so far and may join.
      [(x, x, 0), (x, isol, 2), (initial, fina, 1), (initial, fina, 3), (initial, fina, 4), (initial, fina, 6)],
      // It was final so far and may join.
      [(x, x, 0), (x, isol, 2), (medi, fina, 1), (medi, fina, 3), (medi, fina, 4), (medi, fina, 6)],
      // It was a final alaph.
      [(x, x, 0), (x, isol, 2), (med2, isol, 1), (med2, isol, 2), (med2, fin2, 5), (med2, isol, 6)],
      // It was an alaph of the second or third final form.
      [(x, x, 0), (x, isol, 2), (isol, isol, 1), (isol, isol, 2), (isol, fin2, 5), (isol, isol, 6)],
      // It was a dalath or rish.
      [(x, x, 0), (x, isol, 2), (x, isol, 1), (x, isol, 2), (x, fin3, 5), (x, isol, 6)],
    ]
  }()

  /// Finds the form of each letter of a run.
  ///
  /// - Parameters:
  ///   - before: the characters before the run, nearest first.
  ///   - after: the characters behind it.
  static func assignForms(
    _ infos: inout [GlyphInfo], before: some Sequence<Unicode.Scalar>, after: some Sequence<Unicode.Scalar>
  ) {
    var state = 0
    for scalar in before {
      let type = joiningType(of: scalar.value)
      if type == .transparent { continue }
      state = machine[0][type.rawValue].next
      break
    }
    var previous: Int?
    for index in infos.indices {
      infos[index].joiningAction = none
      let type = joiningType(of: infos[index].character)
      if type == .transparent { continue }
      let entry = machine[state][type.rawValue]
      if entry.previous != none, let previous { infos[previous].joiningAction = entry.previous }
      infos[index].joiningAction = entry.current
      previous = index
      state = entry.next
    }
    for scalar in after {
      let type = joiningType(of: scalar.value)
      if type == .transparent { continue }
      let entry = machine[state][type.rawValue]
      if entry.previous != none, let previous { infos[previous].joiningAction = entry.previous }
      break
    }
    // Mongolian variation selectors have the form of their letter.
    for index in infos.indices.dropFirst() where (0x180B...0x180D).contains(infos[index].character) {
      infos[index].joiningAction = infos[index - 1].joiningAction
    }
  }

  /// How a character joins.
  static func joiningType(of character: UInt32) -> JoiningType {
    let table = ranges
    var low = 0
    var high = table.count
    while low < high {
      let middle = (low + high) / 2
      if table[middle].last < character { low = middle + 1 } else { high = middle }
    }
    if low < table.count, table[low].first <= character { return table[low].type }
    // Marks and format characters that are not listed are transparent.
    switch Unicode.Scalar(character)?.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return .transparent
    default: return .nonJoining
    }
  }

  private static let ranges: [(first: UInt32, last: UInt32, type: JoiningType)] = {
    let words = TableWords(JoiningTable.words).words
    return stride(from: 0, to: words.count - 2, by: 3).map { index in
      let type: JoiningType =
        switch words[index + 2] {
        case "L": .left
        case "R": .right
        // Characters that only cause joining behave as those that join on both sides.
        case "D", "C": .dual
        case "A": .alaph
        case "S": .dalathRish
        case "T": .transparent
        default: .nonJoining
        }
      return (UInt32(words[index], radix: 16) ?? 0, UInt32(words[index + 1], radix: 16) ?? 0, type)
    }
  }()
}
