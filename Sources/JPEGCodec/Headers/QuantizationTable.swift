// DQT: the steps by which coefficients were divided. ITU-T T.81, section B.2.4.1.

internal import ImageCoding

/// A quantisation table in zigzag order.
struct QuantizationTable: Hashable {
  /// The 64 steps, in zigzag order.
  private(set) var steps: [UInt16]

  /// Parses one table, after its precision and destination.
  ///
  init(parsing reader: inout ByteReader, isWide: Bool) throws(CodecError) {
    steps = []
    steps.reserveCapacity(64)
    for _ in 0..<64 {
      steps.append(isWide ? try reader.readUInt16BigEndian() : UInt16(try reader.readUInt8()))
    }
  }

  /// Creates a table from 64 steps in natural order.
  init(naturalSteps: [UInt16]) {
    steps = CoefficientOrder.natural.map { naturalSteps[Int($0)] }
  }

  /// The steps in natural order.
  var naturalSteps: [UInt16] {
    var result = steps
    for (zigzag, natural) in CoefficientOrder.natural.enumerated() { result[Int(natural)] = steps[zigzag] }
    return result
  }

  /// Whether a step needs 16 bits.
  var isWide: Bool { steps.contains { $0 > 255 } }

  /// Parses a DQT segment into `tables`.
  static func parseSegment(
    _ reader: inout ByteReader, into tables: inout [QuantizationTable?]
  ) throws(CodecError) {
    while reader.remaining > 0 {
      let head = Int(try reader.readUInt8())
      guard head & 15 < 4, head >> 4 < 2 else {
        throw reader.error(.malformed, "the destination of a quantisation table is not 0…3, or its precision not 0…1")
      }
      tables[head & 15] = try QuantizationTable(parsing: &reader, isWide: head >> 4 == 1)
    }
  }
}
