// The payloads of NAL units: both codings insert bytes so that no payload contains a start code (section 7.3.1 of H.264
// and H.265).

package import ImageCoding

/// The payload of a NAL unit without its emulation prevention bytes.
package struct RawPayload {
  /// Zeros after the payload, so that entropy decoding loads whole words.
  package static let paddingByteCount = 16

  /// The payload, then ``paddingByteCount`` zeros.
  package let paddedBytes: [UInt8]
  /// Bytes of the payload.
  package let byteCount: Int

  package init(_ bytes: Span<UInt8>, _ range: Range<Int>, _ budget: inout ResourceBudget) throws(CodecError) {
    try budget.allocate(range.count + Self.paddingByteCount)
    try budget.chargeWork(count: range.count, unitsEach: 2)
    self.init(bytes, range)
  }

  /// A payload that is not charged: a parameter set in a header that is parsed without decoding.
  package init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    chargedByteCount = range.count + Self.paddingByteCount
    var count = 0
    paddedBytes = [UInt8](capacity: range.count + Self.paddingByteCount) { output in
      var zeroCount = 0
      for index in range {
        let byte = bytes[index]
        if zeroCount >= 2, byte == 3 {
          zeroCount = 0
          continue
        }
        zeroCount = byte == 0 ? zeroCount &+ 1 : 0
        output.append(byte)
      }
      count = output.count
      for _ in 0..<Self.paddingByteCount { output.append(0) }
    }
    byteCount = count
  }

  /// The bytes that the budget holds for it.
  package let chargedByteCount: Int
}
