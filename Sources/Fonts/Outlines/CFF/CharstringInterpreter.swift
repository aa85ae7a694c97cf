// Charstrings, the programs that draw CFF glyphs: numbers are pushed on a stack and consumed by operators (Adobe TN
// 5177; OpenType, CFF2 charstrings). Hints are skipped.

internal import ImageCore
internal import VectorGraphics

/// Executes the charstring of one glyph.
struct CharstringInterpreter {
  /// The maximum number of operators executed for one glyph, including subroutines.
  private static let maximumOperatorCount = 1 << 18
  /// The number of steps that are charged before they are taken, and the work units for one. An operator takes several.
  private static let prepaidStepCount = 256
  private static let workPerStep = 8
  static let stepsPerOperator = 3

  let font: CFFFont
  let dictionary: CFFFont.Dictionary
  let coordinates: [Double]
  var path = Path()
  var stack: [Double] = []
  var current = Point.zero
  private var isOpen = false
  private var stemCount = 0
  private var hasWidth: Bool
  /// The programs waiting for a subroutine to return, with their positions.
  private var callers: [(bytes: TableBytes, position: Int)] = []
  /// The numbers stored by `put` for `get`.
  var storage: [Double] = []
  private var operatorCount = 0
  private var limits = OutlineBudget()
  /// The number of steps that are charged and not yet taken; negative for steps that are still to be charged.
  var steps = 0
  /// The scalars of the regions in the current variation data; computed on first use.
  private var regionScalars: [Double]?
  private var variationIndex: Int
  /// Whether the glyph is drawn as part of an accented character.
  private var isPart = false

  init(font: CFFFont, dictionary: CFFFont.Dictionary, coordinates: [Double]) {
    self.font = font
    self.dictionary = dictionary
    self.coordinates = coordinates
    variationIndex = dictionary.variationIndex
    // CFF2 charstrings have no width.
    hasWidth = font.isCFF2
    stack.reserveCapacity(48)
  }

  /// Executes a charstring from the current point.
  mutating func run(_ program: TableBytes, _ budget: inout ResourceBudget) throws(GlyphFailure) {
    var bytes = program
    var position = 0
    callers = []
    while true {
      guard position < bytes.count else {
        // CFF2 has no return and no endchar; programs simply end.
        guard let caller = callers.popLast() else { break }
        (bytes, position) = caller
        continue
      }
      if steps <= 0 {
        try budget.chargeGlyphWork((Self.prepaidStepCount - steps) * Self.workPerStep)
        steps = Self.prepaidStepCount
      }
      steps -= 1
      let byte = bytes.uint8(at: position)
      position += 1
      if byte >= 32 || byte == 28 {
        pushNumber(byte, bytes, &position)
        guard stack.count <= 513 else { throw .malformed("a charstring overflows its stack") }
        continue
      }
      operatorCount += 1
      steps -= Self.stepsPerOperator
      guard operatorCount <= CharstringInterpreter.maximumOperatorCount else { throw OutlineBudget.exceeded }
      switch byte {
      case 10, 29:
        let index = byte == 10 ? dictionary.subroutines : font.globalSubroutines
        let subroutine = try takeSubroutine(of: index)
        guard callers.count < OutlineBudget.maximumDepth else {
          throw .malformed("subroutines are nested too deeply")
        }
        callers.append((bytes, position))
        (bytes, position) = (subroutine, 0)
      case 11 where !font.isCFF2: position = bytes.count
      case 14 where !font.isCFF2:
        try endGlyph(&budget)
        return
      case 12:
        let second = bytes.uint8(at: position)
        position += 1
        try runEscaped(second)
      case 19, 20:
        takeStems()
        position += (stemCount + 7) / 8
      default: try run(operator: byte, &budget)
      }
    }
    closeContour()
  }

  private mutating func pushNumber(_ byte: Int, _ bytes: TableBytes, _ position: inout Int) {
    switch byte {
    case 28:
      stack.append(Double(bytes.int16(at: position)))
      position += 2
    case 32...246: stack.append(Double(byte - 139))
    case 247...250:
      stack.append(Double((byte - 247) * 256 + bytes.uint8(at: position) + 108))
      position += 1
    case 251...254:
      stack.append(Double(-(byte - 251) * 256 - bytes.uint8(at: position) - 108))
      position += 1
    default:
      stack.append(bytes.fixed(at: position))
      position += 4
    }
  }

  private mutating func run(operator byte: Int, _ budget: inout ResourceBudget) throws(GlyphFailure) {
    try limits.spendPoints(stack.count, &budget)
    switch byte {
    case 1, 3, 18, 23: takeStems()
    case 4: try move { arguments in Point(x: 0, y: arguments.last ?? 0) }
    case 22: try move { arguments in Point(x: arguments.last ?? 0, y: 0) }
    case 21:
      try move { arguments in
        arguments.count < 2 ? .zero : Point(x: arguments[arguments.count - 2], y: arguments[arguments.count - 1])
      }
    case 5: addLines(0..<stack.count)
    case 6: addAlternatingLines(startsHorizontal: true)
    case 7: addAlternatingLines(startsHorizontal: false)
    case 8: addCurves(0..<stack.count)
    case 24:
      guard stack.count >= 2 else { break }
      addCurves(0..<stack.count - 2)
      addLines(stack.count - 2..<stack.count)
    case 25:
      guard stack.count >= 6 else { break }
      addLines(0..<stack.count - 6)
      addCurves(stack.count - 6..<stack.count)
    case 26: addVerticalCurves()
    case 27: addHorizontalCurves()
    case 30: addAlternatingCurves(startsHorizontal: false)
    case 31: addAlternatingCurves(startsHorizontal: true)
    case 15 where font.isCFF2:
      variationIndex = stack.last.flatMap { UInt16(exactly: $0.rounded()) }.map(Int.init) ?? 0
      regionScalars = nil
    case 16 where font.isCFF2:
      try blend(&budget)
      return
    default: break
    }
    stack.removeAll(keepingCapacity: true)
  }

  /// Counts stem hints. The first operator of a charstring can have the glyph's width before its operands.
  private mutating func takeStems() {
    if !hasWidth {
      hasWidth = true
      if !stack.count.isMultiple(of: 2), !stack.isEmpty { stack.removeFirst() }
    }
    stemCount = min(stemCount + stack.count / 2, 4096)
    stack.removeAll(keepingCapacity: true)
  }

  private mutating func move(_ offset: ([Double]) -> Point) throws(GlyphFailure) {
    // The operands come last, so a width before them can be ignored.
    hasWidth = true
    closeContour()
    current = current + offset(stack)
    path.move(to: current)
    isOpen = true
  }

  private mutating func closeContour() {
    if isOpen { path.close() }
    isOpen = false
  }

  private mutating func takeSubroutine(of index: CFFIndex) throws(GlyphFailure) -> TableBytes {
    // Subroutine numbers are biased, so that the most compact numbers refer to the middle of the array.
    let bias = index.count < 1240 ? 107 : index.count < 33900 ? 1131 : 32768
    guard let number = stack.popLast().flatMap({ Int32(exactly: $0.rounded()) }).map(Int.init), number + bias >= 0,
      number + bias < index.count
    else { throw .malformed("a charstring calls a missing subroutine") }
    return index[number + bias]
  }

  /// `endchar`; with four operands, it composes the glyph from a base letter and an accent (TN 5177, appendix C).
  private mutating func endGlyph(_ budget: inout ResourceBudget) throws(GlyphFailure) {
    closeContour()
    guard stack.count >= 4 else { return }
    // The parts are looked for by name among all glyphs.
    try budget.chargeGlyphWork(font.charStrings.count * Self.workPerStep)
    if isPart { throw .malformed("an accented character is nested in another") }
    let operands = stack.suffix(4).map { $0 }
    stack.removeAll(keepingCapacity: true)
    let parts = [(Point.zero, operands[2]), (Point(x: operands[0], y: operands[1]), operands[3])]
    for (origin, code) in parts {
      guard let code = Int(exactly: code.rounded()), let glyph = font.glyph(forStandardCode: code),
        let dictionary = font.dictionary(for: glyph)
      else { throw .malformed("a part of an accented character is missing") }
      try limits.spendComponent(&budget)
      var inner = CharstringInterpreter(font: font, dictionary: dictionary, coordinates: coordinates)
      inner.current = origin
      inner.isPart = true
      try inner.run(font.charStrings[glyph], &budget)
      path.append(inner.path)
    }
  }

  /// `blend`: replaces n default values, followed by the deltas of each for every region, with n blended values.
  private mutating func blend(_ budget: inout ResourceBudget) throws(GlyphFailure) {
    let scalars = try currentRegionScalars(&budget)
    guard let count = stack.popLast().flatMap({ Int(exactly: $0.rounded()) }), count >= 0, count <= 513,
      stack.count >= count * (scalars.count + 1)
    else { throw .malformed("a charstring blends more numbers than there are") }
    steps -= count * (scalars.count + 1)
    let first = stack.count - count * (scalars.count + 1)
    for index in 0..<count {
      for (region, scalar) in scalars.enumerated() where scalar != 0 {
        stack[first + index] += scalar * stack[first + count + index * scalars.count + region]
      }
    }
    stack.removeLast(count * scalars.count)
  }

  private mutating func currentRegionScalars(_ budget: inout ResourceBudget) throws(GlyphFailure) -> [Double] {
    if let regionScalars { return regionScalars }
    var work = 0
    let scalars =
      font.variationStore?.regionScalars(of: variationIndex, coordinates: coordinates, work: &work) ?? []
    try budget.chargeGlyphWork(work)
    regionScalars = scalars
    return scalars
  }
}
