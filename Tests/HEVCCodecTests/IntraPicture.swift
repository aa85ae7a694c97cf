// Pictures whose slices, tiles and wavefronts a test chooses: parameter sets and slice headers. `IntraPictureCoder`
// writes their blocks and computes their samples.

import TestSupport

/// The fields of a picture's parameter sets, and its division into slices.
struct IntraPicture {
  var width = 88
  var height = 72
  var log2TreeBlock = 4
  /// 0 for monochrome, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
  var chromaType = 1
  var bitDepth = 8
  /// The first columns and rows of tiles after the first, in tree blocks.
  var tileColumns: [Int] = []
  var tileRows: [Int] = []
  var isWavefront = false
  var filtersAcrossTiles = true
  /// `pps_loop_filter_across_slices_enabled_flag`.
  var filtersAcrossSlices = true
  /// `pcm_loop_filter_disabled_flag`.
  var isPCMFinal = false
  /// Whether units may be coded without transform and quantization, which no filter changes.
  var isBypassEnabled = false
  var hasSAO = true
  var hasDependentSegments = true
  /// `diff_cu_qp_delta_depth`.
  var qpDeltaDepth = 1
  var cbOffset = 3
  var crOffset = -2
  /// `cb_qp_offset_list` and `cr_qp_offset_list`, from which groups of quantization choose.
  var chromaOffsets: [(cb: Int, cr: Int)] = []
  var division = Division.none

  /// The division of a picture into slices and dependent segments.
  enum Division {
    case none
    /// The places in decoding order, besides the first.
    case places(slices: [Int], dependent: [Int])
    /// Slices of a number of tree blocks, divided into segments of a number of them.
    case counts(slice: Int, segment: Int)
    /// Slices of about a number of bytes, divided into segments of about a number of them.
    case bytes(slice: Int, segment: Int)
  }

  /// The fields of a slice header.
  struct Slice {
    var address = 0
    var qp = 26
    var cbOffset = 0
    var crOffset = 0
    var isSAOLumaEnabled = false
    var isSAOChromaEnabled = false
    var isDeblockingDisabled = false
    var betaOffset = 0
    var tcOffset = 0
    /// As coded; inferred to be that of the picture if neither filter is used.
    var filtersAcross = false
  }

  var columns: Int { (width - 1) >> log2TreeBlock + 1 }
  var rows: Int { (height - 1) >> log2TreeBlock + 1 }
  var componentCount: Int { chromaType == 0 ? 1 : 3 }
  var isTiled: Bool { !tileColumns.isEmpty || !tileRows.isEmpty }
  var qpDepthOffset: Int { 6 * (bitDepth - 8) }

  func shifts(_ component: Int) -> (x: Int, y: Int) {
    component == 0 ? (0, 0) : (chromaType == 1 || chromaType == 2 ? 1 : 0, chromaType == 1 ? 1 : 0)
  }

  /// The raster addresses of tree blocks in decoding order.
  var addresses: [Int] {
    tileOrder(columns: columns, rows: rows, tileColumns: tileColumns, tileRows: tileRows).map(\.address)
  }

  /// The tile of a tree block.
  func tile(_ address: Int) -> Int {
    let column = tileColumns.count { $0 <= address % columns }
    return tileRows.count { $0 <= address / columns } * (tileColumns.count + 1) + column
  }

  /// The column of a tree block in its tile.
  func columnInTile(_ address: Int) -> Int {
    address % columns - (tileColumns.last { $0 <= address % columns } ?? 0)
  }

  // MARK: Parameter sets

  var parameterSets: [UInt8] {
    nalUnit(32, videoParameterSet) + nalUnit(33, sequenceParameterSet) + nalUnit(34, pictureParameterSet)
  }

  /// Profile and level: those of format range extensions, level 6.2.
  private func writeProfile(_ writer: inout BitWriter) {
    writer.write(4, 8)
    writer.write(1 << 27, 32)
    writer.write(0b1001, 4)
    for _ in 0..<44 { writer.write(0, 1) }
    writer.write(186, 8)
  }

  private var videoParameterSet: [UInt8] {
    var writer = BitWriter()
    writer.write(0, 4)
    writer.write(3, 2)
    writer.write(0, 6)
    writer.write(0, 3)
    writer.write(1, 1)
    writer.write(0xFFFF, 16)
    writeProfile(&writer)
    writer.write(1, 1)
    for _ in 0..<3 { writer.unsigned(0) }
    writer.write(0, 6)
    writer.unsigned(0)
    writer.write(0, 2)
    return writer.finished
  }

  private var sequenceParameterSet: [UInt8] {
    var writer = BitWriter()
    writer.write(0, 4)
    writer.write(0, 3)
    writer.write(1, 1)
    writeProfile(&writer)
    writer.unsigned(0)
    writer.unsigned(chromaType)
    if chromaType == 3 { writer.write(0, 1) }
    writer.unsigned(width)
    writer.unsigned(height)
    writer.write(0, 1)
    writer.unsigned(bitDepth - 8)
    writer.unsigned(bitDepth - 8)
    writer.unsigned(4)
    writer.write(1, 1)
    for _ in 0..<3 { writer.unsigned(0) }
    // Coding blocks from 8 on, transforms of 4 to 32 at most, none of which are split.
    for value in [0, log2TreeBlock - 3, 0, min(log2TreeBlock, 5) - 2, 0, 0] { writer.unsigned(value) }
    writer.write(0, 2)
    writer.write(hasSAO ? 1 : 0, 1)
    // PCM blocks of 8 to 32 at most.
    writer.write(1, 1)
    writer.write(bitDepth - 1, 4)
    writer.write(bitDepth - 1, 4)
    writer.unsigned(0)
    writer.unsigned(min(log2TreeBlock, 5) - 3)
    writer.write(isPCMFinal ? 1 : 0, 1)
    writer.unsigned(0)
    writer.write(0, 2)
    // Strong smoothing, then no more.
    writer.write(1, 1)
    writer.write(0, 2)
    return writer.finished
  }

  private var pictureParameterSet: [UInt8] {
    var writer = BitWriter()
    writer.unsigned(0)
    writer.unsigned(0)
    writer.write(hasDependentSegments ? 1 : 0, 1)
    writer.write(0, 6)
    writer.unsigned(0)
    writer.unsigned(0)
    writer.signed(0)
    writer.write(0, 2)
    writer.write(1, 1)
    writer.unsigned(qpDeltaDepth)
    writer.signed(cbOffset)
    writer.signed(crOffset)
    // Slices have offsets of chroma, too.
    writer.write(1, 1)
    writer.write(0, 2)
    writer.write(isBypassEnabled ? 1 : 0, 1)
    writer.write(isTiled ? 1 : 0, 1)
    writer.write(isWavefront ? 1 : 0, 1)
    if isTiled { writer.tiles(columns: tileColumns, rows: tileRows, filtersAcross: filtersAcrossTiles) }
    writer.write(filtersAcrossSlices ? 1 : 0, 1)
    // Slices override the parameters of deblocking.
    writer.write(0b110, 3)
    writer.signed(0)
    writer.signed(0)
    writer.write(0, 2)
    writer.unsigned(0)
    writer.write(0, 1)
    writer.write(chromaOffsets.isEmpty ? 0 : 1, 1)
    if !chromaOffsets.isEmpty { writeRangeExtension(&writer) }
    return writer.finished
  }

  private func writeRangeExtension(_ writer: inout BitWriter) {
    writer.write(0b1000_0000, 8)
    writer.write(0b01, 2)
    writer.unsigned(qpDeltaDepth)
    writer.unsigned(chromaOffsets.count - 1)
    for (cb, cr) in chromaOffsets {
      writer.signed(cb)
      writer.signed(cr)
    }
    writer.unsigned(0)
    writer.unsigned(0)
  }

  // MARK: Slice headers

  /// - Parameters:
  ///   - address: of the first tree block of the segment.
  ///   - substreamSizes: of all substreams but the last one.
  func header(_ slice: Slice, address: Int, isDependent: Bool, substreamSizes: [Int]) -> [UInt8] {
    var writer = BitWriter()
    writer.write(address == 0 ? 1 : 0, 1)
    writer.write(0, 1)
    writer.unsigned(0)
    if address > 0 {
      if hasDependentSegments { writer.write(isDependent ? 1 : 0, 1) }
      writer.address(address, of: columns * rows)
    }
    if !isDependent { write(slice, &writer) }
    if isTiled || isWavefront {
      writer.substreams(substreamSizes)
    }
    return writer.finished
  }

  private func write(_ slice: Slice, _ writer: inout BitWriter) {
    writer.unsigned(2)
    if hasSAO {
      writer.write(slice.isSAOLumaEnabled ? 1 : 0, 1)
      if chromaType > 0 { writer.write(slice.isSAOChromaEnabled ? 1 : 0, 1) }
    }
    writer.signed(slice.qp - 26)
    writer.signed(slice.cbOffset)
    writer.signed(slice.crOffset)
    if !chromaOffsets.isEmpty { writer.write(1, 1) }
    writer.write(1, 1)
    writer.write(slice.isDeblockingDisabled ? 1 : 0, 1)
    if !slice.isDeblockingDisabled {
      writer.signed(slice.betaOffset / 2)
      writer.signed(slice.tcOffset / 2)
    }
    if codesFiltersAcross(slice) { writer.write(slice.filtersAcross ? 1 : 0, 1) }
  }

  /// Whether a slice states if its borders at the left and at the top are filtered.
  func codesFiltersAcross(_ slice: Slice) -> Bool {
    filtersAcrossSlices && (slice.isSAOLumaEnabled || slice.isSAOChromaEnabled || !slice.isDeblockingDisabled)
  }

  /// A slice with parameters at random.
  func slice(at address: Int, _ noise: inout TestRandom) -> Slice {
    var slice = Slice(address: address)
    slice.qp = Int.random(in: 24...44, using: &noise)
    slice.cbOffset = Int.random(in: -4...4, using: &noise)
    slice.crOffset = Int.random(in: -4...4, using: &noise)
    slice.isSAOLumaEnabled = hasSAO && Int.random(in: 0...3, using: &noise) > 0
    slice.isSAOChromaEnabled = hasSAO && chromaType > 0 && Int.random(in: 0...3, using: &noise) > 0
    slice.isDeblockingDisabled = Int.random(in: 0...3, using: &noise) == 0
    slice.betaOffset = 2 * Int.random(in: -2...6, using: &noise)
    slice.tcOffset = 2 * Int.random(in: -2...6, using: &noise)
    slice.filtersAcross = codesFiltersAcross(slice) ? Bool.random(using: &noise) : filtersAcrossSlices
    return slice
  }
}
