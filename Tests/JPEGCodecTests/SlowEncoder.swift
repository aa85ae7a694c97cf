// A slow and obvious encoder of blocks, by which decoders are tested.

import JPEGCodec
import Testing

/// Writes codes bit by bit, stuffed. ITU-T T.81, sections C.2 and F.1.2.
struct BitWriter {
  var bytes: [UInt8] = []
  private var bits: [Bool] = []

  mutating func append(_ value: Int, count: Int) {
    for position in (0..<count).reversed() { bits.append(value >> position & 1 == 1) }
    while bits.count >= 8 {
      let byte = bits.prefix(8).reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
      bits.removeFirst(8)
      bytes.append(byte)
      if byte == 0xFF { bytes.append(0) }
    }
  }

  mutating func finish() -> [UInt8] {
    while !bits.isEmpty { append(1, count: 1) }
    return bytes
  }
}

/// Codes of all symbols, counted up length by length.
func codes(_ table: HuffmanTable) -> [UInt8: (code: Int, length: Int)] {
  var result: [UInt8: (code: Int, length: Int)] = [:]
  var code = 0
  var place = 0
  for length in 1...16 {
    for _ in 0..<table.counts[length - 1] {
      result[table.symbols[place]] = (code, length)
      code += 1
      place += 1
    }
    code <<= 1
  }
  return result
}

/// The number of extra bits of a value and the bits themselves.
func extraBits(_ value: Int) -> (size: Int, bits: Int) {
  var size = 0
  while abs(value) >> size != 0 { size += 1 }
  return (size, value < 0 ? value + (1 << size) - 1 : value)
}

extension BitWriter {
  /// Writes a block of a sequential scan; its first value is the difference of DC.
  mutating func write(
    _ block: [Int], _ dcCodes: [UInt8: (code: Int, length: Int)], _ acCodes: [UInt8: (code: Int, length: Int)]
  ) throws {
    func put(_ symbol: Int, _ codes: [UInt8: (code: Int, length: Int)]) throws {
      let code = try #require(codes[UInt8(symbol)])
      append(code.code, count: code.length)
    }
    let dc = extraBits(block[0])
    try put(dc.size, dcCodes)
    append(dc.bits, count: dc.size)
    try writeAC(block.dropFirst(), acCodes)
  }

  /// Writes AC coefficients of a block; of none of them, nothing.
  mutating func writeAC(_ values: some Sequence<Int>, _ acCodes: [UInt8: (code: Int, length: Int)]) throws {
    func put(_ symbol: Int, _ codes: [UInt8: (code: Int, length: Int)]) throws {
      let code = try #require(codes[UInt8(symbol)])
      append(code.code, count: code.length)
    }
    var run = 0
    for value in values {
      if value == 0 {
        run += 1
        continue
      }
      while run > 15 {
        try put(0xF0, acCodes)
        run -= 16
      }
      let extra = extraBits(value)
      try put(run << 4 | extra.size, acCodes)
      append(extra.bits, count: extra.size)
      run = 0
    }
    if run > 0 { try put(0, acCodes) }
  }
}

/// A baseline file of one component with the standard tables and steps of 1, whose blocks are these.
func grayFile(width: Int, height: Int, blocks: [[Int]]) throws -> [UInt8] {
  let dc = codes(try #require(HuffmanTable.standardDC(0)))
  let ac = codes(try #require(HuffmanTable.standardAC(0)))
  let file = grayHeader(0xC0, width: width, height: height) + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
  var writer = BitWriter()
  var previous = 0
  for block in blocks {
    try writer.write([block[0] - previous] + block.dropFirst(), dc, ac)
    previous = block[0]
  }
  return file + writer.finish() + [0xFF, 0xD9]
}

/// A progressive file of one component: a scan of DC, then one of the zigzag indices 1…`last` where there are any.
func progressiveGrayFile(width: Int, height: Int, blocks: [[Int]], last: Int) throws -> [UInt8] {
  let dc = codes(try #require(HuffmanTable.standardDC(0)))
  let ac = codes(try #require(HuffmanTable.standardAC(0)))
  var file = grayHeader(0xC2, width: width, height: height) + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0]
  var writer = BitWriter()
  var previous = 0
  for block in blocks {
    try writer.write([block[0] - previous], dc, ac)
    previous = block[0]
  }
  file += writer.finish()
  if last > 0 {
    file += [0xFF, 0xDA, 0, 8, 1, 1, 0, 1, UInt8(last), 0]
    writer = BitWriter()
    for block in blocks { try writer.writeAC(block[1...last], ac) }
    file += writer.finish()
  }
  return file + [0xFF, 0xD9]
}

/// SOI, steps of 1, and the frame header of one component.
private func grayHeader(_ marker: UInt8, width: Int, height: Int) -> [UInt8] {
  var file: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
  file += [0xFF, marker, 0, 11, 8, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)]
  return file + [1, 1, 0x11, 0]
}

/// A baseline file of three components, luma of four blocks an MCU (4:2:0) or of one, with a restart marker after every
/// `interval` MCUs of 16 × 16 or 8 × 8 pixels.
func colorFile(
  width: Int, height: Int, halvesChroma: Bool, interval: Int, nextBlock: () -> [Int]
) throws -> [UInt8] {
  let dc = codes(try #require(HuffmanTable.standardDC(0)))
  let ac = codes(try #require(HuffmanTable.standardAC(0)))
  var file: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
  file += [0xFF, 0xDD, 0, 4, UInt8(interval >> 8), UInt8(interval & 255)]
  file += [0xFF, 0xC0, 0, 17, 8, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255), 3]
  file += [1, halvesChroma ? 0x22 : 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
  file += [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0]
  let mcuSize = halvesChroma ? 16 : 8
  let mcuCount = ((width + mcuSize - 1) / mcuSize) * ((height + mcuSize - 1) / mcuSize)
  let slots = halvesChroma ? [0, 0, 0, 0, 1, 2] : [0, 1, 2]
  var writer = BitWriter()
  var previous = [0, 0, 0]
  for mcu in 0..<mcuCount {
    if mcu > 0, mcu % interval == 0 {
      file += writer.finish() + [0xFF, UInt8(0xD0 + (mcu / interval - 1) % 8)]
      writer = BitWriter()
      previous = [0, 0, 0]
    }
    for slot in slots {
      let block = nextBlock()
      try writer.write([block[0] - previous[slot]] + block.dropFirst(), dc, ac)
      previous[slot] = block[0]
    }
  }
  return file + writer.finish() + [0xFF, 0xD9]
}
