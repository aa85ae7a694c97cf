// Calculations of CSS Values 4: calc(), min(), max(), clamp(), abs() and sign(), as flat postfix programs that are parsed
// and evaluated with explicit stacks.

internal import XMLDocuments

/// A calculation in postfix order.
struct Calculation: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    /// A length in a unit.
    case push(Double, Length.Unit)
    /// A number or an angle.
    case number(Double)
    /// A channel of the origin of a relative colour.
    case channel(Int)
    case add
    case subtract
    case multiply
    case divide
    /// The minimum or maximum of the topmost values.
    case minimum(Int)
    case maximum(Int)
    case clamp
    case absolute
    case sign
  }

  /// The type of the result. Percentages are lengths.
  enum Kind: Hashable, Sendable {
    case number
    case length
    /// An angle in degrees.
    case angle
  }

  var steps: [Step]
  var kind: Kind

  /// Returns the result, with the values of units and channels.
  func evaluate(unit: (Double, Length.Unit) -> Double, channels: [Double] = []) -> Double {
    var stack: [Double] = []
    func pop() -> Double { stack.popLast() ?? 0 }
    func reduce(_ count: Int, _ combine: (Double, Double) -> Double) {
      guard count > 0, count <= stack.count else { return }
      let values = stack[(stack.count - count)...]
      let result = values.dropFirst().reduce(values.first ?? 0, combine)
      stack.removeLast(count)
      stack.append(result)
    }
    for step in steps {
      switch step {
      case .push(let value, let name): stack.append(unit(value, name))
      case .number(let value): stack.append(value)
      case .channel(let index): stack.append(index < channels.count ? channels[index] : 0)
      case .add: reduce(2, +)
      case .subtract: reduce(2, -)
      case .multiply: reduce(2, *)
      case .divide: reduce(2, /)
      case .minimum(let count): reduce(count, min)
      case .maximum(let count): reduce(count, max)
      case .clamp:
        let (most, value, least) = (pop(), pop(), pop())
        stack.append(max(least, min(value, most)))
      case .absolute: stack.append(abs(pop()))
      case .sign:
        let value = pop()
        stack.append(value > 0 ? 1 : value < 0 ? -1 : 0)
      }
    }
    let result = pop()
    return result.isNaN ? 0 : min(max(result, -Double.greatestFiniteMagnitude), .greatestFiniteMagnitude)
  }

  /// Returns the calculation with some units replaced by user units.
  func replacing(_ isReplaced: (Length.Unit) -> Bool, by userUnits: (Double, Length.Unit) -> Double) -> Calculation {
    var result = self
    for (index, step) in steps.enumerated() {
      if case .push(let value, let unit) = step, isReplaced(unit) {
        result.steps[index] = .push(userUnits(value, unit), .none)
      }
    }
    return result
  }

  /// The only unit of the operands; `nil` if there are several.
  var commonUnit: Length.Unit? {
    var common: Length.Unit?
    for case .push(_, let unit) in steps {
      if let common, common != unit { return nil }
      common = unit
    }
    return common ?? Length.Unit.none
  }
}

extension Calculation {
  /// The names of the channels of a relative colour, in lower case.
  typealias ChannelNames = [String]

  private enum Operator {
    case sum
    case difference
    case product
    case quotient
    /// A parenthesis or a function, with the number of complete arguments.
    case open(Function, argumentCount: Int)

    var isProduct: Bool {
      switch self {
      case .product, .quotient: true
      default: false
      }
    }
  }

  private enum Function {
    case parenthesis, minimum, maximum, clamp, absolute, sign
  }

  /// The maximum number of open parentheses and operators.
  private static let maximumDepth = 32

  /// Reads a calculation. Returns `nil` without moving the scanner if there is none, or one whose types do not match.
  static func parse(_ scanner: inout TextScanner, channels: ChannelNames = []) -> Calculation? {
    let start = scanner.position
    guard let first = function(scanner.word()), scanner.take(UInt8(ascii: "(")) else {
      scanner.position = start
      return nil
    }
    var parser = Parser(operators: [.open(first, argumentCount: 0)])
    if parser.run(&scanner, channels: channels), let kind = parser.kinds.last, parser.kinds.count == 1 {
      return Calculation(steps: parser.steps, kind: kind)
    }
    scanner.position = start
    return nil
  }

  private static func function(_ name: Span<UInt8>) -> Function? {
    if isKeyword(name, "calc") { return .parenthesis }
    if isKeyword(name, "min") { return .minimum }
    if isKeyword(name, "max") { return .maximum }
    if isKeyword(name, "clamp") { return .clamp }
    if isKeyword(name, "abs") { return .absolute }
    return isKeyword(name, "sign") ? .sign : nil
  }

  /// Converts infix to postfix order with a stack of operators.
  private struct Parser {
    var steps: [Step] = []
    var kinds: [Kind] = []
    var operators: [Operator]

    /// Reads up to the end of the first function. Returns whether the calculation is valid.
    mutating func run(_ scanner: inout TextScanner, channels: ChannelNames) -> Bool {
      while true {
        scanner.skipSpace()
        guard operators.count <= Calculation.maximumDepth else { return false }
        if scanner.take(UInt8(ascii: "(")) {
          operators.append(.open(.parenthesis, argumentCount: 0))
          continue
        }
        switch operand(&scanner, channels) {
        case .invalid: return false
        case .function(let function):
          operators.append(.open(function, argumentCount: 0))
          continue
        case .value: break
        }
        // After an operand: operators, commas, closing parentheses.
        operatorLoop: while true {
          let hadSpace = scanner.next == 32 || isSpace(scanner.next) && !scanner.isAtEnd
          scanner.skipSpace()
          switch scanner.next {
          case UInt8(ascii: "+"), UInt8(ascii: "-"):
            guard hadSpace else { return false }
            guard reduce(products: false) else { return false }
            operators.append(scanner.next == UInt8(ascii: "+") ? .sum : .difference)
          case UInt8(ascii: "*"), UInt8(ascii: "/"):
            guard reduce(products: true) else { return false }
            operators.append(scanner.next == UInt8(ascii: "*") ? .product : .quotient)
          case UInt8(ascii: ","):
            guard reduce(products: false), case .open(let function, let count) = operators.last,
              function != .parenthesis
            else { return false }
            operators[operators.count - 1] = .open(function, argumentCount: count + 1)
          case UInt8(ascii: ")"):
            guard reduce(products: false), case .open(let function, let count) = operators.popLast(),
              close(function, argumentCount: count + 1)
            else { return false }
            scanner.position += 1
            if operators.isEmpty { return true }
            continue operatorLoop
          default: return false
          }
          scanner.position += 1
          break operatorLoop
        }
      }
    }

    private enum Operand {
      case invalid
      case value
      case function(Function)
    }

    private mutating func operand(_ scanner: inout TextScanner, _ channels: ChannelNames) -> Operand {
      let start = scanner.position
      if let number = scanner.number() {
        if scanner.take(UInt8(ascii: "%")) { return push(.push(number, .percent), .length) }
        let word = scanner.word()
        if word.count == 0 { return push(.number(number), .number) }
        scanner.position = start
        if let length = Length(scanning: &scanner), length.calculation == nil {
          return push(.push(length.value, length.unit), .length)
        }
        scanner.position = start
        return parseAngle(&scanner).map { push(.number($0), .angle) } ?? .invalid
      }
      let word = scanner.word()
      if scanner.next == UInt8(ascii: "("), let function = Calculation.function(word) {
        scanner.position += 1
        return .function(function)
      }
      if let index = channels.firstIndex(where: { isWord(word, $0) }) {
        return push(.channel(index), .number)
      }
      if isKeyword(word, "pi") { return push(.number(.pi), .number) }
      if isKeyword(word, "e") { return push(.number(2.718281828459045), .number) }
      return .invalid
    }

    private mutating func push(_ step: Step, _ kind: Kind) -> Operand {
      steps.append(step)
      kinds.append(kind)
      return .value
    }

    /// Applies the pending operators that bind at least as tightly as the next one.
    private mutating func reduce(products: Bool) -> Bool {
      while let last = operators.last {
        if case .open = last { return true }
        if products, !last.isProduct { return true }
        operators.removeLast()
        guard let second = kinds.popLast(), let first = kinds.popLast() else { return false }
        switch last {
        case .sum, .difference:
          guard first == second else { return false }
          kinds.append(first)
          if case .sum = last { steps.append(.add) } else { steps.append(.subtract) }
        case .product:
          guard first == .number || second == .number else { return false }
          kinds.append(first == .number ? second : first)
          steps.append(.multiply)
        case .quotient:
          guard second == .number else { return false }
          if case .number(0) = steps.last { return false }
          kinds.append(first)
          steps.append(.divide)
        case .open: return false
        }
      }
      return false
    }

    private mutating func close(_ function: Function, argumentCount: Int) -> Bool {
      guard kinds.count >= argumentCount, let kind = kinds.last else { return false }
      let arguments = kinds[(kinds.count - argumentCount)...]
      guard arguments.allSatisfy({ $0 == kind }) else { return false }
      switch function {
      case .parenthesis: return argumentCount == 1
      case .minimum: steps.append(.minimum(argumentCount))
      case .maximum: steps.append(.maximum(argumentCount))
      case .clamp:
        guard argumentCount == 3 else { return false }
        steps.append(.clamp)
      case .absolute:
        guard argumentCount == 1 else { return false }
        steps.append(.absolute)
      case .sign:
        guard argumentCount == 1 else { return false }
        steps.append(.sign)
      }
      kinds.removeLast(argumentCount)
      kinds.append(function == .sign ? .number : kind)
      return true
    }
  }
}

extension TextScanner {
  /// Reads a number or a calculation whose result is one.
  @_lifetime(self: copy self)
  mutating func numberOrCalculation() -> Double? {
    if let number = number() { return number }
    let start = position
    guard let calculation = Calculation.parse(&self) else { return nil }
    guard calculation.kind == .number else {
      position = start
      return nil
    }
    return calculation.evaluate { value, _ in value }
  }
}
