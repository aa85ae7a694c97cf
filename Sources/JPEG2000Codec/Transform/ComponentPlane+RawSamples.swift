// The samples of a component as bytes.

extension ComponentPlane {
  /// Returns the samples row by row: bytes if they have up to 8 bits, otherwise words, least significant byte first. Signed
  /// ones are in two's complement.
  package func rawSamples() -> [UInt8] {
    let samples = samples
    let half = isSigned ? UInt16(1) << UInt16(depth - 1) : 0
    var bytes: [UInt8] = []
    bytes.reserveCapacity(samples.count * (depth > 8 ? 2 : 1))
    for sample in samples {
      let value = sample &- half
      bytes.append(UInt8(truncatingIfNeeded: value))
      if depth > 8 { bytes.append(UInt8(truncatingIfNeeded: value >> 8)) }
    }
    return bytes
  }
}
