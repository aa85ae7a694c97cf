// Exp-Golomb codes of headers and parameter sets (section 9.1 of H.264, 9.2 of H.265).

package import ImageCoding
package import PixelPlanes

extension BitReader {
  /// ue(v). Codes of more than 31 leading zeros are exhaustion.
  @_lifetime(self: copy self)
  package mutating func readUnsigned() -> UInt32 {
    var zeroCount = 0
    while !readFlag() {
      zeroCount += 1
      guard zeroCount < 32, !isExhausted else {
        isExhausted = true
        return 0
      }
    }
    return (1 &<< UInt32(zeroCount)) &- 1 &+ read(zeroCount)
  }

  /// se(v).
  @_lifetime(self: copy self)
  package mutating func readSigned() -> Int32 {
    let code = readUnsigned()
    let magnitude = Int32(truncatingIfNeeded: (code &>> 1) &+ (code & 1))
    return code & 1 == 1 ? magnitude : 0 &- magnitude
  }

  /// ue(v) within a range.
  ///
  /// - Parameter name: the syntax element, for the error.
  /// - Throws: `CodecError.Kind.malformed`.
  @_lifetime(self: copy self)
  package mutating func readUnsigned(in range: ClosedRange<Int>, _ name: StaticString) throws(CodecError) -> Int {
    let value = readUnsigned()
    guard !isExhausted else { throw CodecError(.malformed, "the parameters end before \(name)") }
    guard Int64(value) >= Int64(range.lowerBound), Int64(value) <= Int64(range.upperBound) else {
      throw CodecError(.malformed, "\(name) is \(value)")
    }
    return Int(value)
  }

  /// se(v) within a range.
  ///
  /// - Parameter name: the syntax element, for the error.
  /// - Throws: `CodecError.Kind.malformed`.
  @_lifetime(self: copy self)
  package mutating func readSigned(in range: ClosedRange<Int>, _ name: StaticString) throws(CodecError) -> Int {
    let value = readSigned()
    guard !isExhausted else { throw CodecError(.malformed, "the parameters end before \(name)") }
    guard range.contains(Int(value)) else { throw CodecError(.malformed, "\(name) is \(value)") }
    return Int(value)
  }
}
