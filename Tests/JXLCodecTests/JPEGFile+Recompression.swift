// JPEG XL files from which JPEG files are reconstructed.

extension JPEGFile {
  /// The cells of a block in zigzag order, as horizontal and vertical frequencies.
  static let zigzag: [[Int]] = (0..<15).flatMap { diagonal in
    let cells = (0..<8).map { [$0, diagonal - $0] }.filter { 0..<8 ~= $0[1] }
    return diagonal % 2 == 0 ? cells : cells.reversed()
  }

  /// Returns values in the zigzag order of the transposed block.
  private static func transposed(_ values: [Int]) -> [Int] {
    zigzag.map { cell in values[zigzag.firstIndex(of: cell.reversed()) ?? 0] }
  }

  /// The channels X, Y and B of the components.
  private var channels: [Int] { components.count == 1 ? [1] : isRGB ? [0, 1, 2] : [1, 0, 2] }
  private var isRGB: Bool { components.map(\.identifier) == Array("RGB".utf8) }

  /// The component of a channel; the only one of grey files.
  private func component(_ channel: Int) -> Component { components[channels.firstIndex(of: channel) ?? 0] }

  /// The frame with the coefficients.
  ///
  /// - Parameter correlations: the correlation of Cb and Cr with Y.
  func frame(correlations: [Int] = [0, 0]) -> VarDCTFile {
    var recompression = VarDCTFile.Recompression(
      isGray: components.count == 1,
      tables: (0..<3).map { channel in
        let values = tables[component(channel).table].values
        // Column by column.
        return (0..<64).map { place in values[Self.zigzag.firstIndex(of: [place / 8, place % 8]) ?? 0] }
      }, correlations: correlations)
    if !isRGB {
      recompression.sampling = (0..<3).map { channel in
        let component = component(channel)
        return [[0, 3], [2, 1]][component.horizontal - 1][component.vertical - 1]
      }
    }
    var file = VarDCTFile(width: width, height: height, lowFrequencies: [], blocks: [], recompression: recompression)
    file.lowFrequencies = [1, 0, 2].map { channel in
      let component = component(channel)
      let offset = isRGB ? 1024 / tables[component.table].values[0] : 0
      return channels.contains(channel)
        ? component.blocks.map { $0[0] + offset } : component.blocks.map { _ in 0 }
    }
    for y in 0..<file.rows {
      for x in 0..<file.columns {
        var block = VarDCTFile.Block()
        for (index, channel) in [1, 0, 2].enumerated() where channels.contains(channel) {
          guard recompression.hasBlock(channel, x: x, y: y) else { continue }
          block.coefficients[index] = coded(channel, x, y, correlations)
        }
        file.blocks.append(block)
      }
    }
    return file
  }

  /// The coefficients of a channel in a block of the grid as they are coded, without zeros at the end.
  private func coded(_ channel: Int, _ x: Int, _ y: Int, _ correlations: [Int]) -> [Int] {
    let component = component(channel)
    let column = x * component.horizontal / maximumHorizontal
    let row = y * component.vertical / maximumVertical
    let block = row * columns * component.horizontal + column
    var values = component.blocks[block]
    if channel != 1 {
      let luma = self.component(1)
      let scale = correlations[channel / 2] * 2048 / 84
      for index in 0..<64 where scale != 0 {
        let ratio = 2048 * tables[luma.table].values[index] / tables[component.table].values[index]
        let factor = Int((Double(ratio * scale) / 2048 + 0.5).rounded(.down))
        values[index] -= Int((Double(luma.blocks[block][index] * factor) / 2048 + 0.5).rounded(.down))
      }
    }
    values = Array(Self.transposed(values).dropFirst())
    return Array(values[...(values.lastIndex { $0 != 0 } ?? -1)])
  }

  /// The content of the box with the reconstruction data.
  var reconstruction: [UInt8] {
    var writer = BitWriter()
    writer.write(components.count == 1 ? 1 : 0, 1)
    let markers = markers
    for marker in markers { writer.write(Int(marker) - 0xC0, 6) }
    for case .application(_, let content, let source) in parts {
      writer.writeU32(source, [(0, 0), (1, 0), (2, 1), (4, 2)])
      writer.write(content.count + 2, 16)
    }
    for case .comment(let content) in parts { writer.write(content.count + 2, 16) }
    writer.write(tables.count - 1, 2)
    for table in tables {
      writer.write(table.is16Bit ? 1 : 0, 1)
      writer.write(table.destination, 2)
      writer.write(table.isLast ? 1 : 0, 1)
    }
    writeComponents(&writer)
    writer.writeU32(huffman.count, [(4, 0), (2, 3), (10, 4), (26, 6)])
    for table in huffman { Self.write(table, &writer) }
    for scan in scans { Self.write(scan, &writer) }
    if markers.contains(0xDD) { writer.write(restartInterval, 16) }
    for scan in scans { Self.writeChoices(scan, &writer) }
    for case .gap(let bytes) in parts { writer.write(bytes.count, 16) }
    writer.writeU32(tail.count, [(0, 0), (1, 8), (257, 16), (65793, 22)])
    writer.write(padding.isEmpty ? 0 : 1, 1)
    if !padding.isEmpty {
      let count = write().paddingBitCount
      writer.write(count, 24)
      for index in 0..<count { writer.write(padding[index % padding.count] ? 1 : 0, 1) }
    }
    return writer.bytes + BoxWriter.storedBrotli(storedBytes)
  }

  /// The bytes of the file that nothing else determines.
  private var storedBytes: [UInt8] {
    var bytes: [UInt8] = []
    for case .application(let marker, let content, source: 0) in parts {
      bytes += Self.segment(marker, content).dropFirst()
    }
    for case .comment(let content) in parts { bytes += Self.segment(0xFE, content).dropFirst() }
    for case .gap(let content) in parts { bytes += content }
    return bytes + tail
  }

  private var markers: [UInt8] {
    parts.map { part in
      switch part {
      case .application(let marker, _, _), .frame(let marker), .restart(let marker): marker
      case .comment: 0xFE
      case .gap: 0xFF
      case .quantization: 0xDB
      case .huffman: 0xC4
      case .restartInterval: 0xDD
      case .scan: 0xDA
      }
    } + [0xD9]
  }

  private func writeComponents(_ writer: inout BitWriter) {
    let identifiers = components.map(\.identifier)
    if let known = [[1], [1, 2, 3], Array("RGB".utf8)].firstIndex(of: identifiers) {
      writer.write(known, 2)
    } else {
      writer.write(3, 2)
      writer.write(identifiers.count - 1, 2)
      for identifier in identifiers { writer.write(Int(identifier), 8) }
    }
    for component in components { writer.write(component.table, 2) }
  }

  private static func write(_ table: HuffmanTable, _ writer: inout BitWriter) {
    writer.write(table.isAC ? 1 : 0, 1)
    writer.write(table.destination, 2)
    writer.write(table.isLast ? 1 : 0, 1)
    // One more symbol, 256, with the longest code.
    let longest = table.isAC ? 8 : 4
    for length in 0...16 {
      let count = table.count(length) + (length == longest ? 1 : 0)
      writer.writeU32(count, [(0, 0), (1, 0), (2, 3), (0, 8)])
    }
    for symbol in table.symbols + [256] { writer.writeU32(symbol, [(0, 2), (4, 2), (8, 4), (1, 8)]) }
  }

  private static func write(_ scan: Scan, _ writer: inout BitWriter) {
    writer.write(scan.components.count - 1, 2)
    writer.write(scan.start, 6)
    writer.write(scan.end, 6)
    writer.write(scan.low, 4)
    writer.write(scan.high, 4)
    for component in scan.components {
      writer.write(component, 2)
      writer.write(0, 4)
    }
    writer.writeU32(form: 0)
  }

  private static let counts = [(0, 0), (1, 2), (4, 4), (20, 16)]
  private static let differences = [(0, 0), (1, 3), (9, 5), (41, 28)]

  private static func writeChoices(_ scan: Scan, _ writer: inout BitWriter) {
    writer.writeU32(scan.resetPoints.count, counts)
    var next = 0
    for block in scan.resetPoints {
      writer.writeU32(block - next, differences)
      next = block + 1
    }
    writer.writeU32(scan.zeroRuns.count, counts)
    next = 0
    for (block, count) in scan.zeroRuns.sorted(by: { $0.key < $1.key }) {
      writer.writeU32(count, [(1, 0), (2, 2), (5, 4), (20, 8)])
      writer.writeU32(block - next, differences)
      next = block + 1
    }
  }

  /// The JPEG XL file.
  func recompressed(correlations: [Int] = [0, 0], metadata: [UInt8] = []) -> [UInt8] {
    BoxWriter.start + BoxWriter.box("jbrd", reconstruction) + metadata
      + BoxWriter.box("jxlc", frame(correlations: correlations).codestream)
  }
}

extension BitWriter {
  /// A `U32` in the first form that it fits in: offsets and numbers of bits.
  mutating func writeU32(_ value: Int, _ forms: [(offset: Int, count: Int)]) {
    let form = forms.firstIndex { 0..<(1 << $0.count) ~= value - $0.offset } ?? 3
    writeU32(form: form, value - forms[form].offset, forms[form].count)
  }
}
