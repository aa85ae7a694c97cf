// The entropy-coded data of JPEG files, as lists of bits.

extension JPEGFile {
  /// An element of a scan.
  private enum Element {
    case bits([Bool])
    /// The end of a band, and the bits of the coefficients that are refined before it.
    case end([Bool])
    /// The end of the current run of bands.
    case reset
    case restart
  }

  /// Returns the bytes of a scan.
  func encode(_ scan: Scan, _ isProgressive: Bool, _ interval: Int, _ paddingBitCount: inout Int) -> [UInt8] {
    var output: [UInt8] = []
    var bits: [Bool] = []
    var run: [[Bool]] = []
    func endRun() {
      guard !run.isEmpty else { return }
      let size = Int.bitWidth - 1 - run.count.leadingZeroBitCount
      bits += code(size << 4, isAC: true) + Self.bits(run.count - 1 << size, size) + run.flatMap { $0 }
      run = []
    }
    func endInterval() {
      endRun()
      while bits.count % 8 != 0 {
        bits.append(padding.isEmpty || padding[paddingBitCount % padding.count])
        paddingBitCount += 1
      }
      for start in stride(from: 0, to: bits.count, by: 8) {
        let byte = bits[start..<start + 8].reduce(0) { $0 * 2 + ($1 ? 1 : 0) }
        output += byte == 255 ? [255, 0] : [UInt8(byte)]
      }
      bits = []
    }
    var restartCount = 0
    for element in elements(scan, isProgressive, interval) {
      switch element {
      case .bits(let more):
        if !more.isEmpty { endRun() }
        bits += more
      case .end(let corrections):
        run.append(corrections)
        if scan.start == 0 || !isProgressive || run.count == 32767 { endRun() }
      case .reset: endRun()
      case .restart:
        endInterval()
        output += [0xFF, UInt8(0xD0 + restartCount % 8)]
        restartCount += 1
      }
    }
    endInterval()
    return output
  }

  private func elements(_ scan: Scan, _ isProgressive: Bool, _ interval: Int) -> [Element] {
    var elements: [Element] = []
    var predictors = [Int](repeating: 0, count: components.count)
    for (place, unit) in units(scan).enumerated() {
      if interval > 0, place > 0, place % interval == 0 {
        elements.append(.restart)
        predictors = predictors.map { _ in 0 }
      }
      for (component, block, index) in unit {
        if scan.resetPoints.contains(index) { elements.append(.reset) }
        let values = components[component].blocks[block]
        let zeroRuns = scan.zeroRuns[index] ?? 0
        if !isProgressive || scan.high == 0 {
          let sent = values.map { $0 / (1 << scan.low) }
          if scan.start == 0 {
            // DC coefficients are rounded down.
            let value = Int((Double(values[0]) / Double(1 << scan.low)).rounded(.down))
            elements.append(.bits(number(value - predictors[component], zeros: 0, isAC: false)))
            predictors[component] = value
          }
          if scan.end > 0 { elements += band(Array(sent[max(1, scan.start)...scan.end]), zeroRuns) }
        } else {
          if scan.start == 0 { elements.append(.bits([values[0] >> scan.low & 1 == 1])) }
          if scan.end > 0 { elements += refinement(Array(values[max(1, scan.start)...scan.end]), scan.low) }
        }
      }
    }
    return elements
  }

  /// The MCUs of a scan: components, the indices of blocks in the component, and in the scan.
  private func units(_ scan: Scan) -> [[(component: Int, block: Int, index: Int)]] {
    var units: [[(Int, Int, Int)]] = []
    var index = 0
    if scan.components.count == 1 {
      let number = scan.components[0]
      let component = components[number]
      // The samples of the component, in blocks.
      let width = (self.width * component.horizontal + maximumHorizontal - 1) / maximumHorizontal
      let height = (self.height * component.vertical + maximumVertical - 1) / maximumVertical
      for y in 0..<(height + 7) / 8 {
        for x in 0..<(width + 7) / 8 {
          units.append([(number, y * columns * component.horizontal + x, index)])
          index += 1
        }
      }
      return units
    }
    for row in 0..<rows {
      for column in 0..<columns {
        var unit: [(Int, Int, Int)] = []
        for number in scan.components {
          let component = components[number]
          for y in 0..<component.vertical {
            for x in 0..<component.horizontal {
              let place = (row * component.vertical + y) * columns * component.horizontal
              unit.append((number, place + column * component.horizontal + x, index))
              index += 1
            }
          }
        }
        units.append(unit)
      }
    }
    return units
  }

  private func code(_ symbol: Int, isAC: Bool) -> [Bool] {
    huffman.first { $0.isAC == isAC }?.code(symbol) ?? []
  }

  /// The size of a number, after zeros, and its bits.
  private func number(_ value: Int, zeros: Int, isAC: Bool) -> [Bool] {
    let size = Int.bitWidth - abs(value).leadingZeroBitCount
    return code(zeros << 4 | size, isAC: isAC) + Self.bits(value > 0 ? value : value + 1 << size - 1, size)
  }

  /// A band whose coefficients are sent for the first time.
  private func band(_ values: [Int], _ zeroRuns: Int) -> [Element] {
    var bits: [Bool] = []
    var start = 0
    for (index, value) in values.enumerated() where value != 0 {
      let zeros = index - start
      for _ in 0..<zeros / 16 { bits += code(0xF0, isAC: true) }
      bits += number(value, zeros: zeros % 16, isAC: true)
      start = index + 1
    }
    for _ in 0..<zeroRuns { bits += code(0xF0, isAC: true) }
    return [.bits(bits)] + (values.count - start > 16 * zeroRuns ? [.end([])] : [])
  }

  /// The next bit of the coefficients of a band.
  private func refinement(_ values: [Int], _ low: Int) -> [Element] {
    let magnitudes = values.map { abs($0) >> low }
    var bits: [Bool] = []
    var (zeros, corrections): (Int, [Bool]) = (0, [])
    let last = magnitudes.lastIndex(of: 1) ?? -1
    for (index, magnitude) in magnitudes.enumerated() {
      switch magnitude {
      case 0:
        zeros += 1
        if zeros == 16, index < last {
          bits += code(0xF0, isAC: true) + corrections
          (zeros, corrections) = (0, [])
        }
      case 1:
        bits += code(zeros << 4 | 1, isAC: true) + [values[index] > 0] + corrections
        (zeros, corrections) = (0, [])
      default: corrections.append(magnitude % 2 == 1)
      }
    }
    return [.bits(bits)] + (zeros > 0 || !corrections.isEmpty ? [.end(corrections)] : [])
  }
}
