// Operators that add lines and curves; each consumes as many groups of operands as there are (TN 5177, 4.1).

internal import ImageCore
internal import VectorGraphics

extension CharstringInterpreter {
  private mutating func addLine(_ dx: Double, _ dy: Double) {
    current = current + Point(x: dx, y: dy)
    path.line(to: current)
  }

  private mutating func addCurve(
    _ dx1: Double, _ dy1: Double, _ dx2: Double, _ dy2: Double, _ dx3: Double, _ dy3: Double
  ) {
    let control1 = current + Point(x: dx1, y: dy1)
    let control2 = control1 + Point(x: dx2, y: dy2)
    current = control2 + Point(x: dx3, y: dy3)
    path.cubic(to: current, control1: control1, control2: control2)
  }

  /// `rlineto`.
  mutating func addLines(_ range: Range<Int>) {
    for index in stride(from: range.lowerBound, to: range.upperBound - 1, by: 2) {
      addLine(stack[index], stack[index + 1])
    }
  }

  /// `hlineto` and `vlineto`.
  mutating func addAlternatingLines(startsHorizontal: Bool) {
    var isHorizontal = startsHorizontal
    for value in stack {
      addLine(isHorizontal ? value : 0, isHorizontal ? 0 : value)
      isHorizontal.toggle()
    }
  }

  /// `rrcurveto`.
  mutating func addCurves(_ range: Range<Int>) {
    for index in stride(from: range.lowerBound, to: range.upperBound - 5, by: 6) {
      addCurve(
        stack[index], stack[index + 1], stack[index + 2], stack[index + 3], stack[index + 4], stack[index + 5])
    }
  }

  /// `vvcurveto`: curves that start and end vertically, the first with an optional horizontal offset.
  mutating func addVerticalCurves() {
    var index = stack.count % 4 == 0 ? 0 : 1
    var dx = index == 1 ? stack[0] : 0
    while index + 4 <= stack.count {
      addCurve(dx, stack[index], stack[index + 1], stack[index + 2], 0, stack[index + 3])
      dx = 0
      index += 4
    }
  }

  /// `hhcurveto`.
  mutating func addHorizontalCurves() {
    var index = stack.count % 4 == 0 ? 0 : 1
    var dy = index == 1 ? stack[0] : 0
    while index + 4 <= stack.count {
      addCurve(stack[index], dy, stack[index + 1], stack[index + 2], stack[index + 3], 0)
      dy = 0
      index += 4
    }
  }

  /// `hvcurveto` and `vhcurveto`: curves that alternate between starting along one axis and ending along the other. The
  /// last one may end at any angle.
  mutating func addAlternatingCurves(startsHorizontal: Bool) {
    var isHorizontal = startsHorizontal
    var index = 0
    while index + 4 <= stack.count {
      let last = stack.count - index == 5 ? stack[index + 4] : 0
      let (first, dx2, dy2, end) = (stack[index], stack[index + 1], stack[index + 2], stack[index + 3])
      if isHorizontal {
        addCurve(first, 0, dx2, dy2, last, end)
      } else {
        addCurve(0, first, dx2, dy2, end, last)
      }
      isHorizontal.toggle()
      index += 4
    }
  }

  /// The four flex operators: two curves whose joint is almost flat.
  mutating func addFlex(_ form: Int) {
    let s = stack
    switch form {
    case 35 where s.count >= 12:
      addCurve(s[0], s[1], s[2], s[3], s[4], s[5])
      addCurve(s[6], s[7], s[8], s[9], s[10], s[11])
    case 34 where s.count >= 7:
      addCurve(s[0], 0, s[1], s[2], s[3], 0)
      addCurve(s[4], 0, s[5], -s[2], s[6], 0)
    case 36 where s.count >= 9:
      addCurve(s[0], s[1], s[2], s[3], s[4], 0)
      addCurve(s[5], 0, s[6], s[7], s[8], -(s[1] + s[3] + s[7]))
    case 37 where s.count >= 11:
      // The last operand extends the longer dimension; the other coordinate returns to that of the start.
      let dx = s[0] + s[2] + s[4] + s[6] + s[8]
      let dy = s[1] + s[3] + s[5] + s[7] + s[9]
      let isWide = abs(dx) > abs(dy)
      addCurve(s[0], s[1], s[2], s[3], s[4], s[5])
      addCurve(s[6], s[7], s[8], s[9], isWide ? s[10] : -dx, isWide ? -dy : s[10])
    default: break
    }
  }
}
