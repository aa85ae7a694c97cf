// Selects the form of each letter in a cursive script from its neighbours, with a state machine over joining types
// (Unicode, chapter 9; OpenType, Arabic and Syriac shaping).

internal import Fonts
internal import ImageCore

/// The joining forms of cursive letters.
enum ArabicJoining {
  /// The scripts with joining letters.
  static let scripts: Set<Script> = [
    "Arab", "Syrc", "Mong", "Nkoo", "Mand", "Phag", "Mani", "Phlp", "Adlm", "Rohg", "Sogd", "Chrs", "Ougr",
  ]

  /// The features for the forms, in order of application; an action is an index into this array.
  static let features: [Tag] = ["isol", "fina", "fin2", "fin3", "medi", "med2", "init"]
  /// The action of characters without joining forms.
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

  /// The joining type of a letter. The last two are Syriac letters with special rules.
  enum JoiningType: Int {
    case nonJoining, left, right, dual, alaph, dalathRish, transparent
  }

  /// For each state and joining type: the new action of the previous letter, the action of this one, and the next
  /// state.
  private typealias Entry = (previous: UInt8, current: UInt8, next: Int)

  private static let machine: [[Entry]] = {
    let (x, isol, fina, fin2, fin3) = (none, Form.isolated, Form.final, Form.final2, Form.final3)
    let (medi, med2, initial) = (Form.medial, Form.medial2, Form.initial)
    return [
      // The previous letter does not join.
      [(x, x, 0), (x, isol, 2), (x, isol, 1), (x, isol, 2), (x, isol, 1), (x, isol, 6)],
      // The previous letter is right-joining, or an isolated alaph.
      [(x, x, 0), (x, isol, 2), (x, isol, 1), (x, isol, 2), (x, fin2, 5), (x, isol, 6)],
      // The previous letter is isolated so far and can join.
      [(x, x, 0), (x, isol, 2), (initial, fina, 1), (initial, fina, 3), (initial, fina, 4), (initial, fina, 6)],
      // The previous letter is final so far and can join.
      [(x, x, 0), (x, isol, 2), (medi, fina, 1), (medi, fina, 3), (medi, fina, 4), (medi, fina, 6)],
      // The previous letter is a final alaph.
      [(x, x, 0), (x, isol, 2), (med2, isol, 1), (med2, isol, 2), (med2, fin2, 5), (med2, isol, 6)],
      // The previous letter is an alaph in the second or third final form.
      [(x, x, 0), (x, isol, 2), (isol, isol, 1), (isol, isol, 2), (isol, fin2, 5), (isol, isol, 6)],
      // The previous letter is a dalath or rish.
      [(x, x, 0), (x, isol, 2), (x, isol, 1), (x, isol, 2), (x, fin3, 5), (x, isol, 6)],
    ]
  }()

  /// Determines the form of each letter in a run.
  ///
  /// - Parameters:
  ///   - before: the characters before the run, nearest first.
  ///   - after: the characters after it.
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
    // A Mongolian variation selector takes the form of its letter.
    for index in infos.indices.dropFirst() where (0x180B...0x180D).contains(infos[index].character) {
      infos[index].joiningAction = infos[index - 1].joiningAction
    }
  }

  /// Returns the joining type of a character.
  static func joiningType(of character: UInt32) -> JoiningType {
    let table = ranges
    var low = 0
    var high = table.count
    while low < high {
      let middle = (low + high) / 2
      if table[middle].last < character { low = middle + 1 } else { high = middle }
    }
    if low < table.count, table[low].first <= character { return table[low].type }
    // Unlisted marks and format characters are transparent.
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
        // Join-causing characters behave like dual-joining ones.
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
