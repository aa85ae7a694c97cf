// Curve elements: `curv` and `para` (ICC.1, sections 10.6 and 10.18).

internal import ImageCore

extension ToneCurve {
  /// Reads a curve element and moves to its end.
  ///
  /// - Throws: `CodecError.Kind.malformed`, `CodecError.Kind.truncated`.
  @_lifetime(reader: copy reader)
  init(parsing reader: inout ByteReader, budget: inout ResourceBudget) throws(CodecError) {
    let type = FourCharacterCode(rawValue: try reader.readUInt32BigEndian())
    try reader.skip(4)
    switch type {
    case "curv": self = try Self.readTable(&reader, &budget)
    case "para": self = .parametric(try ParametricCurve(parsing: &reader))
    default: throw reader.error(.malformed, "\(type) is no type of curves")
    }
  }

  @_lifetime(reader: copy reader)
  private static func readTable(
    _ reader: inout ByteReader, _ budget: inout ResourceBudget
  ) throws(CodecError) -> ToneCurve {
    let count = Int(clamping: try reader.readUInt32BigEndian())
    switch count {
    case 0: return .linear
    case 1: return .parametric(ParametricCurve(gamma: Double(try reader.readUInt16BigEndian()) / 256))
    case 2...65536:
      return .table(try reader.readSamples(count, &budget))
    default: throw reader.error(.malformed, "the curve has \(count) samples, more than 65536")
    }
  }
}

extension ByteReader {
  /// Reads 16-bit samples.
  @_lifetime(self: copy self)
  mutating func readSamples(_ count: Int, _ budget: inout ResourceBudget) throws(CodecError) -> [UInt16] {
    guard count <= remaining / 2 else { throw error(.truncated, "the ICC profile ends inside a table") }
    try budget.allocate(count: count, bytesEach: 2)
    try budget.chargeWork(count)
    var samples: [UInt16] = []
    samples.reserveCapacity(count)
    let span = try read(count * 2)
    for index in 0..<count { samples.append(UInt16(span[index &* 2]) << 8 | UInt16(span[index &* 2 &+ 1])) }
    return samples
  }
}

extension ParametricCurve {
  /// Reads the function type and the parameters of a `para` element.
  @_lifetime(reader: copy reader)
  init(parsing reader: inout ByteReader) throws(CodecError) {
    let type = try reader.readUInt16BigEndian()
    try reader.skip(2)
    let counts = [1, 3, 4, 5, 7]
    guard type < counts.count else { throw reader.error(.malformed, "there is no parametric curve of type \(type)") }
    var values: [Double] = []
    for _ in 0..<counts[Int(type)] { values.append(try reader.readFixed16()) }
    self.init(gamma: values[0])
    guard type > 0 else { return }
    (a, b) = (values[1], values[2])
    switch type {
    case 1, 2:
      threshold = a == 0 ? 0 : -b / a
      if type == 2 {
        (e, f) = (values[3], values[3])
        threshold = max(threshold, 0)
      }
    default:
      (c, threshold) = (values[3], values[4])
      if type == 4 { (e, f) = (values[5], values[6]) }
    }
  }
}
