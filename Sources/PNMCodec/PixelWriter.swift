// Headers and rows of samples, binary or as decimal numbers.

internal import ImageCoding

/// Converts rows to the bytes of a file.
struct PixelWriter {
  private let kind: PNMEncoder.Kind
  private let isPlain: Bool
  private let format: PixelFormat
  private let size: PixelSize
  /// The header of the file.
  let header: [UInt8]

  /// The work units for a sample.
  private static let workPerSample = 6

  init(kind: PNMEncoder.Kind, isPlain: Bool, format: PixelFormat, size: PixelSize) {
    (self.kind, self.isPlain, self.format, self.size) = (kind, isPlain, format, size)
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
    self.header = Array(header.utf8)
  }

  private var sampleCount: Int { size.width * format.samplesPerPixel }

  /// The bytes of a row of binary samples.
  private var rowByteCount: Int { kind == .pbm ? (size.width + 7) / 8 : sampleCount * format.bytesPerSample }

  /// The bytes of a file of binary samples.
  var byteCount: Int { header.count + size.height * rowByteCount }

  /// The work units for a row.
  var workPerRow: Int { sampleCount * (isPlain ? 5 * Self.workPerSample : Self.workPerSample) }

  /// Throws unless all rows can be written.
  func requireWork(from budget: borrowing ResourceBudget) throws(CodecError) {
    try budget.requireWork(count: size.height, unitsEach: workPerRow)
  }

  /// Returns the bytes of a row in ``format``.
  func bytes(of row: Span<UInt8>) -> [UInt8] {
    if !isPlain, kind != .pbm, format.bytesPerSample == 1 { return Array(copying: row) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rowByteCount)
    if isPlain {
      appendPlain(row, to: &bytes)
    } else if kind == .pbm {
      var byte: UInt8 = 0
      for x in 0..<size.width {
        byte = byte << 1 | (row[x] < 128 ? 1 : 0)
        if x & 7 == 7 { bytes.append(byte) }
      }
      if size.width & 7 != 0 { bytes.append(byte << UInt8(8 - size.width & 7)) }
    } else {
      for index in 0..<sampleCount {
        let sample = nativeUInt16(row, at: index * 2)
        bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
        bytes.append(UInt8(truncatingIfNeeded: sample))
      }
    }
    return bytes
  }

  /// Writes decimal numbers in lines of at most 70 characters, as the formats demand.
  private func appendPlain(_ row: Span<UInt8>, to bytes: inout [UInt8]) {
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
