// Curves between other steps, in single precision.

internal import ImageCore

/// A curve of one component.
enum StagedFunction: Sendable {
  case identity
  /// Samples at equal distances of 0…1, as in the profile.
  case samples([Float])
  /// Any other function of 0…4.
  case function(SampledFunction)

  private static let exponent = 2

  /// - Throws: the errors of the budget, which is charged with the table and the work.
  init(_ curve: ToneCurve, budget: inout ResourceBudget) throws(CodecError) {
    if curve.isIdentity {
      self = .identity
    } else if case .table(let samples) = curve {
      try budget.allocate(count: samples.count, bytesEach: 4)
      self = .samples(samples.map { Float($0) / 65535 })
    } else {
      try budget.allocate(SampledFunction.byteCount(exponent: Self.exponent))
      try budget.chargeWork(400_000)
      self = .function(SampledFunction(exponent: Self.exponent) { curve.light($0) })
    }
  }

  /// Applies the function to one component of each colour.
  func apply(to colors: inout MutableSpan<SIMD4<Float>>, component: Int) {
    switch self {
    case .identity: break
    case .samples(let samples):
      let nodes = samples.span
      let last = nodes.count &- 1
      Self.map(&colors, component) { value in
        let position = (value > 0 ? min(value, 1) : 0) * Float(last)
        let index = min(Int(position), last &- 1)
        let low = nodes[index]
        return low + (nodes[index &+ 1] - low) * (position - Float(index))
      }
    case .function(let function):
      let nodes = function.span
      let limit = function.limit
      Self.map(&colors, component) { SampledFunction.value($0 > 0 ? min($0, limit) : 0, in: nodes) }
    }
  }

  @inline(__always)
  private static func map(
    _ colors: inout MutableSpan<SIMD4<Float>>, _ component: Int, _ body: (Float) -> Float
  ) {
    switch component {
    case 0: for index in 0..<colors.count { colors[index].x = body(colors[index].x) }
    case 1: for index in 0..<colors.count { colors[index].y = body(colors[index].y) }
    case 2: for index in 0..<colors.count { colors[index].z = body(colors[index].z) }
    default: for index in 0..<colors.count { colors[index].w = body(colors[index].w) }
    }
  }
}
