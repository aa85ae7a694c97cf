// Functions of floating-point numbers as tables, for the inner loops of conversions.

/// A function of numbers from 0 to a power of two, interpolated between 256 nodes for each binary order of magnitude.
///
/// The relative distance of nodes is the same everywhere, so that the steep start of a root is as exact as its end. For a
/// power function with an exponent in 0.4…3, the relative error is less than 10⁻⁵.
struct SampledFunction: Sendable {
  /// The value at each node, and the difference to the next one.
  private let nodes: [SIMD2<Float>]
  private let maximum: Float

  /// Below this, the function is linear.
  private static let minimumExponent = -32
  private static let minimum: Float = 0x1p-32
  private static let fractionBits: UInt32 = 15

  /// The number of nodes up to 2 to the power of `exponent`.
  private static func nodeCount(exponent: Int) -> Int { (exponent - minimumExponent) << 8 + 1 }

  /// The bytes of a table.
  static func byteCount(exponent: Int) -> Int {
    (nodeCount(exponent: exponent) + 1) * MemoryLayout<SIMD2<Float>>.stride
  }

  /// Samples a function of 0…2^`exponent`.
  init(exponent: Int, _ function: (Double) -> Double) {
    let count = Self.nodeCount(exponent: exponent)
    var values: [Float] = [Float(function(0))]
    values.reserveCapacity(count + 2)
    let base = Self.minimum.bitPattern
    for index in 0..<count {
      values.append(Float(function(Double(Float(bitPattern: base &+ UInt32(index) &<< Self.fractionBits)))))
    }
    values.append(values[count])
    var nodes: [SIMD2<Float>] = []
    nodes.reserveCapacity(count + 1)
    for index in 0...count { nodes.append(SIMD2(values[index], values[index + 1] - values[index])) }
    self.nodes = nodes
    maximum = Float(sign: .plus, exponent: exponent, significand: 1)
  }

  /// The table, for ``value(_:in:)``.
  var span: Span<SIMD2<Float>> {
    @_lifetime(borrow self)
    get { nodes.span }
  }

  /// The highest argument.
  var limit: Float { maximum }

  /// Returns the value for an argument of at most ``limit``, which is not a NaN. The node for the argument 0 is the first
  /// one.
  @inline(__always)
  static func value(_ argument: Float, in nodes: Span<SIMD2<Float>>) -> Float {
    if argument < minimum {
      let start = nodes[0]
      return argument > 0 ? start.x + start.y * (argument * 0x1p32) : start.x
    }
    let bits = argument.bitPattern &- minimum.bitPattern
    let node = nodes[Int(bits &>> fractionBits) &+ 1]
    return node.x + node.y * (Float(bits & 0x7FFF) * 0x1p-15)
  }
}
