// DQT: the steps by which coefficients were divided. ITU-T T.81, section B.2.4.1.

internal import ImageCore

/// A quantisation table in zigzag order.
struct QuantizationTable: Hashable {
  /// 64 steps in zigzag order.
  private(set) var steps: [UInt16]

  /// Parses one table behind its precision and destination.
  ///
  init(parsing reader: inout ByteReader, isWide: Bool) throws(DecodeError) {
    steps = []
    steps.reserveCapacity(64)
    for _ in 0..<64 {
      steps.append(isWide ? try reader.readUInt16BigEndian() : UInt16(try reader.readUInt8()))
    }
  }

  /// Parses a whole DQT segment into `tables`.
  static func parseSegment(
    _ reader: inout ByteReader, into tables: inout [QuantizationTable?]
  ) throws(DecodeError) {
    while reader.remaining > 0 {
      let head = Int(try reader.readUInt8())
      guard head & 15 < 4, head >> 4 < 2 else {
        throw reader.error(.malformed, "a quantisation table's destination is not 0…3 or its precision not 0…1")
      }
      tables[head & 15] = try QuantizationTable(parsing: &reader, isWide: head >> 4 == 1)
    }
  }
}
