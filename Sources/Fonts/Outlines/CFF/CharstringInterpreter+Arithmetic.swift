// Two-byte operators: arithmetic, storage, conditionals (TN 5177, 4.4 to 4.6), and flex.

internal import ImageCore

extension CharstringInterpreter {
  /// Executes the operator after an escape byte.
  mutating func runEscaped(_ number: Int) throws(GlyphFailure) {
    // Operands are copied.
    steps -= CharstringInterpreter.stepsPerOperator
    if (34...37).contains(number) {
      addFlex(number)
      stack.removeAll(keepingCapacity: true)
      return
    }
    guard !font.isCFF2 else {
      stack.removeAll(keepingCapacity: true)
      return
    }
    switch number {
    case 3: try replace(2) { $0[0] != 0 && $0[1] != 0 ? 1 : 0 }
    case 4: try replace(2) { $0[0] != 0 || $0[1] != 0 ? 1 : 0 }
    case 5: try replace(1) { $0[0] == 0 ? 1 : 0 }
    case 9: try replace(1) { abs($0[0]) }
    case 10: try replace(2) { $0[0] + $0[1] }
    case 11: try replace(2) { $0[0] - $0[1] }
    case 12: try replace(2) { $0[1] == 0 ? 0 : $0[0] / $0[1] }
    case 14: try replace(1) { -$0[0] }
    case 15: try replace(2) { $0[0] == $0[1] ? 1 : 0 }
    case 18: _ = try take(1)
    case 20: try store()
    case 21: try load()
    case 22: try replace(4) { $0[2] <= $0[3] ? $0[0] : $0[1] }
    // `random` always returns the same number, so that drawing is reproducible.
    case 23: stack.append(0.5)
    case 24: try replace(2) { $0[0] * $0[1] }
    case 26: try replace(1) { max(0, $0[0]).squareRoot() }
    case 27:
      let values = try take(1)
      stack += [values[0], values[0]]
    case 28:
      let values = try take(2)
      stack += [values[1], values[0]]
    case 29: try copyFromBelow()
    case 30: try roll()
    default: stack.removeAll(keepingCapacity: true)
    }
    guard stack.count <= 513 else { throw .malformed("a charstring overflows its stack") }
  }

  private mutating func take(_ count: Int) throws(GlyphFailure) -> [Double] {
    guard stack.count >= count else { throw .malformed("a charstring has too few operands") }
    defer { stack.removeLast(count) }
    return Array(stack.suffix(count))
  }

  private mutating func replace(_ count: Int, _ result: ([Double]) -> Double) throws(GlyphFailure) {
    let value = result(try take(count))
    stack.append(value.isFinite ? value : 0)
  }

  private mutating func store() throws(GlyphFailure) {
    let values = try take(2)
    guard let index = Int(exactly: values[1].rounded()), (0..<32).contains(index) else { return }
    if storage.isEmpty { storage = [Double](repeating: 0, count: 32) }
    storage[index] = values[0]
  }

  private mutating func load() throws(GlyphFailure) {
    let index = Int(exactly: try take(1)[0].rounded()) ?? -1
    stack.append(storage.indices.contains(index) ? storage[index] : 0)
  }

  /// `index`: copies the number at the given depth below the top of the stack.
  private mutating func copyFromBelow() throws(GlyphFailure) {
    let depth = max(0, Int(exactly: try take(1)[0].rounded()) ?? 0)
    guard depth < stack.count else { throw .malformed("a charstring has too few operands") }
    stack.append(stack[stack.count - 1 - depth])
  }

  private mutating func roll() throws(GlyphFailure) {
    let values = try take(2)
    guard let count = Int(exactly: values[0].rounded()), let shift = Int(exactly: values[1].rounded()), count >= 0,
      count <= stack.count
    else { throw .malformed("a charstring has too few operands") }
    guard count > 0 else { return }
    steps -= count
    let part = Array(stack.suffix(count))
    let start = stack.count - count
    // A positive shift rotates towards the top.
    let amount = ((shift % count) + count) % count
    for index in 0..<count { stack[start + (index + amount) % count] = part[index] }
  }
}
