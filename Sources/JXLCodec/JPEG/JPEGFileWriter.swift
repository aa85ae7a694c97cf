// The segments of a JPEG file, in the order of its markers (ITU-T T.81, annex B).

internal import ImageCoding

/// Writes a JPEG file from its structure, its stored segments and its coefficients.
struct JPEGFileWriter {
  private let structure: JPEGStructure
  private let contents: JPEGSegmentContents
  private let coefficients: JPEGCoefficients
  /// The size of the image in pixels.
  private let size: PixelSize
  private var encoder = JPEGBlockEncoder(JPEGOutput())
  private var padding: JPEGPadding?
  private var isProgressive = false
  private var hasRestarts = false
  /// The numbers of the elements of each kind that have been written.
  private var position = Position()

  private struct Position {
    var application = 0
    var comment = 0
    var gap = 0
    var quantizationTable = 0
    var huffmanTable = 0
    var scan = 0
  }

  init(
    _ structure: JPEGStructure, _ contents: JPEGSegmentContents, _ coefficients: JPEGCoefficients, size: PixelSize
  ) throws(CodecError) {
    guard max(size.width, size.height) <= 65535 else {
      throw CodecError(malformed: "the frame is larger than a JPEG image can be")
    }
    (self.structure, self.contents, self.coefficients, self.size) = (structure, contents, coefficients, size)
    padding = structure.padding
  }

  /// Returns the bytes of the file, which are charged.
  consuming func write(budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    try encoder.output.append([0xFF, JPEGMarker.start], &budget)
    for marker in structure.markers {
      try budget.chargeWork(1000)
      try write(marker, &budget)
    }
    guard position.huffmanTable == structure.huffmanTables.count else {
      throw CodecError(malformed: "the JPEG file has more Huffman tables than its segments")
    }
    guard padding?.isAtEnd != false else {
      throw CodecError(malformed: "the JPEG file has more padding bits than its scans")
    }
    try encoder.output.append(contents.tail, &budget)
    encoder.finish(&budget)
    return encoder.output.finish()
  }

  private mutating func write(_ marker: UInt8, _ budget: inout ResourceBudget) throws(CodecError) {
    switch marker {
    case JPEGMarker.application:
      try encoder.output.append([0xFF] + contents.applications[position.application], &budget)
      position.application += 1
    case JPEGMarker.comment:
      try encoder.output.append([0xFF] + contents.comments[position.comment], &budget)
      position.comment += 1
    case JPEGMarker.gap:
      try encoder.output.append(contents.gaps[position.gap], &budget)
      position.gap += 1
    case JPEGMarker.quantizationTables: try writeQuantizationTables(&budget)
    case JPEGMarker.huffmanTables: try writeHuffmanTables(&budget)
    case JPEGMarker.restartInterval:
      hasRestarts = true
      try writeSegment(marker, Self.bytes(structure.restartInterval), &budget)
    case JPEGMarker.frames:
      isProgressive = marker == JPEGMarker.progressiveFrame
      try writeFrameHeader(marker, &budget)
    case JPEGMarker.scan: try writeScan(&budget)
    default: try encoder.output.append([0xFF, marker], &budget)
    }
  }

  private mutating func writeSegment(
    _ marker: UInt8, _ content: [UInt8], _ budget: inout ResourceBudget
  ) throws(CodecError) {
    try encoder.output.append([0xFF, marker] + Self.bytes(content.count + 2) + content, &budget)
  }

  private static func bytes(_ value: Int) -> [UInt8] { UInt16(truncatingIfNeeded: value).bigEndianBytes }

  private mutating func writeFrameHeader(_ marker: UInt8, _ budget: inout ResourceBudget) throws(CodecError) {
    var content = [8] + Self.bytes(size.height) + Self.bytes(size.width)
    content.append(UInt8(structure.components.count))
    for (component, channel) in zip(structure.components, coefficients.channels) {
      let factors = coefficients.horizontalFactors[channel] << 4 | coefficients.verticalFactors[channel]
      let table = structure.quantizationTables[component.table]
      content += [component.identifier, UInt8(factors), UInt8(table.destination)]
    }
    try writeSegment(marker, content, &budget)
  }

  private mutating func writeQuantizationTables(_ budget: inout ResourceBudget) throws(CodecError) {
    var (content, isLast): ([UInt8], Bool) = ([], false)
    while !isLast {
      guard position.quantizationTable < structure.quantizationTables.count else {
        throw CodecError(malformed: "the JPEG file has fewer quantisation tables than its segments")
      }
      let table = structure.quantizationTables[position.quantizationTable]
      content.append((table.is16Bit ? 0x10 : 0) | UInt8(table.destination))
      for value in values(ofTable: position.quantizationTable) {
        content += Self.bytes(Int(value)).suffix(table.is16Bit ? 2 : 1)
      }
      position.quantizationTable += 1
      isLast = table.isLast
    }
    try writeSegment(JPEGMarker.quantizationTables, content, &budget)
  }

  /// The values of a table: those of a component that uses it, or of the table before it if none does. The first table
  /// is used.
  private func values(ofTable index: Int) -> [Int32] {
    let used = (0...index).reversed().compactMap { index in
      structure.components.firstIndex { $0.table == index }
    }
    return coefficients.tables[coefficients.channels[used.first ?? 0]]
  }

  private mutating func writeHuffmanTables(_ budget: inout ResourceBudget) throws(CodecError) {
    var (content, isLast): ([UInt8], Bool) = ([], false)
    while !isLast {
      guard position.huffmanTable < structure.huffmanTables.count else {
        throw CodecError(malformed: "the JPEG file has fewer Huffman tables than its segments")
      }
      let table = structure.huffmanTables[position.huffmanTable]
      content.append((table.isAC ? 0x10 : 0) | UInt8(table.destination))
      content += table.counts + table.symbols
      let start = ((table.isAC ? 4 : 0) + table.destination) << 8
      encoder.codes.replaceSubrange(start..<start + 256, with: table.codes)
      position.huffmanTable += 1
      isLast = table.isLast
    }
    try writeSegment(JPEGMarker.huffmanTables, content, &budget)
  }

  private mutating func writeScan(_ budget: inout ResourceBudget) throws(CodecError) {
    let scan = structure.scans[position.scan]
    position.scan += 1
    var content = [UInt8(scan.components.count)]
    for component in scan.components {
      content += [structure.components[component.index].identifier, UInt8(component.dcTable << 4 | component.acTable)]
    }
    content += [UInt8(scan.start), UInt8(scan.end), UInt8(scan.high << 4 | scan.low)]
    try writeSegment(JPEGMarker.scan, content, &budget)
    let scanEncoder = try JPEGScanEncoder(
      scan, coefficients, size, isProgressive: isProgressive,
      restartInterval: hasRestarts ? structure.restartInterval : 0)
    try scanEncoder.encode(to: &encoder, &padding, &budget)
  }
}
