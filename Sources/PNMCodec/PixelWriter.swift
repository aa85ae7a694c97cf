// Headers and rows of samples, binary or as decimal numbers.

internal import ImageCore

/// Writes a file row by row.
struct PixelWriter {
  private(set) var bytes: [UInt8]
  private let kind: PNMEncoder.Kind
  private let isPlain: Bool
  private let format: PixelFormat
  private let width: Int

  /// The work units for a sample.
  private static let workPerSample = 6

  /// Writes the header. The output is charged to the budget.
  init(
    kind: PNMEncoder.Kind, isPlain: Bool, format: PixelFormat, size: PixelSize, budget: inout ResourceBudget
  ) throws(CodecError) {
    (self.kind, self.isPlain, self.format) = (kind, isPlain, format)
    width = size.width
    let maximum = format.sampleType.maximum
    let dimensions = "\(size.width) \(size.height)\n"
    let header =
      switch kind {
      case .pbm: (isPlain ? "P1\n" : "P4\n") + dimensions
      case .pgm: (isPlain ? "P2\n" : "P5\n") + dimensions + "\(maximum)\n"
      case .ppm: (isPlain ? "P3\n" : "P6\n") + dimensions + "\(maximum)\n"
      case .pam:
        "P7\nWIDTH \(size.width)\nHEIGHT \(size.height)\nDEPTH \(format.samplesPerPixel)\nMAXVAL \(maximum)\n"
          + "TUPLTYPE \(format.colorModel == .gray ? "GRAYSCALE" : "RGB")\(format.hasAlpha ? "_ALPHA" : "")\nENDHDR\n"
      }
    bytes = Array(header.utf8)
    let rowByteCount =
      kind == .pbm && !isPlain
      ? (size.width + 7) / 8 : size.width * format.samplesPerPixel * (isPlain ? 6 : format.bytesPerSample)
    try budget.allocate(count: size.height, bytesEach: rowByteCount)
    bytes.reserveCapacity(bytes.count + size.height * rowByteCount)
  }

  /// Writes a row in ``format``.
  mutating func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    let sampleCount = width * format.samplesPerPixel
    try budget.chargeWork(count: sampleCount, unitsEach: isPlain ? 5 * Self.workPerSample : Self.workPerSample)
    if isPlain {
      appendPlain(row, sampleCount: sampleCount)
    } else if kind == .pbm {
      var byte: UInt8 = 0
      for x in 0..<width {
        byte = byte << 1 | (row[x] < 128 ? 1 : 0)
        if x & 7 == 7 { bytes.append(byte) }
      }
      if width & 7 != 0 { bytes.append(byte << UInt8(8 - width & 7)) }
    } else if format.bytesPerSample == 1 {
      bytes.append(copying: row)
    } else {
      for index in 0..<sampleCount {
        let sample = nativeUInt16(row, at: index * 2)
        bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
        bytes.append(UInt8(truncatingIfNeeded: sample))
      }
    }
  }

  /// Writes decimal numbers in lines of at most 70 characters, as the formats demand.
  private mutating func appendPlain(_ row: Span<UInt8>, sampleCount: Int) {
    var lineLength = 0
    for index in 0..<sampleCount {
      let sample =
        kind == .pbm
        ? (row[index] < 128 ? 1 : 0)
        : format.bytesPerSample == 1 ? Int(row[index]) : Int(nativeUInt16(row, at: index * 2))
      let digits = Array(String(sample).utf8)
      if lineLength + digits.count + 1 > 70 {
        bytes.append(0x0A)
        lineLength = 0
      } else if lineLength > 0 {
        bytes.append(0x20)
        lineLength += 1
      }
      bytes += digits
      lineLength += digits.count
    }
    bytes.append(0x0A)
  }
}
