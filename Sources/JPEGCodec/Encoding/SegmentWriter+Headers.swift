// The segments that describe an image: tables, frame and scan headers. ITU-T T.81, section B.2.

internal import ImageCoding

extension SegmentWriter {
  /// Appends a DQT segment with one table.
  mutating func append(_ table: QuantizationTable, at destination: Int) {
    let isWide = table.isWide
    var content = [UInt8(destination) | (isWide ? 0x10 : 0)]
    for step in table.steps {
      if isWide { content.append(UInt8(truncatingIfNeeded: step >> 8)) }
      content.append(UInt8(truncatingIfNeeded: step))
    }
    append(.defineQuantizationTables, content)
  }

  /// Appends a DHT segment with one table.
  mutating func append(_ table: HuffmanTable, isAC: Bool, at destination: Int) {
    append(.defineHuffmanTables, [UInt8(destination) | (isAC ? 0x10 : 0)] + table.counts + table.symbols)
  }

  /// Appends an SOFn segment.
  mutating func append(_ frame: EncodingFrame, marker: Marker) {
    func halves(_ value: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)] }
    var content = [8] + halves(frame.height) + halves(frame.width) + [UInt8(frame.components.count)]
    for component in frame.components {
      content.append(component.identifier)
      content.append(UInt8(component.horizontalFactor << 4 | component.verticalFactor))
      content.append(UInt8(component.quantizationTable))
    }
    append(marker, content)
  }

  /// Appends a DRI segment.
  mutating func append(restartInterval: Int) {
    append(
      .defineRestartInterval,
      [UInt8(truncatingIfNeeded: restartInterval >> 8), UInt8(truncatingIfNeeded: restartInterval)])
  }

  /// Appends an SOS segment. Tables that the scan does not use have destination 0.
  mutating func append(_ scan: ScanDescription, of frame: EncodingFrame, isProgressive: Bool) {
    var content = [UInt8(scan.components.count)]
    for index in scan.components {
      let component = frame.components[index]
      let usesDC = !isProgressive || (scan.start == 0 && scan.high == 0)
      let usesAC = !isProgressive || scan.start > 0
      content.append(component.identifier)
      content.append(UInt8((usesDC ? component.table : 0) << 4 | (usesAC ? component.table : 0)))
    }
    content += [UInt8(scan.start), UInt8(scan.end), UInt8(scan.high << 4 | scan.low)]
    append(.startOfScan, content)
  }
}
