// CFF dictionaries: operands followed by their operator (Adobe TN 5176, section 4).

internal import ImageCore

/// A DICT structure.
struct CFFDictionary: Sendable {
  /// The operators needed for outlines. Two-byte operators are 0x0C00 plus the second byte.
  enum Operator: Int {
    case charset = 15
    case charStrings = 17
    case privateDictionary = 18
    case subroutines = 19
    case variationStoreIndex = 22
    case variationStore = 24
    case fontMatrix = 0x0C07
    case registryOrderingSupplement = 0x0C1E
    case fontDictionaries = 0x0C24
    case fontDictionarySelection = 0x0C25
  }

  /// The maximum number of operands of an operator; of more, the last ones are kept.
  private static let maximumOperandCount = 513
  /// The bytes between two charges, and the work units for a byte.
  private static let chargedByteCount = 4_096
  private static let workPerByte = 60

  private var entries: [Int: [Double]] = [:]

  /// Parses all entries.
  ///
  /// - Parameter budget: charged for each byte.
  init(_ bytes: TableBytes, budget: inout ResourceBudget) throws(CodecError) {
    var position = 0
    var charged = 0
    var operands: [Double] = []
    while position < bytes.count {
      if position >= charged {
        let portion = min(CFFDictionary.chargedByteCount, bytes.count - charged)
        try budget.chargeWork(count: portion, unitsEach: CFFDictionary.workPerByte)
        charged += portion
      }
      let byte = bytes.uint8(at: position)
      position += 1
      switch byte {
      case 0...24:
        var number = byte
        if byte == 12 {
          number = 0x0C00 | bytes.uint8(at: position)
          position += 1
        }
        // `blend` leaves its operands for the next operator; only hints use it.
        if number == 23 { continue }
        entries[number] =
          operands.count > CFFDictionary.maximumOperandCount
          ? Array(operands.suffix(CFFDictionary.maximumOperandCount)) : operands
        operands = []
      case 28:
        operands.append(Double(bytes.int16(at: position)))
        position += 2
      case 29:
        operands.append(Double(bytes.int32(at: position)))
        position += 4
      case 30: operands.append(CFFDictionary.realNumber(bytes, at: &position))
      case 32...246: operands.append(Double(byte - 139))
      case 247...250:
        operands.append(Double((byte - 247) * 256 + bytes.uint8(at: position) + 108))
        position += 1
      case 251...254:
        operands.append(Double(-(byte - 251) * 256 - bytes.uint8(at: position) - 108))
        position += 1
      default: break
      }
      // Removed in portions, so that each operand is moved once.
      if operands.count >= 2 * CFFDictionary.maximumOperandCount {
        operands.removeFirst(CFFDictionary.maximumOperandCount)
      }
    }
  }

  /// The operands of an operator.
  subscript(operator: Operator) -> [Double]? { entries[`operator`.rawValue] }

  /// One operand of an operator as an offset or a count; `nil` if it exceeds the size of any table.
  func integer(_ operator: Operator, at index: Int = 0) -> Int? {
    guard let operands = entries[`operator`.rawValue], index < operands.count else { return nil }
    return UInt32(exactly: operands[index].rounded()).map(Int.init)
  }

  /// Parses a decimal number stored in nibbles.
  private static func realNumber(_ bytes: TableBytes, at position: inout Int) -> Double {
    var text = ""
    while position < bytes.count, text.utf8.count < 64 {
      let byte = bytes.uint8(at: position)
      position += 1
      for nibble in [byte >> 4, byte & 15] {
        switch nibble {
        case 0...9: text += "\(nibble)"
        case 10: text += "."
        case 11: text += "E"
        case 12: text += "E-"
        case 14: text += "-"
        default: return CFFDictionary.value(text)
        }
      }
    }
    return CFFDictionary.value(text)
  }

  private static func value(_ text: String) -> Double {
    // The standard library requires a digit on both sides of the decimal point.
    var text = text.hasSuffix(".") ? text + "0" : text
    if text.hasPrefix(".") { text = "0" + text }
    if text.hasPrefix("-.") { text = "-0" + text.dropFirst() }
    return Double(text) ?? 0
  }
}
