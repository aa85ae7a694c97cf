// JPEG files with given coefficients, written by a slow encoder that shares nothing with that of the codec.

/// A JPEG file as its coefficients, and the choices of the encoder.
struct JPEGFile {
  struct Component {
    var identifier: UInt8
    var horizontal = 1
    var vertical = 1
    /// The index in ``JPEGFile/tables``.
    var table = 0
    /// The coefficients in zigzag order, row by row, of all blocks of all MCUs.
    var blocks: [[Int]] = []
  }

  struct Scan {
    var components: [Int]
    var start = 0
    var end = 63
    var high = 0
    var low = 0
    /// The blocks before which a run of bands ends.
    var resetPoints: [Int] = []
    /// The additional codes for sixteen zeros, by block.
    var zeroRuns: [Int: Int] = [:]
  }

  struct QuantizationTable {
    var destination: Int
    var is16Bit = false
    var isLast = true
    /// In zigzag order.
    var values: [Int]
  }

  /// A Huffman table whose codes of seven bits precede those of eight, or with codes of four bits.
  struct HuffmanTable {
    var isAC: Bool
    var destination: Int
    var isLast = true

    /// All sizes of numbers after all runs of zeros, and the ends of all runs of bands; or the sizes of differences.
    var symbols: [Int] {
      isAC ? (0..<16).flatMap { run in (0..<11).map { run << 4 | $0 } } : Array(0..<12)
    }

    static let sevenBitCount = 60

    /// The number of symbols with codes of a length.
    func count(_ length: Int) -> Int {
      switch length {
      case 4: isAC ? 0 : symbols.count
      case 7: isAC ? Self.sevenBitCount : 0
      case 8: isAC ? symbols.count - Self.sevenBitCount : 0
      default: 0
      }
    }

    func code(_ symbol: Int) -> [Bool] {
      let index = symbols.firstIndex(of: symbol) ?? 0
      guard isAC else { return JPEGFile.bits(index, 4) }
      return index < Self.sevenBitCount
        ? JPEGFile.bits(index, 7) : JPEGFile.bits(2 * Self.sevenBitCount + index - Self.sevenBitCount, 8)
    }
  }

  /// The parts of the file in order.
  enum Part {
    /// A segment with the second byte of its marker and its content; whether it is stored in the reconstruction data.
    case application(UInt8, [UInt8], source: Int = 0)
    case comment([UInt8])
    case gap([UInt8])
    case quantization
    case huffman
    case frame(UInt8)
    case restartInterval
    case restart(UInt8)
    case scan
  }

  var width: Int
  var height: Int
  var components: [Component]
  var tables: [QuantizationTable]
  var huffman: [HuffmanTable] = [
    HuffmanTable(isAC: false, destination: 0, isLast: false), HuffmanTable(isAC: true, destination: 0),
  ]
  var scans: [Scan]
  var parts: [Part]
  var restartInterval = 0
  /// The padding bits, which are repeated; ones if empty.
  var padding: [Bool] = []
  var tail: [UInt8] = []

  /// The bits of a number, the most significant one first.
  static func bits(_ value: Int, _ count: Int) -> [Bool] { (0..<count).map { value >> (count - 1 - $0) & 1 == 1 } }

  var maximumHorizontal: Int { components.map(\.horizontal).max() ?? 1 }
  var maximumVertical: Int { components.map(\.vertical).max() ?? 1 }
  var columns: Int { (width + 8 * maximumHorizontal - 1) / (8 * maximumHorizontal) }
  var rows: Int { (height + 8 * maximumVertical - 1) / (8 * maximumVertical) }

  static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + word(content.count + 2) + content
  }

  private static func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }

  /// The bytes of the file, and the number of padding bits.
  func write() -> (bytes: [UInt8], paddingBitCount: Int) {
    var output: [UInt8] = [0xFF, 0xD8]
    var paddingBitCount = 0
    var (scan, table, code) = (0, 0, 0)
    var (isProgressive, hasRestarts) = (false, false)
    for part in parts {
      switch part {
      case .application(let marker, let content, _): output += Self.segment(marker, content)
      case .comment(let content): output += Self.segment(0xFE, content)
      case .gap(let bytes): output += bytes
      case .quantization:
        let end = tables[table...].firstIndex { $0.isLast } ?? table
        output += Self.segment(0xDB, tables[table...end].flatMap(quantizationBytes))
        table = end + 1
      case .huffman:
        let end = huffman[code...].firstIndex { $0.isLast } ?? code
        output += Self.segment(0xC4, huffman[code...end].flatMap(huffmanBytes))
        code = end + 1
      case .frame(let marker):
        isProgressive = marker == 0xC2
        output += Self.segment(marker, frameBytes)
      case .restartInterval:
        hasRestarts = true
        output += Self.segment(0xDD, Self.word(restartInterval))
      case .restart(let marker): output += [0xFF, marker]
      case .scan:
        output += Self.segment(0xDA, scanBytes(scans[scan]))
        output += encode(scans[scan], isProgressive, hasRestarts ? restartInterval : 0, &paddingBitCount)
        scan += 1
      }
    }
    return (output + [0xFF, 0xD9] + tail, paddingBitCount)
  }

  private func quantizationBytes(_ table: QuantizationTable) -> [UInt8] {
    [UInt8((table.is16Bit ? 16 : 0) + table.destination)]
      + table.values.flatMap { table.is16Bit ? Self.word($0) : [UInt8($0)] }
  }

  private func huffmanBytes(_ table: HuffmanTable) -> [UInt8] {
    [UInt8((table.isAC ? 16 : 0) + table.destination)] + (1...16).map { UInt8(table.count($0)) }
      + table.symbols.map { UInt8($0) }
  }

  private var frameBytes: [UInt8] {
    [8] + Self.word(height) + Self.word(width) + [UInt8(components.count)]
      + components.flatMap {
        [$0.identifier, UInt8($0.horizontal * 16 + $0.vertical), UInt8(tables[$0.table].destination)]
      }
  }

  private func scanBytes(_ scan: Scan) -> [UInt8] {
    [UInt8(scan.components.count)] + scan.components.flatMap { [components[$0].identifier, 0] }
      + [UInt8(scan.start), UInt8(scan.end), UInt8(scan.high * 16 + scan.low)]
  }
}
