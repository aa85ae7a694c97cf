// Files of one VarDCT frame, made by a simple encoder that shares nothing with the decoder.

/// An encoder of RGB frames without filters, with one group and one pass, and with codes of equal length for all tokens.
struct VarDCTFile {
  /// A varblock: the quantised HF coefficients of Y, X and B, in the order in which they are coded.
  struct Block {
    var transform = 0
    var multiplier = 1
    var coefficients: [[Int]] = [[], [], []]
    /// The counts that are written, if they differ from those of the nonzero coefficients.
    var counts: [Int]?
  }

  var width: Int
  var height: Int
  /// The quantised LF coefficients of Y, X and B, one for each block.
  var lowFrequencies: [[Int]]
  var blocks: [Block]
  /// The number of varblocks that is written, if it differs from that of the blocks.
  var blockCount: Int?
  var sharpness = 0

  /// The divisor of 65536 that the scale of HF coefficients is.
  static let globalScale = 2048

  private var columns: Int { (width + 7) / 8 }
  private var rows: Int { (height + 7) / 8 }

  var codestream: [UInt8] {
    var writer = BitWriter()
    writer.write(0x0AFF, 16)
    let headers = ModularFile(width: width, height: height, channels: [[], [], []])
    headers.writeHeaders(&writer)
    writer.align()
    writeFrameHeader(&writer)
    ModularFile.writeSection(section.bytes, to: &writer)
    return writer.bytes
  }

  private func writeFrameHeader(_ writer: inout BitWriter) {
    // A regular VarDCT frame that skips smoothing (0x80 is 17 + 111).
    writer.write(0, 1)
    writer.write(0, 2)
    writer.write(0, 1)
    writer.write(2, 2)
    writer.write(0x80 - 17, 8)
    // Neither YCbCr nor upsampling; one pass, no crop, a replacing blend, the last frame, no name.
    writer.write(0, 1)
    writer.writeU32(form: 0)
    writer.writeU32(form: 0)
    writer.write(0, 1)
    writer.writeU32(form: 0)
    writer.write(1, 1)
    writer.writeU32(form: 0)
    // No filters and no extensions.
    writer.write(0, 2)
    writer.write(0, 2)
    writer.write(0, 2)
    writer.write(0, 2)
  }

  private var section: BitWriter {
    var writer = BitWriter()
    // LfGlobal: default LF factors, the quantiser with an LF factor of 16, default contexts and correlation.
    writer.write(1, 1)
    writer.writeU32(form: 0, Self.globalScale - 1, 11)
    writer.writeU32(form: 0)
    writer.write(1, 1)
    writer.write(1, 1)
    // A tree with one leaf.
    writer.write(1, 1)
    ModularFile.writeCodes(&writer, contextCount: 6)
    for _ in 0..<5 { ModularFile.writeValue(&writer, 0) }
    ModularFile.writeCodes(&writer, contextCount: 1)
    // The LF group.
    writer.write(0, 2)
    Self.writeStream(&writer, lowFrequencies.flatMap { $0 })
    let count = blockCount ?? blocks.count
    writer.write(count - 1, Int.bitWidth - (columns * rows - 1).leadingZeroBitCount)
    let tileCount = ((columns + 7) / 8) * ((rows + 7) / 8)
    let numbers = blocks.map(\.transform) + blocks.map { $0.multiplier - 1 }
    Self.writeStream(
      &writer,
      [Int](repeating: 0, count: 2 * tileCount) + numbers
        + [Int](repeating: sharpness, count: columns * rows))
    // HfGlobal: default matrices, natural orders, 495 contexts of each of 15 clusters.
    writer.write(1, 1)
    writer.writeU32(form: 2)
    ModularFile.writeCodes(&writer, contextCount: 495 * 15)
    for block in blocks {
      for channel in 0..<3 {
        let coefficients = block.coefficients[channel]
        ModularFile.writeValue(&writer, block.counts?[channel] ?? coefficients.count { $0 != 0 })
        for coefficient in coefficients { ModularFile.writeValue(&writer, ModularFile.packed(coefficient)) }
      }
    }
    return writer
  }

  /// Writes a Modular stream with the global tree.
  private static func writeStream(_ writer: inout BitWriter, _ values: [Int]) {
    writer.write(1, 1)
    writer.write(1, 1)
    writer.writeU32(form: 0)
    for value in values { ModularFile.writeValue(&writer, ModularFile.packed(value)) }
  }
}
