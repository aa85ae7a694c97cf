// Run-length coding: RLE8 and RLE4 of Windows, RLE24 of OS/2. Pixels that the codes leave out are transparent, as in
// browsers.

internal import ImageCoding

/// Decodes runs row by row, in the order in which rows are stored.
struct RunLengthRows: Sendable {
  /// The outcome of a call.
  enum Outcome {
    /// More input is needed.
    case needsInput
    /// The row is complete: its pixels are in ``row``.
    case row
    /// The bitmap ends. Rows that remain are transparent.
    case end
  }

  private let bits: Int
  /// The number of columns.
  let width: Int
  private let height: Int
  /// Red, green and blue of 256 colours.
  private let colors: [UInt8]
  private let colorCount: Int
  /// The pixels of the current row in the format `rgba8`.
  private(set) var row: [UInt8]
  private var x = 0
  private var y = 0
  /// The number of transparent rows that a delta code has requested.
  private var skippedRowCount = 0
  /// The column at which the row after skipped rows continues.
  private var nextX = 0
  private var isRowStale = false
  private var isEnded = false
  /// The violations of the format since the last call of ``takeDefects()``, one of each kind, with the offset of a code.
  private var defects: [(reason: String, byteOffset: Int)] = []

  /// The work units for a code and for a pixel.
  private static let (workPerCode, workPerPixel) = (4, 3)

  /// Creates a decoder. The row is charged to the budget.
  init(
    _ header: BMPHeader, height: Int, palette: BMPPalette, budget: inout ResourceBudget
  ) throws(CodecError) {
    bits = header.bitsPerPixel
    width = header.width
    self.height = height
    colors = palette.colors
    colorCount = palette.count
    try budget.allocate(count: width, bytesEach: 4)
    row = [UInt8](repeating: 0, count: width * 4)
  }

  /// Decodes to the end of a row.
  ///
  /// - Parameters:
  ///   - bytes: the input from `baseOffset`.
  ///   - position: the index of the next code; moved past the codes that have been decoded.
  mutating func next(
    _ bytes: Span<UInt8>, position: inout Int, baseOffset: Int, isFinal: Bool, budget: inout ResourceBudget
  ) throws(CodecError) -> Outcome {
    if isEnded || y >= height { return .end }
    if isRowStale { clearRow() }
    if skippedRowCount > 0 {
      skippedRowCount -= 1
      if skippedRowCount == 0 { x = nextX }
      return try endRow(&budget)
    }
    while position + 2 <= bytes.count {
      let offset = baseOffset + position
      try budget.chargeWork(Self.workPerCode, byteOffset: offset)
      let (count, code) = (Int(bytes[position]), Int(bytes[position + 1]))
      if count > 0 {
        guard try takeRun(bytes, count: count, &position, offset: offset, &budget) else { return .needsInput }
        continue
      }
      switch code {
      case 0:
        position += 2
        x = 0
        return try endRow(&budget)
      case 1:
        position += 2
        isEnded = true
        return try endRow(&budget)
      case 2:
        guard position + 4 <= bytes.count else { return .needsInput }
        let (right, down) = (Int(bytes[position + 2]), Int(bytes[position + 3]))
        position += 4
        if x + right > width { note("a delta leads outside the row", offset) }
        x = min(width, x + right)
        if down == 0 { continue }
        if y + down > height { note("a delta leads outside the image", offset) }
        // The rest of this row and the rows between are transparent.
        skippedRowCount = down - 1
        nextX = x
        if skippedRowCount > 0 { x = 0 }
        return try endRow(&budget)
      default:
        guard try takePixels(bytes, count: code, &position, offset: offset, isFinal: isFinal, &budget) else {
          return .needsInput
        }
      }
    }
    return .needsInput
  }

  /// Returns the violations of the format since the last call.
  mutating func takeDefects() -> [(reason: String, byteOffset: Int)] {
    defer { defects = [] }
    return defects
  }

  /// The pixels of a row in which the input ends.
  var partialRow: [UInt8]? { x > 0 && !isRowStale ? row : nil }

  private mutating func endRow(_ budget: inout ResourceBudget) throws(CodecError) -> Outcome {
    try budget.chargeWork(count: width, unitsEach: 2)
    y += 1
    isRowStale = true
    return .row
  }

  private mutating func clearRow() {
    isRowStale = false
    var pixels = row.mutableSpan
    for index in pixels.indices { pixels[index] = 0 }
  }

  private mutating func note(_ reason: String, _ byteOffset: Int) {
    if !defects.contains(where: { $0.reason == reason }) { defects.append((reason, byteOffset)) }
  }

  /// Repeats one pixel, or two in turn with four bits. Returns `false` if more input is needed.
  private mutating func takeRun(
    _ bytes: Span<UInt8>, count: Int, _ position: inout Int, offset: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Bool {
    let codeByteCount = bits == 24 ? 4 : 2
    guard position + codeByteCount <= bytes.count else { return false }
    let start = position + 1
    position += codeByteCount
    if count > width - x { note("a run exceeds the row", offset) }
    let end = min(width, x + count)
    try budget.chargeWork((end - x) * Self.workPerPixel, byteOffset: offset)
    if bits == 24 {
      while x < end { put(red: bytes[start + 2], green: bytes[start + 1], blue: bytes[start]) }
    } else if bits == 8 {
      let index = Int(bytes[start])
      check(index, offset)
      while x < end { put(index) }
    } else {
      let (first, second) = (Int(bytes[start] >> 4), Int(bytes[start] & 15))
      check(first, offset)
      if count > 1 { check(second, offset) }
      var isFirst = true
      while x < end {
        put(isFirst ? first : second)
        isFirst.toggle()
      }
    }
    return true
  }

  /// Copies pixels. Returns `false` if more input is needed; at the end of the input those present are copied.
  private mutating func takePixels(
    _ bytes: Span<UInt8>, count: Int, _ position: inout Int, offset: Int, isFinal: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Bool {
    let byteCount = (count * bits + 7) / 8
    let paddedByteCount = (byteCount + 1) & ~1
    let start = position + 2
    let available = bytes.count - start
    var count = count
    if available < byteCount {
      guard isFinal else { return false }
      count = min(count, available * 8 / bits)
    }
    guard available >= paddedByteCount || isFinal else { return false }
    let isWhole = available >= byteCount
    position = min(bytes.count, start + paddedByteCount)
    if count > width - x { note("pixels exceed the row", offset) }
    let pixelCount = min(count, width - x)
    try budget.chargeWork(count * Self.workPerPixel, byteOffset: offset)
    for place in 0..<pixelCount {
      if bits == 24 {
        let pixel = start + place * 3
        put(red: bytes[pixel + 2], green: bytes[pixel + 1], blue: bytes[pixel])
      } else {
        let byte = bytes[bits == 8 ? start + place : start + place / 2]
        let index = bits == 8 ? Int(byte) : place & 1 == 0 ? Int(byte >> 4) : Int(byte & 15)
        check(index, offset)
        put(index)
      }
    }
    return isWhole
  }

  private mutating func check(_ index: Int, _ offset: Int) {
    if index >= colorCount { note("a pixel's index has no entry in the palette", offset) }
  }

  @inline(__always)
  private mutating func put(_ index: Int) {
    put(red: colors[index * 3], green: colors[index * 3 + 1], blue: colors[index * 3 + 2])
  }

  @inline(__always)
  private mutating func put(red: UInt8, green: UInt8, blue: UInt8) {
    let position = x &* 4
    row[position] = red
    row[position &+ 1] = green
    row[position &+ 2] = blue
    row[position &+ 3] = 255
    x &+= 1
  }
}
