// Compares the vector operations of WebAssembly's SIMD128 with their definitions.

import VectorLanes

/// Numbers that look random.
private struct Numbers {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  private mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  /// A lane. A quarter of them are the values at which operations saturate, overflow or change sign.
  mutating func lane<Lane: FixedWidthInteger>() -> Lane {
    let number = next()
    guard number >> 62 == 0 else { return Lane(truncatingIfNeeded: number) }
    return [Lane.min, .max, 0, 1, .max / 2, .max / 2 + 1, Lane(truncatingIfNeeded: -1)][Int(number % 7)]
  }

  mutating func vector<Vector: SIMD>() -> Vector where Vector.Scalar: FixedWidthInteger {
    var vector = Vector()
    for index in vector.indices { vector[index] = lane() }
    return vector
  }
}

/// The number of the first comparison that fails, from 1 on; 0 if none does.
private struct Comparison {
  private var count: Int32 = 0
  private(set) var firstFailure: Int32 = 0

  mutating func begin() { count = 0 }

  mutating func expect(_ areEqual: Bool) {
    count += 1
    if !areEqual, firstFailure == 0 { firstFailure = count }
  }
}

private func compareBytes(_ a: UInt8x16, _ b: UInt8x16, factor: Int8, _ found: inout Comparison) {
  found.expect(addSaturating(a, b) == PortableVector.addSaturating(a, b))
  found.expect(addSaturatingSigned(a, b) == PortableVector.addSaturatingSigned(a, b))
  found.expect(subtractSaturating(a, b) == PortableVector.subtractSaturating(a, b))
  found.expect(subtractSaturatingSigned(a, b) == PortableVector.subtractSaturatingSigned(a, b))
  found.expect(distance(a, b) == PortableVector.distance(a, b))
  found.expect(isAtMost(a, b) == PortableVector.isAtMost(a, b))
  found.expect(halved(a) == PortableVector.halved(a))
  found.expect(halvedRoundingUpSigned(a) == PortableVector.halvedRoundingUpSigned(a))
  found.expect(dividedBy8Signed(a) == PortableVector.dividedBy8Signed(a))
  found.expect(multiplyLowSigned(a, by: factor) == PortableVector.multiplyLowSigned(a, by: factor))
  found.expect(multiplyHighSigned(a, by: factor) == PortableVector.multiplyHighSigned(a, by: factor))
  found.expect(averageRoundingUp(a, b) == PortableVector.averageRoundingUp(a, b))
  found.expect(sumOfDifferences(a, b) == PortableVector.sumOfDifferences(a, b))
  found.expect(maximum(a, b) == PortableVector.maximum(a, b))
  found.expect(isEqual(a, b) == PortableVector.isEqual(a, b))
  found.expect(widenLow(a) == PortableVector.widenLow(a))
  found.expect(widenHigh(a) == PortableVector.widenHigh(a))
}

private func compareWords(_ a: Int16x8, _ b: Int16x8, factors: SIMD2<Int16>, _ found: inout Comparison) {
  // Within the ranges that the definitions state.
  let (smallA, smallB) = (a &>> 1, b &>> 1)
  let samples = a & 255
  found.expect(addSaturating(a, b) == PortableVector.addSaturating(a, b))
  found.expect(
    multiplyHigh(a, b.replacing(with: 1, where: b .== Int16.min))
      == PortableVector.multiplyHigh(a, b.replacing(with: 1, where: b .== Int16.min)))
  found.expect(multiplyHighRounding(smallA, b) == PortableVector.multiplyHighRounding(smallA, b))
  found.expect(
    multiplyHighRounding(smallA, factors[0], plus: smallB, factors[1])
      == PortableVector.multiplyHighRounding(smallA, factors[0], plus: smallB, factors[1]))
  let factor = factors[0] & Int16.max
  found.expect(scaleSamples(samples, by: factor) == PortableVector.scaleSamples(samples, by: factor))
  found.expect(multiplyAddPairs(a, b) == PortableVector.multiplyAddPairs(a, b))
  found.expect(shiftRight(a, by: 3) == PortableVector.shiftRight(a, by: 3))
  found.expect(minimum(a, b) == PortableVector.minimum(a, b))
  found.expect(maximum(a, b) == PortableVector.maximum(a, b))
  found.expect(isEqual(a, b) == PortableVector.isEqual(a, b))
  found.expect(isGreater(a, b) == PortableVector.isGreater(a, b))
  found.expect(zeroLanes(a, b) == PortableVector.zeroLanes(a, b))
  found.expect(packSaturatingSigned(a, b) == PortableVector.packSaturatingSigned(a, b))
  found.expect(packUnsignedSaturating(a, b) == PortableVector.packUnsignedSaturating(a, b))
  found.expect(vector(of: factors[1]) == PortableVector.vector(of: factors[1]))
}

private func compareOthers(_ a: Int32x4, _ b: Int32x4, _ c: UInt16x8, _ d: UInt16x8, _ found: inout Comparison) {
  found.expect(subtractSaturating(c, d) == PortableVector.subtractSaturating(c, d))
  found.expect(multiplyHighUnsigned(c, d) == PortableVector.multiplyHighUnsigned(c, d))
  found.expect(shiftRight(c, by: 5) == PortableVector.shiftRight(c, by: 5))
  found.expect(shiftRight(a, by: 7) == PortableVector.shiftRight(a, by: 7))
  found.expect(packSaturating(a, b) == PortableVector.packSaturating(a, b))
  let floats = convertToFloat(a)
  found.expect(floats == PortableVector.convertToFloat(a))
  // Within the range of Int32, with fractions.
  found.expect(truncate(floats / 512) == PortableVector.truncate(floats / 512))
  let squares = floats * floats
  found.expect(squareRoot(squares) == PortableVector.squareRoot(squares))
}

/// Compares all operations with their definitions. Returns 0, or the number of the first comparison that failed.
@_expose(wasm, "compare_lanes") @_cdecl("compare_lanes")
public func compareLanes() -> Int32 {
  var numbers = Numbers()
  var found = Comparison()
  for _ in 0..<20_000 {
    found.begin()
    compareBytes(numbers.vector(), numbers.vector(), factor: numbers.lane(), &found)
    compareWords(numbers.vector(), numbers.vector(), factors: numbers.vector(), &found)
    compareOthers(numbers.vector(), numbers.vector(), numbers.vector(), numbers.vector(), &found)
  }
  return found.firstFailure
}
