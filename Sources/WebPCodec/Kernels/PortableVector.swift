// The portable definition of each operation in VectorOperations.swift, lane by lane.

/// The vector operations of the kernels without processor-specific instructions.
package enum PortableVector {
  package typealias Bytes = SIMD16<UInt8>
  package typealias Words = SIMD8<Int16>

  @inline(__always)
  private static func map(_ a: Bytes, _ b: Bytes, _ body: (Int32, Int32) -> Int32) -> Bytes {
    var result = Bytes()
    for lane in 0..<16 { result[lane] = UInt8(truncatingIfNeeded: body(Int32(a[lane]), Int32(b[lane]))) }
    return result
  }

  @inline(__always)
  private static func mapSigned(_ a: Bytes, _ b: Bytes, _ body: (Int32, Int32) -> Int32) -> Bytes {
    var result = Bytes()
    for lane in 0..<16 {
      let value = body(Int32(Int8(bitPattern: a[lane])), Int32(Int8(bitPattern: b[lane])))
      result[lane] = UInt8(truncatingIfNeeded: min(max(value, -128), 127))
    }
    return result
  }

  package static func addSaturating(_ a: Bytes, _ b: Bytes) -> Bytes { map(a, b) { min($0 &+ $1, 255) } }
  package static func subtractSaturating(_ a: Bytes, _ b: Bytes) -> Bytes { map(a, b) { max($0 &- $1, 0) } }
  package static func addSaturatingSigned(_ a: Bytes, _ b: Bytes) -> Bytes { mapSigned(a, b) { $0 &+ $1 } }
  package static func subtractSaturatingSigned(_ a: Bytes, _ b: Bytes) -> Bytes { mapSigned(a, b) { $0 &- $1 } }
  package static func maximum(_ a: Bytes, _ b: Bytes) -> Bytes { map(a, b) { max($0, $1) } }
  package static func equal(_ a: Bytes, _ b: Bytes) -> Bytes { map(a, b) { $0 == $1 ? 255 : 0 } }
  package static func averageRoundingUp(_ a: Bytes, _ b: Bytes) -> Bytes { map(a, b) { ($0 &+ $1 &+ 1) &>> 1 } }

  package static func multiplyHigh(_ a: Words, _ b: Words) -> Words {
    var result = Words()
    for lane in 0..<8 { result[lane] = Int16(truncatingIfNeeded: (Int32(a[lane]) &* Int32(b[lane])) &>> 16) }
    return result
  }

  package static func packSaturatingSigned(_ a: Words, _ b: Words) -> Bytes {
    var result = Bytes()
    for lane in 0..<8 {
      result[lane] = UInt8(truncatingIfNeeded: min(max(a[lane], -128), 127))
      result[lane + 8] = UInt8(truncatingIfNeeded: min(max(b[lane], -128), 127))
    }
    return result
  }

  package static func packSaturating(_ a: Words, _ b: Words) -> Bytes {
    var result = Bytes()
    for lane in 0..<8 {
      result[lane] = UInt8(truncatingIfNeeded: min(max(a[lane], 0), 255))
      result[lane + 8] = UInt8(truncatingIfNeeded: min(max(b[lane], 0), 255))
    }
    return result
  }

  package static func sumOfDifferences(_ a: Bytes, _ b: Bytes) -> Words {
    var result = Words()
    for lane in 0..<16 {
      result[lane / 8 * 4] &+= Int16(max(a[lane], b[lane]) &- min(a[lane], b[lane]))
    }
    return result
  }

  package static func interleaveLow8(_ a: Bytes, _ b: Bytes) -> Bytes {
    var result = Bytes()
    for lane in 0..<8 {
      result[2 * lane] = a[lane]
      result[2 * lane + 1] = b[lane]
    }
    return result
  }

  package static func interleaveHigh8(_ a: Bytes, _ b: Bytes) -> Bytes {
    var result = Bytes()
    for lane in 0..<8 {
      result[2 * lane] = a[lane + 8]
      result[2 * lane + 1] = b[lane + 8]
    }
    return result
  }

  package static func interleaveLow16(_ a: Words, _ b: Words) -> Words {
    Words(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3])
  }
  package static func interleaveHigh16(_ a: Words, _ b: Words) -> Words {
    Words(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7])
  }
  package static func interleaveLow32(_ a: Words, _ b: Words) -> Words {
    Words(a[0], a[1], b[0], b[1], a[2], a[3], b[2], b[3])
  }
  package static func interleaveHigh32(_ a: Words, _ b: Words) -> Words {
    Words(a[4], a[5], b[4], b[5], a[6], a[7], b[6], b[7])
  }
  package static func interleaveLow64(_ a: Words, _ b: Words) -> Words {
    Words(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3])
  }
  package static func interleaveHigh64(_ a: Words, _ b: Words) -> Words {
    Words(a[4], a[5], a[6], a[7], b[4], b[5], b[6], b[7])
  }
}
