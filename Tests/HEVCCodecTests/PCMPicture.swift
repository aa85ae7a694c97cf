// Pictures of samples that are coded as they are, with the division into slices, tiles and substreams that a test asks
// for: the expected samples are those that were written.

import TestSupport

/// Writes parameter sets, slice headers and PCM blocks of 16 × 16.
struct PCMPicture {
  var columns = 4
  var rows = 3
  /// 0 for monochrome, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
  var chromaType = 1
  var bitDepth = 8
  var pcmBitDepth = 8
  /// Columns and rows cut off at the right and at the bottom, in units of chroma samples.
  var crop = (right: 0, bottom: 0)
  /// The first columns and rows of tiles after the first, in blocks.
  var tileColumns: [Int] = []
  var tileRows: [Int] = []
  var isWavefront = false
  /// The places in decoding order where slices and dependent segments start, besides the first.
  var sliceStarts: [Int] = []
  var dependentStarts: [Int] = []
  var sliceType = 2
  /// `sps_range_extension` flags, the first one most significant; `nil` for no extension.
  var rangeFlags: UInt32?
  var hasSeparatePlanes = false

  private let blockSize = 16

  /// The planes before cropping.
  func planes(_ noise: inout TestRandom) -> [[UInt16]] {
    let maximum = UInt16((1 << pcmBitDepth) - 1)
    return (0..<(chromaType == 0 ? 1 : 3)).map { component in
      let (width, height) = size(component)
      return (0..<width * height).map { _ in
        UInt16.random(in: 0...maximum, using: &noise) << UInt16(bitDepth - pcmBitDepth)
      }
    }
  }

  func size(_ component: Int) -> (width: Int, height: Int) {
    let isHalfWidth = component > 0 && (chromaType == 1 || chromaType == 2)
    let isHalfHeight = component > 0 && chromaType == 1
    return (columns * blockSize / (isHalfWidth ? 2 : 1), rows * blockSize / (isHalfHeight ? 2 : 1))
  }

  /// Raster addresses in decoding order, and the tile of each.
  private var order: [(address: Int, tile: Int)] {
    tileOrder(columns: columns, rows: rows, tileColumns: tileColumns, tileRows: tileRows)
  }

  /// The byte stream.
  func stream(_ planes: [[UInt16]]) -> [UInt8] {
    var bytes = parameterSets
    let starts = ([0] + sliceStarts + dependentStarts).sorted()
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1] : columns * rows
      bytes += nalUnit(19, segment(start..<end, isDependent: dependentStarts.contains(start), planes))
    }
    return bytes
  }

  // MARK: Parameter sets

  /// The sequence and the picture parameter set.
  var parameterSets: [UInt8] { nalUnit(33, sequenceParameterSet) + nalUnit(34, pictureParameterSet) }

  /// The start of a slice of the whole picture, and too little data.
  var slice: [UInt8] { nalUnit(19, header(0, isDependent: false, []) + [0, 0, 0, 1]) }

  private var sequenceParameterSet: [UInt8] {
    var writer = BitWriter()
    writer.write(0, 4)
    writer.write(0, 3)
    writer.write(1, 1)
    for _ in 0..<12 { writer.write(0, 8) }
    writer.unsigned(0)
    writer.unsigned(chromaType)
    if chromaType == 3 { writer.write(hasSeparatePlanes ? 1 : 0, 1) }
    writer.unsigned(columns * blockSize)
    writer.unsigned(rows * blockSize)
    writer.write(1, 1)
    for value in [0, crop.right, 0, crop.bottom] { writer.unsigned(value) }
    writer.unsigned(bitDepth - 8)
    writer.unsigned(bitDepth - 8)
    writer.unsigned(0)
    writer.write(1, 1)
    for _ in 0..<3 { writer.unsigned(0) }
    // Blocks of 16, transforms of 4 to 16.
    for value in [1, 0, 0, 2, 0, 0] { writer.unsigned(value) }
    writer.write(0, 3)
    writer.write(1, 1)
    writer.write(pcmBitDepth - 1, 4)
    writer.write(pcmBitDepth - 1, 4)
    writer.unsigned(1)
    writer.unsigned(0)
    writer.write(1, 1)
    writer.unsigned(0)
    writer.write(0, 4)
    if let rangeFlags {
      writer.write(1, 1)
      writer.write(0b1000_0000, 8)
      writer.write(Int(rangeFlags), 9)
    } else {
      writer.write(0, 1)
    }
    return writer.finished
  }

  private var pictureParameterSet: [UInt8] {
    var writer = BitWriter()
    writer.unsigned(0)
    writer.unsigned(0)
    writer.write(dependentStarts.isEmpty ? 0 : 1, 1)
    writer.write(0, 6)
    writer.unsigned(0)
    writer.unsigned(0)
    writer.unsigned(0)
    writer.write(0, 3)
    writer.unsigned(0)
    writer.unsigned(0)
    writer.write(0, 4)
    let isTiled = !tileColumns.isEmpty || !tileRows.isEmpty
    writer.write(isTiled ? 1 : 0, 1)
    writer.write(isWavefront ? 1 : 0, 1)
    if isTiled { writer.tiles(columns: tileColumns, rows: tileRows, filtersAcross: true) }
    writer.write(1, 1)
    writer.write(0, 3)
    writer.unsigned(0)
    writer.write(0, 2)
    return writer.finished
  }

  // MARK: Slice segments

  private func segment(_ places: Range<Int>, isDependent: Bool, _ planes: [[UInt16]]) -> [UInt8] {
    let order = order
    var encoder = CABACEncoder(models: [0])
    var substreamSizes: [Int] = []
    for place in places {
      let address = order[place].address
      let isFirstInTile = place == 0 || order[place].tile != order[place - 1].tile
      let isFirstInRow = isWavefront && ([0] + tileColumns).contains(address % columns)
      if place > places.lowerBound, isFirstInTile || isFirstInRow {
        encoder.encodeTerminate(true)
        encoder.restart()
        substreamSizes.append(encoder.bytes.count - substreamSizes.reduce(0, +))
      }
      encoder.setModel(Self.model(after: binCount(before: place)), at: 0)
      encoder.encode(1, model: 0)
      encoder.encodeTerminate(true)
      encoder.restart(after: samples(address, planes))
      encoder.encodeTerminate(place + 1 == places.upperBound)
    }
    encoder.finish()
    return header(places.lowerBound, isDependent: isDependent, substreamSizes) + encoder.bytes
  }

  /// The model of part_mode after a number of bins of 1. At a quantization parameter of 26 it starts in state 0 with
  /// the more probable symbol 1.
  private static func model(after count: Int) -> Int { min(count, 62) * 2 + 1 }

  /// Returns the number of part_mode bins that have updated the state before a block.
  private func binCount(before place: Int) -> Int {
    let order = order
    let (address, tile) = order[place]
    if place == 0 || tile != order[place - 1].tile { return 0 }
    if isWavefront, ([0] + tileColumns).contains(address % columns) {
      let above = address - columns + 1
      guard above > 0, address % columns + 1 < columns, let other = order.firstIndex(where: { $0.address == above }),
        order[other].tile == tile, slice(of: other) == slice(of: place)
      else { return 0 }
      return binCount(before: other) + 1
    }
    return sliceStarts.contains(place) ? 0 : binCount(before: place - 1) + 1
  }

  private func slice(of place: Int) -> Int { sliceStarts.filter { $0 <= place }.max() ?? 0 }

  private func samples(_ address: Int, _ planes: [[UInt16]]) -> [UInt8] {
    var writer = BitWriter()
    for (component, plane) in planes.enumerated() {
      let (width, height) = size(component)
      let (blockWidth, blockHeight) = (width / columns, height / rows)
      for y in 0..<blockHeight {
        for x in 0..<blockWidth {
          let index = (address / columns * blockHeight + y) * width + address % columns * blockWidth + x
          writer.write(Int(plane[index]) >> (bitDepth - pcmBitDepth), pcmBitDepth)
        }
      }
    }
    writer.align()
    return writer.bytes
  }

  private func header(_ start: Int, isDependent: Bool, _ substreamSizes: [Int]) -> [UInt8] {
    var writer = BitWriter()
    writer.write(start == 0 ? 1 : 0, 1)
    writer.write(0, 1)
    writer.unsigned(0)
    if start > 0 {
      if !dependentStarts.isEmpty { writer.write(isDependent ? 1 : 0, 1) }
      writer.address(order[start].address, of: columns * rows)
    }
    if !isDependent {
      writer.unsigned(sliceType)
      writer.signed(0)
      writer.write(0, 1)
    }
    if !tileColumns.isEmpty || !tileRows.isEmpty || isWavefront {
      writer.substreams(substreamSizes)
    }
    return writer.finished
  }
}
