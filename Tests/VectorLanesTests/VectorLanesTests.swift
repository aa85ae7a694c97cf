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
      #expect(interleaveLow8(a, b) == PortableVector.interleaveLow8(a, b))
      #expect(interleaveHigh8(a, b) == PortableVector.interleaveHigh8(a, b))
      #expect(widenLow(a) == PortableVector.widenLow(a))
      #expect(widenHigh(a) == PortableVector.widenHigh(a))
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
      #expect(multiplyHigh(a, b) == PortableVector.multiplyHigh(a, b))
      // The one sum that overflows is that of four times the least value.
      #expect(multiplyAddPairs(a, b) == PortableVector.multiplyAddPairs(a, b))
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
      #expect(truncate(floats) == PortableVector.truncate(floats))
      let wideA = integers &>> Int32(random.next() % 24)
      let wideB = PortableVector.multiplyAddPairs(b, b) &>> Int32(random.next() % 24)
      #expect(packSaturating(wideA, wideB) == PortableVector.packSaturating(wideA, wideB))
    }
  }
}
