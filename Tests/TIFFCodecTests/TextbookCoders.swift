// LZW and Group 4 as their specifications describe them, one code and one pixel at a time.

import TIFFCodec

/// Reads bits, the most significant first.
struct SlowBits {
  var bits: [Bool]
  var position = 0

  init(_ bytes: [UInt8]) {
    bits = bytes.flatMap { byte in (0..<8).map { byte >> UInt8(7 - $0) & 1 == 1 } }
  }

  /// Reads bits up to a code of the list, and returns its index.
  mutating func code(of codes: [String]) -> Int? {
    var text = ""
    while position < bits.count, text.count < 14 {
      text += bits[position] ? "1" : "0"
      position += 1
      if let index = codes.firstIndex(of: text) { return index }
    }
    return nil
  }

  mutating func integer(_ count: Int) -> Int? {
    guard position + count <= bits.count else { return nil }
    defer { position += count }
    return bits[position..<position + count].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
  }
}

/// Decodes LZW of TIFF 6.0, section 13, with a table of strings.
func slowLZW(_ bytes: [UInt8]) -> [UInt8] {
  var bits = SlowBits(bytes)
  var table: [[UInt8]] = []
  var output: [UInt8] = []
  var previous: [UInt8]?
  var width = 9
  while let code = bits.integer(width), code != 257 {
    if code == 256 {
      table = (0...255).map { [UInt8($0)] } + [[], []]
      width = 9
      previous = nil
      continue
    }
    guard let last = previous else {
      previous = table[code]
      output += table[code]
      continue
    }
    let string = code < table.count ? table[code] : last + [last[0]]
    output += string
    table.append(last + [string[0]])
    previous = string
    // The width grows one code early.
    width = table.count >= 2047 ? 12 : table.count >= 1023 ? 11 : table.count >= 511 ? 10 : 9
  }
  return output
}

/// Encodes LZW of TIFF 6.0, section 13, with a dictionary of strings.
func slowLZWEncode(_ bytes: [UInt8]) -> [UInt8] {
  var bits: [Bool] = []
  var width = 9
  func append(_ code: Int) { for bit in (0..<width).reversed() { bits.append(code >> bit & 1 == 1) } }
  var table: [[UInt8]: Int] = [:]
  var next = 258
  func clear() {
    append(256)
    table = [:]
    for value in UInt8.min...UInt8.max { table[[value]] = Int(value) }
    next = 258
    width = 9
  }
  clear()
  var current: [UInt8] = []
  for byte in bytes {
    if table[current + [byte]] != nil {
      current.append(byte)
      continue
    }
    append(table[current] ?? 0)
    table[current + [byte]] = next
    next += 1
    if next == 4095 {
      clear()
    } else {
      width = next > 2047 ? 12 : next > 1023 ? 11 : next > 511 ? 10 : 9
    }
    current = [byte]
  }
  if !current.isEmpty {
    append(table[current] ?? 0)
    next += 1
    width = next > 2047 ? 12 : next > 1023 ? 11 : next > 511 ? 10 : 9
  }
  append(257)
  while bits.count % 8 != 0 { bits.append(false) }
  return stride(from: 0, to: bits.count, by: 8).map { start in
    bits[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
  }
}

/// Decodes Group 4 (ITU-T T.6) pixel by pixel. `true` is black.
///
/// - Parameters:
///   - white, black: the codes of runs with their lengths.
func slowGroup4(
  _ bytes: [UInt8], width: Int, height: Int, white: [(run: Int, code: String)], black: [(run: Int, code: String)]
) -> [[Bool]]? {
  let modes = ["0001", "001", "1", "011", "000011", "0000011", "010", "000010", "0000010"]
  let offsets = [0, 0, 0, 1, 2, 3, -1, -2, -3]
  var bits = SlowBits(bytes)
  var above = [Bool](repeating: false, count: width)
  var rows: [[Bool]] = []
  func pixel(_ row: [Bool], _ x: Int) -> Bool { x >= 0 && row[x] }
  for _ in 0..<height {
    var row = [Bool](repeating: false, count: width)
    var a0 = -1
    var color = false
    while a0 < width {
      // b1: the first changing pixel above, right of a0, of the opposite colour; b2: the next one.
      var b1 = a0 + 1
      while b1 < width, !(above[b1] != pixel(above, b1 - 1) && above[b1] != color) { b1 += 1 }
      var b2 = b1 + 1
      while b2 < width, above[b2] == above[b2 - 1] { b2 += 1 }
      b2 = min(b2, width)
      guard let mode = bits.code(of: modes) else { return nil }
      if mode == 0 {
        for x in max(a0, 0)..<b2 { row[x] = color }
        a0 = b2
      } else if mode == 1 {
        for _ in 0..<2 {
          let runs = color ? black : white
          var length = 0
          while true {
            guard let index = bits.code(of: runs.map(\.code)) else { return nil }
            length += runs[index].run
            if runs[index].run < 64 { break }
          }
          let start = max(a0, 0)
          guard start + length <= width else { return nil }
          for x in start..<start + length { row[x] = color }
          a0 = start + length
          color.toggle()
        }
      } else {
        let a1 = b1 + offsets[mode]
        guard a1 >= max(a0, 0), a1 <= width else { return nil }
        for x in max(a0, 0)..<a1 { row[x] = color }
        a0 = a1
        color.toggle()
      }
    }
    rows.append(row)
    above = row
  }
  return rows
}

/// The codes of runs, which the fixtures verify: libtiff wrote each of them.
enum FaxRuns {
  static let white = runs(FaxCodes.whiteTerminating, FaxCodes.whiteMakeUp)
  static let black = runs(FaxCodes.blackTerminating, FaxCodes.blackMakeUp)

  private static func runs(_ terminating: String, _ makeUp: String) -> [(run: Int, code: String)] {
    let short = terminating.split(separator: " ").enumerated().map { ($0, String($1)) }
    let long = (makeUp + " " + FaxCodes.sharedMakeUp).split(separator: " ")
    return short + long.enumerated().map { (64 * ($0 + 1), String($1)) }
  }
}
