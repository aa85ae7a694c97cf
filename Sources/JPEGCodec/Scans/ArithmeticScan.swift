// Scans of arithmetic-coded images: decodes decisions to buffered coefficients. ITU-T T.81, sections F.1.4, F.2.4 and
// G.1.3.

internal import ImageCoding

/// The conditioning of the estimates, as set by DAC segments. ITU-T T.81, section B.2.4.3.
struct ArithmeticConditioning {
  /// The bounds of small DC differences (L), by destination.
  var lowerBounds = [0, 0, 0, 0]
  /// The bounds of large DC differences (U), by destination.
  var upperBounds = [1, 1, 1, 1]
  /// The last low-frequency AC coefficient (Kx), by destination.
  var lowFrequencyEnds = [5, 5, 5, 5]

  /// Parses a DAC segment.
  mutating func parseSegment(_ reader: inout ByteReader) throws(CodecError) {
    while reader.remaining >= 2 {
      let head = Int(try reader.readUInt8())
      let value = Int(try reader.readUInt8())
      guard head & 15 < 4, head >> 4 < 2 else {
        throw reader.error(.malformed, "an arithmetic conditioning destination is not 0…3 or its class not 0…1")
      }
      if head >> 4 == 1 {
        lowFrequencyEnds[head & 15] = value
      } else {
        guard value & 15 <= value >> 4 else { throw reader.error(.malformed, "arithmetic bounds are out of order") }
        lowerBounds[head & 15] = value & 15
        upperBounds[head & 15] = value >> 4
      }
    }
  }
}

/// Decodes one arithmetic-coded scan to coefficient planes.
struct ArithmeticScan {
  let header: ScanHeader
  let frame: FrameHeader
  let conditioning: ArithmeticConditioning
  private var reader = ArithmeticReader(position: 0)
  /// The estimates: for each destination 64 for DC and 256 for AC, followed by the fixed one.
  private var estimates = [UInt8](repeating: 0, count: fixedEstimate) + [ArithmeticProbability.fixed]
  private var predictions: [Int32] = [0, 0, 0, 0]
  /// The index of the estimates for the next DC difference, for each component of the scan.
  private var contexts = [0, 0, 0, 0]
  /// The number of decisions that have not been charged.
  private var decisionCount = 0
  private let states = ArithmeticProbability.states

  private static let fixedEstimate = 4 * (64 + 256)
  /// The work of a decision. A block may take hundreds of them without any data.
  private static let workPerDecision = 6

  init(header: ScanHeader, frame: FrameHeader, conditioning: ArithmeticConditioning) {
    self.header = header
    self.frame = frame
    self.conditioning = conditioning
  }

  /// Decodes all MCUs. Damage is not detectable in the code itself, only from missing restart markers or the end of the
  /// input.
  mutating func decode(
    _ cursor: inout ScanCursor, _ bytes: Span<UInt8>, _ geometry: BufferedScan,
    into planes: inout CoefficientPlanes, lost: inout LostUnits, budget: inout ResourceBudget
  ) throws(CodecError) {
    let layout = planes.planes
    var coefficients = planes.coefficients.mutableSpan
    reader = ArithmeticReader(position: cursor.reader.position)
    var chargedPosition = reader.position
    for row in 0..<geometry.mcuRowCount {
      try budget.chargeWork(geometry.workPerRow)
      try budget.chargeWork(count: decisionCount, unitsEach: Self.workPerDecision)
      try budget.chargeWork(count: reader.position - chargedPosition, unitsEach: BufferedDecoding.workPerByte)
      decisionCount = 0
      chargedPosition = reader.position
      for column in 0..<geometry.mcusPerRow {
        if cursor.isLost || cursor.restarts.isDue {
          cursor.reader.position = reader.position
          let boundary = cursor.passBoundary(bytes, isFinal: true)
          reader = ArithmeticReader(position: cursor.reader.position)
          if cursor.hasEnded {
            lost.append(cursor.mcu..<geometry.mcusPerRow * geometry.mcuRowCount)
            return
          }
          if case .lost = boundary {
            lost.append(cursor.mcu)
            cursor.advance()
            continue
          }
          resetStatistics()
        }
        for block in geometry.tables.blocks {
          let start = layout[block.component].block(
            row: row * block.rowCount + block.row, column: column * block.columnCount + block.column)
          var target = coefficients._mutatingExtracting(start..<start + 64)
          decodeBlock(block, bytes, &target)
        }
        if reader.reachedEndOfInput {
          cursor.reader.position = bytes.count
          cursor.hasEnded = true
          lost.append(cursor.mcu..<geometry.mcusPerRow * geometry.mcuRowCount)
          return
        }
        cursor.advance()
      }
    }
    cursor.reader.position = reader.position
  }

  /// Starts an interval. In place, since there may be an interval for each MCU.
  private mutating func resetStatistics() {
    for index in 0..<Self.fixedEstimate { estimates[index] = 0 }
    for slot in 0..<4 { (predictions[slot], contexts[slot]) = (0, 0) }
  }

  @inline(__always)
  private mutating func decide(_ index: Int, _ bytes: Span<UInt8>) -> Bool {
    decisionCount &+= 1
    return reader.decide(&estimates, at: index, states, bytes)
  }

  private mutating func decodeBlock(
    _ block: ScanTables.Block, _ bytes: Span<UInt8>, _ target: inout MutableSpan<Int16>
  ) {
    let component = header.components[block.slot]
    let low = Int32(header.approximationLow)
    if header.codesDC {
      if header.isRefinement {
        if decide(Self.fixedEstimate, bytes) { target[0] |= 1 << Int16(low) }
      } else {
        let prediction = predictions[block.slot] &+ readDifference(block.slot, component.dcTable & 3, bytes)
        predictions[block.slot] = prediction
        target[0] = Int16(truncatingIfNeeded: prediction &<< low)
      }
    }
    guard header.spectralSelectionEnd > 0 else { return }
    if header.isRefinement {
      refineCoefficients(component.acTable & 3, bytes, &target)
    } else {
      readCoefficients(component.acTable & 3, bytes, &target)
    }
  }

  /// Section F.1.4.1: zero, sign, category, magnitude.
  private mutating func readDifference(_ slot: Int, _ destination: Int, _ bytes: Span<UInt8>) -> Int32 {
    let base = destination * 64
    let context = base + contexts[slot]
    guard decide(context, bytes) else {
      contexts[slot] = 0
      return 0
    }
    let isNegative = decide(context + 1, bytes)
    var index = context + 2 + (isNegative ? 1 : 0)
    var magnitude: Int32 = decide(index, bytes) ? 1 : 0
    if magnitude != 0 {
      index = base + 20
      while magnitude < 0x4000, decide(index, bytes) {
        magnitude <<= 1
        index += 1
      }
    }
    let sign = isNegative ? 4 : 0
    if magnitude < (1 << Int32(conditioning.lowerBounds[destination])) >> 1 {
      contexts[slot] = 0
    } else if magnitude > (1 << Int32(conditioning.upperBounds[destination])) >> 1 {
      contexts[slot] = 12 + sign
    } else {
      contexts[slot] = 4 + sign
    }
    let value = readMagnitude(magnitude, index + 14, bytes)
    return isNegative ? -value : value
  }

  /// Reads the bits below the leading one, and adds 1, because magnitudes count from 1.
  private mutating func readMagnitude(_ leading: Int32, _ index: Int, _ bytes: Span<UInt8>) -> Int32 {
    var value = leading
    var bit = leading >> 1
    while bit > 0 {
      if decide(index, bytes) { value |= bit }
      bit >>= 1
    }
    return value + 1
  }

  /// Section F.1.4.2: for each coefficient, end of block, zero, sign, category, magnitude.
  private mutating func readCoefficients(
    _ destination: Int, _ bytes: Span<UInt8>, _ target: inout MutableSpan<Int16>
  ) {
    let base = 4 * 64 + destination * 256
    let end = header.spectralSelectionEnd
    var place = max(header.spectralSelectionStart, 1)
    while place <= end {
      if decide(base + 3 * (place - 1), bytes) { return }
      while !decide(base + 3 * (place - 1) + 1, bytes) {
        place += 1
        // Past the end of the block: the data is damaged.
        if place > end { return }
      }
      let isNegative = decide(Self.fixedEstimate, bytes)
      var index = base + 3 * (place - 1) + 2
      var magnitude: Int32 = decide(index, bytes) ? 1 : 0
      if magnitude != 0, decide(index, bytes) {
        magnitude = 2
        index = base + (place <= conditioning.lowFrequencyEnds[destination] ? 189 : 217)
        while magnitude < 0x4000, decide(index, bytes) {
          magnitude <<= 1
          index += 1
        }
      }
      let value = readMagnitude(magnitude, index + 14, bytes)
      target[place] = Int16(truncatingIfNeeded: (isNegative ? -value : value) &<< Int32(header.approximationLow))
      place += 1
    }
  }

  /// Section G.1.3.3.
  private mutating func refineCoefficients(
    _ destination: Int, _ bytes: Span<UInt8>, _ target: inout MutableSpan<Int16>
  ) {
    let base = 4 * 64 + destination * 256
    let end = header.spectralSelectionEnd
    let bit: Int16 = 1 << Int16(header.approximationLow)
    let before = nonzeroCoefficients(target.span) & (UInt64.max >> UInt64(63 - end))
    // The last nonzero coefficient from earlier scans; the block cannot end before it.
    let lastBefore = 63 - (before | 1).leadingZeroBitCount
    var place = header.spectralSelectionStart
    while place <= end {
      if place > lastBefore, decide(base + 3 * (place - 1), bytes) { return }
      while true {
        let index = base + 3 * (place - 1)
        let old = target[place]
        if old != 0 {
          if decide(index + 2, bytes) { target[place] = old < 0 ? old &- bit : old &+ bit }
          break
        }
        if decide(index + 1, bytes) {
          target[place] = decide(Self.fixedEstimate, bytes) ? -bit : bit
          break
        }
        place += 1
        if place > end { return }
      }
      place += 1
    }
  }
}
