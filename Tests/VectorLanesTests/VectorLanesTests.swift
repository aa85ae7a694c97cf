// The instructions against the definitions of the operations, lane by lane.

import TestSupport
import Testing
import VectorLanes

private func words(_ random: inout TestRandom) -> Int16x8 {
  let extremes: [Int16] = [.min, .max, -1, 0, 1, 255, 256, -256]
  var vector = Int16x8()
  for lane in 0..<8 {
    vector[lane] =
      random.next() % 4 == 0 ? extremes[Int(random.next() % 8)] : Int16(truncatingIfNeeded: random.next())
  }
  return vector
}

/// The twelve bytes that are stored.
private func withoutFourthBytes(_ pixels: UInt8x16) -> [UInt8] {
  unsafe withUnsafeTemporaryAllocation(byteCount: 16, alignment: 16) { output in
    // SAFETY: the buffer has 16 bytes, all of which are written before they are read.
    unsafe output.initializeMemory(as: UInt8.self, repeating: 0)
    if let start = output.baseAddress { unsafe storeWithoutFourthBytes(pixels, to: start) }
    return unsafe Array(output[..<12])
  }
}

@Suite struct VectorLanesTests {
  @Test func operationsOnBytesDoWhatTheirDefinitionsSay() {
    var random = TestRandom(5)
    for _ in 0..<2000 {
      let bytes = random.bytes(32)
      let a = UInt8x16(bytes[0..<16])
      let b = UInt8x16(bytes[16..<32])
      #expect(addSaturating(a, b) == PortableVector.addSaturating(a, b))
      #expect(subtractSaturating(a, b) == PortableVector.subtractSaturating(a, b))
      #expect(addSaturatingSigned(a, b) == PortableVector.addSaturatingSigned(a, b))
      #expect(subtractSaturatingSigned(a, b) == PortableVector.subtractSaturatingSigned(a, b))
      #expect(maximum(a, b) == PortableVector.maximum(a, b))
      #expect(isEqual(a, b & a) == PortableVector.isEqual(a, b & a))
      #expect(averageRoundingUp(a, b) == PortableVector.averageRoundingUp(a, b))
      #expect(distance(a, b) == PortableVector.distance(a, b))
      #expect(isAtMost(a, b) == PortableVector.isAtMost(a, b))
      #expect(isAtMost(a, a) == UInt8x16(repeating: 255))
      #expect(
        scaleSamples(widenLow(a), by: Int16(b[0]) &* 128)
          == PortableVector.scaleSamples(widenLow(a), by: Int16(b[0]) &* 128))
      #expect(halved(a) == PortableVector.halved(a))
      #expect(halvedRoundingUpSigned(a) == PortableVector.halvedRoundingUpSigned(a))
      #expect(dividedBy8Signed(a) == PortableVector.dividedBy8Signed(a))
      let factor = Int8(bitPattern: b[0])
      #expect(multiplyLowSigned(a, by: factor) == PortableVector.multiplyLowSigned(a, by: factor))
      #expect(multiplyHighSigned(a, by: factor) == PortableVector.multiplyHighSigned(a, by: factor))
      #expect(interleaveLow8(a, b) == PortableVector.interleaveLow8(a, b))
      #expect(interleaveHigh8(a, b) == PortableVector.interleaveHigh8(a, b))
      #expect(widenLow(a) == PortableVector.widenLow(a))
      #expect(widenHigh(a) == PortableVector.widenHigh(a))
      let threeOfFour: [UInt8] = (0..<12).map { (byte: Int) -> UInt8 in a[byte / 3 * 4 + byte % 3] }
      #expect(withoutFourthBytes(a) == threeOfFour)
      let sums = (sumOfDifferences(a, b), PortableVector.sumOfDifferences(a, b))
      #expect(sums.0[0] == sums.1[0] && sums.0[4] == sums.1[4])
    }
  }

  @Test func operationsOnWordsDoWhatTheirDefinitionsSay() {
    var random = TestRandom(3)
    for _ in 0..<2000 {
      let (a, b) = (words(&random), words(&random))
      #expect(addSaturating(a, b) == PortableVector.addSaturating(a, b))
      #expect(minimum(a, b) == PortableVector.minimum(a, b))
      #expect(maximum(a, b) == PortableVector.maximum(a, b))
      #expect(isGreater(a, b) == PortableVector.isGreater(a, b))
      #expect(isEqual(a, b & a) == PortableVector.isEqual(a, b & a))
      #expect(zeroLanes(a, b) == PortableVector.zeroLanes(a, b))
      let factors = b.replacing(with: -32767, where: b .== .min)
      #expect(multiplyHigh(a, factors) == PortableVector.multiplyHigh(a, factors))
      // The one sum that overflows is that of four times the least value.
      #expect(multiplyAddPairs(a, b) == PortableVector.multiplyAddPairs(a, b))
      let (e, f) = (shiftRight(a, by: 1), shiftRight(b, by: 1))
      #expect(multiplyHighRounding(e, b) == PortableVector.multiplyHighRounding(e, b))
      #expect(
        multiplyHighRounding(e, b[0], plus: f, b[1])
          == PortableVector.multiplyHighRounding(e, b[0], plus: f, b[1]))
      let pairs = PairedLanes(e, f)
      let factorPair = Int16x8(b[0], b[1], b[0], b[1], b[0], b[1], b[0], b[1])
      let sums = PortableVector.multiplyAddPairs(a, f) &>> 2
      #expect(pairs.first(b[0], b[1], to: sums) == sums &+ PortableVector.multiplyAddPairs(e, factorPair))
      #expect(pairs.second(b[0], b[1], to: sums) == sums &+ PortableVector.multiplyAddPairs(f, factorPair))
      #expect(vector(of: a[0]) == PortableVector.vector(of: a[0]))
      let count = Int32(random.next() % 16)
      #expect(shiftRight(a, by: count) == PortableVector.shiftRight(a, by: count))
      #expect(packUnsignedSaturating(a, b) == PortableVector.packUnsignedSaturating(a, b))
      #expect(packSaturatingSigned(a, b) == PortableVector.packSaturatingSigned(a, b))
      #expect(interleaveLow16(a, b) == PortableVector.interleaveLow16(a, b))
      #expect(interleaveHigh16(a, b) == PortableVector.interleaveHigh16(a, b))
      #expect(interleaveLow32(a, b) == PortableVector.interleaveLow32(a, b))
      #expect(interleaveHigh32(a, b) == PortableVector.interleaveHigh32(a, b))
      #expect(interleaveLow64(a, b) == PortableVector.interleaveLow64(a, b))
      #expect(interleaveHigh64(a, b) == PortableVector.interleaveHigh64(a, b))
      let (c, d) = (UInt16x8(truncatingIfNeeded: a), UInt16x8(truncatingIfNeeded: b))
      #expect(multiplyHighUnsigned(c, d) == PortableVector.multiplyHighUnsigned(c, d))
      #expect(shiftRight(c, by: count) == PortableVector.shiftRight(c, by: count))
      #expect(subtractSaturating(c, d) == PortableVector.subtractSaturating(c, d))
    }
  }

  @Test func operationsOnDoubleWordsDoWhatTheirDefinitionsSay() {
    var random = TestRandom(4)
    for _ in 0..<2000 {
      let (a, b) = (words(&random), words(&random))
      let integers = PortableVector.multiplyAddPairs(a, b)
      let count = Int32(random.next() % 16)
      #expect(shiftRight(integers, by: count) == PortableVector.shiftRight(integers, by: count))
      #expect(convertToFloat(integers) == PortableVector.convertToFloat(integers))
      let floats = PortableVector.convertToFloat(integers &>> 2) * 0.3
      #expect(squareRoot(floats * floats) == PortableVector.squareRoot(floats * floats))
      #expect(truncate(floats) == PortableVector.truncate(floats))
      let wideA = integers &>> Int32(random.next() % 24)
      let wideB = PortableVector.multiplyAddPairs(b, b) &>> Int32(random.next() % 24)
      let shift = Int32(random.next() % 24)
      #expect(
        packSaturating(wideA, wideB, shiftedRightBy: shift)
          == PortableVector.packSaturating(wideA, wideB, shiftedRightBy: shift))
      #expect(packSaturating(wideA, wideB) == PortableVector.packSaturating(wideA, wideB))
    }
  }
}
