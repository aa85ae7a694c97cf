// ThunderScan: samples of 4 bits as runs, differences and plain values.

/// Decompresses ThunderScan, row by row.
struct ThunderScanReader {
  private let width: Int
  private var position = 0

  /// The differences that two and three bits stand for; `nil` means that there is no sample.
  private static let differences2: [UInt8?] = [0, 1, nil, 15]
  private static let differences3: [UInt8?] = [0, 1, 2, 3, nil, 13, 14, 15]

  init(width: Int) {
    self.width = width
  }

  /// Fills whole rows as far as the input allows.
  ///
  /// - Returns: the number of bytes written, with an incomplete last row, whose other samples are 0.
  mutating func read(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Int {
    let rowByteCount = (width + 1) / 2
    var written = 0
    while written + rowByteCount <= output.count, position < input.count {
      var row = output._mutatingExtracting(written..<written + rowByteCount)
      readRow(input, into: &row)
      written += rowByteCount
    }
    return written
  }

  private mutating func readRow(_ input: Span<UInt8>, into row: inout MutableSpan<UInt8>) {
    for index in row.indices { row[index] = 0 }
    var value: UInt8 = 0
    var count = 0
    func append(_ row: inout MutableSpan<UInt8>) {
      guard count < width else { return }
      row[count / 2] |= count % 2 == 0 ? value << 4 : value
      count += 1
    }
    while count < width, position < input.count {
      let code = input[position]
      position += 1
      switch code >> 6 {
      case 0:
        for _ in 0..<code & 0x3F { append(&row) }
      case 1:
        for shift: UInt8 in [4, 2, 0] {
          guard let difference = Self.differences2[Int(code >> shift & 3)] else { continue }
          value = (value + difference) & 15
          append(&row)
        }
      case 2:
        for shift: UInt8 in [3, 0] {
          guard let difference = Self.differences3[Int(code >> shift & 7)] else { continue }
          value = (value + difference) & 15
          append(&row)
        }
      default:
        value = code & 15
        append(&row)
      }
    }
  }
}
