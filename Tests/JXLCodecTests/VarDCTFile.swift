// Files of one VarDCT frame, made by a simple encoder that shares nothing with the decoder.

/// An encoder of frames with one low-frequency group and one pass, and with codes of equal length for all tokens. Frames
/// with several groups have blocks of 8 × 8 samples only.
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
  /// The coefficients that a second pass adds; the first one suffices for an image of half the size.
  var refinements: [Block] = []
  /// The properties of a frame that is made from a JPEG file.
  var recompression: Recompression?
  /// Filters, patches, splines, noise and upsampling.
  var features = FrameFeatures()
  /// The slot that the frame is saved in, of an animation whose other frames are missing; `nil` for a still image.
  var slot: Int?

  /// The properties of frames that are made from JPEG files.
  struct Recompression {
    var isGray = false
    /// The modes of the sampling factors of Cb, Y and Cr; `nil` for RGB.
    var sampling: [Int]?
    /// The quantisation matrices of X, Y and B, as they are stored.
    var tables: [[Int]]
    /// The correlation of X and B with Y in all tiles.
    var correlations = [0, 0]
    var encodedProfile: [UInt8] = []

    /// The sampling factors of a channel.
    func factors(_ channel: Int) -> (horizontal: Int, vertical: Int) {
      [(1, 1), (2, 2), (2, 1), (1, 2)][sampling?[channel] ?? 0]
    }

    /// The sampling factors of an MCU.
    var maximumFactors: (horizontal: Int, vertical: Int) {
      let all = (0..<3).map(factors)
      return (all.map(\.horizontal).max() ?? 1, all.map(\.vertical).max() ?? 1)
    }

    /// Whether a channel has a block at a place of the grid.
    func hasBlock(_ channel: Int, x: Int, y: Int) -> Bool {
      x % (maximumFactors.horizontal / factors(channel).horizontal) == 0
        && y % (maximumFactors.vertical / factors(channel).vertical) == 0
    }
  }

  /// The divisor of 65536 that the scale of HF coefficients is.
  static let globalScale = 2048

  /// The size of the grid in blocks.
  var columns: Int { Self.blockCount(width, recompression?.maximumFactors.horizontal ?? 1) }
  var rows: Int { Self.blockCount(height, recompression?.maximumFactors.vertical ?? 1) }

  private static func blockCount(_ length: Int, _ factor: Int) -> Int {
    (length + 8 * factor - 1) / (8 * factor) * factor
  }

  var codestream: [UInt8] {
    var writer = BitWriter()
    writer.write(0x0AFF, 16)
    let channels = [[Int]](repeating: [], count: recompression?.isGray == true ? 1 : 3)
    // Enlarged frames are cut off.
    let factor = features.upsampling
    var headers = ModularFile(
      width: width * factor - factor / 2, height: height * factor - factor / 2, channels: channels)
    headers.encodedProfile = recompression?.encodedProfile ?? []
    headers.isAnimated = slot != nil
    headers.writeHeaders(&writer)
    writer.align()
    features.writePatchFrame(&writer)
    writeFrameHeader(&writer)
    let sections = sections
    if sections.count == 4 {
      // All parts of the only group are in one section.
      let whole = sections.reduce(into: BitWriter()) { $0.append($1) }
      ModularFile.writeSections([whole.bytes], to: &writer)
    } else {
      ModularFile.writeSections(sections.map(\.bytes), to: &writer)
    }
    return writer.bytes
  }

  private func writeFrameHeader(_ writer: inout BitWriter) {
    // A regular VarDCT frame that skips smoothing.
    writer.write(0, 1)
    writer.write(0, 2)
    writer.write(0, 1)
    writer.write(2, 2)
    writer.write(0x80 + features.flags - 17, 8)
    // YCbCr or not; no upsampling, one pass, no crop, a replacing blend, the last frame, no name.
    writer.write(recompression?.sampling == nil ? 0 : 1, 1)
    for mode in recompression?.sampling ?? [] { writer.write(mode, 2) }
    writer.writeU32(form: features.upsampling.trailingZeroBitCount)
    writer.writeU32(form: refinements.isEmpty ? 0 : 1)
    if !refinements.isEmpty {
      // One reduction, no shift, the factor 2 and the first pass.
      writer.writeU32(form: 1)
      writer.write(0, 2)
      writer.writeU32(form: 1)
      writer.writeU32(form: 0)
    }
    writer.write(0, 1)
    writer.writeU32(form: 0)
    if let slot {
      // A duration of one tick; not saved before its colours are transformed, if it is saved.
      writer.writeU32(form: 1)
      writer.write(0, 1)
      writer.write(slot, 2)
      if slot > 0 { writer.write(0, 1) }
    } else {
      writer.write(1, 1)
    }
    writer.writeU32(form: 0)
    features.writeFilters(&writer)
    writer.write(0, 2)
  }

  /// The parts of the frame: LfGlobal, the LF group, HfGlobal, and the groups.
  private var sections: [BitWriter] {
    var groups: [BitWriter] = []
    let passes = refinements.isEmpty ? [blocks] : [blocks, refinements]
    for pass in passes {
      for top in stride(from: 0, to: rows, by: 32) {
        for left in stride(from: 0, to: columns, by: 32) { groups.append(group(pass, left: left, top: top)) }
      }
    }
    return [lowFrequencyGlobal, lowFrequencyGroup, highFrequencyGlobal(groupCount: groups.count / passes.count)]
      + groups
  }

  private var lowFrequencyGlobal: BitWriter {
    var writer = BitWriter()
    features.write(&writer)
    // Default LF factors, the quantiser with an LF factor of 16, default contexts, and a correlation that is the default,
    // or that of JPEG files.
    writer.write(1, 1)
    writer.writeU32(form: 0, Self.globalScale - 1, 11)
    writer.writeU32(form: 0)
    writer.write(1, 1)
    writer.write(recompression == nil ? 1 : 0, 1)
    if recompression != nil {
      writer.writeU32(form: 0)
      writer.write(0, 32)
      writer.write(128 | 128 << 8, 16)
    }
    // A tree with one leaf.
    writer.write(1, 1)
    ModularFile.writeCodes(&writer, contextCount: 6)
    for _ in 0..<5 { ModularFile.writeValue(&writer, 0) }
    ModularFile.writeCodes(&writer, contextCount: 1)
    return writer
  }

  private var lowFrequencyGroup: BitWriter {
    var writer = BitWriter()
    writer.write(0, 2)
    Self.writeStream(&writer, lowFrequencies.flatMap { $0 })
    let count = blockCount ?? blocks.count
    writer.write(count - 1, Self.bitCount(columns * rows))
    let tileCount = ((columns + 7) / 8) * ((rows + 7) / 8)
    let numbers = blocks.map(\.transform) + blocks.map { $0.multiplier - 1 }
    Self.writeStream(
      &writer,
      (recompression?.correlations ?? [0, 0]).flatMap { [Int](repeating: $0, count: tileCount) } + numbers
        + [Int](repeating: sharpness, count: columns * rows))
    return writer
  }

  private func highFrequencyGlobal(groupCount: Int) -> BitWriter {
    var writer = BitWriter()
    // The matrices, one preset, natural orders, 495 contexts of each of 15 clusters.
    writeMatrices(&writer)
    writer.write(0, Self.bitCount(groupCount))
    for _ in 0..<(refinements.isEmpty ? 1 : 2) {
      writer.writeU32(form: 2)
      ModularFile.writeCodes(&writer, contextCount: 495 * 15)
    }
    return writer
  }

  private func group(_ blocks: [Block], left: Int, top: Int) -> BitWriter {
    var writer = BitWriter()
    let isWhole = columns <= 32 && rows <= 32
    let indices =
      isWhole
      ? Array(blocks.indices)
      : (top..<min(top + 32, rows)).flatMap { y in (left..<min(left + 32, columns)).map { y * columns + $0 } }
    for index in indices {
      for channel in 0..<3 {
        let plane = [1, 0, 2][channel]
        guard recompression?.hasBlock(plane, x: index % columns, y: index / columns) != false else { continue }
        let block = blocks[index]
        let coefficients = block.coefficients[channel]
        ModularFile.writeValue(&writer, block.counts?[channel] ?? coefficients.count { $0 != 0 })
        for coefficient in coefficients { ModularFile.writeValue(&writer, ModularFile.packed(coefficient)) }
      }
    }
    return writer
  }

  /// The number of bits of a number below a count.
  private static func bitCount(_ count: Int) -> Int { Int.bitWidth - (count - 1).leadingZeroBitCount }

  /// Writes the default matrices, or integers for the first one, with the denominator of JPEG files.
  private func writeMatrices(_ writer: inout BitWriter) {
    guard let tables = recompression?.tables else { return writer.write(1, 1) }
    writer.write(0, 1)
    writer.write(7, 3)
    // 1.00390625 · 2⁻¹¹, the half-precision number next to 1/2040.
    writer.write(4 << 10 | 4, 16)
    Self.writeStream(&writer, tables.flatMap { $0 })
    writer.write(0, 16 * 3)
  }

  /// Writes a Modular stream with the global tree.
  private static func writeStream(_ writer: inout BitWriter, _ values: [Int]) {
    writer.write(1, 1)
    writer.write(1, 1)
    writer.writeU32(form: 0)
    for value in values { ModularFile.writeValue(&writer, ModularFile.packed(value)) }
  }
}
