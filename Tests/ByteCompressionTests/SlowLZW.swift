import ByteCompression

/// LZW as the specifications tell it: a table of whole strings, bit after bit.
struct SlowLZW {
  let coding: LZWCoding

  /// The width of a code when the table has `count` entries. The first code after a clear code has the initial width.
  private func width(_ count: Int, isFirst: Bool) -> Int {
    if isFirst { return coding.initialCodeWidth }
    let early = coding.hasEarlyChange ? 1 : 0
    var width = coding.initialCodeWidth
    while width < 12, count >= 1 << width - early { width += 1 }
    return width
  }

  /// Returns the decoded bytes of a stream, and how it ends.
  func decode(_ bytes: [UInt8], limit: Int = .max) -> (bytes: [UInt8], status: LZWDecoder.Status) {
    let bits = bytes.flatMap { byte -> [Int] in
      let bits = (0..<8).map { Int(byte >> UInt8($0)) & 1 }
      return coding.bitOrder == .leastSignificantFirst ? bits : bits.reversed()
    }
    let literals: [[UInt8]] = (0..<coding.clearCode).map { [UInt8(truncatingIfNeeded: $0)] } + [[], []]
    var table = literals
    var previous: [UInt8] = []
    var output: [UInt8] = []
    var position = 0
    while true {
      let width = width(table.count, isFirst: previous.isEmpty)
      guard position + width <= bits.count else { return (output, .needsInput) }
      let taken = Array(bits[position..<position + width])
      position += width
      let code = (coding.bitOrder == .leastSignificantFirst ? taken.reversed() : taken).reduce(0) { $0 * 2 + $1 }
      if code == coding.clearCode {
        table = literals
        previous = []
        continue
      }
      if code == coding.endCode { return (output, .ended) }
      if previous.isEmpty, code >= coding.clearCode { return (output, .malformed) }
      guard code < table.count || (code == table.count && !previous.isEmpty && code < 4096) else {
        return (output, .malformed)
      }
      let string = code < table.count ? table[code] : previous + [previous[0]]
      if string.count > limit - output.count {
        return (output + string.prefix(limit - output.count), .excess)
      }
      output += string
      if !previous.isEmpty, table.count < 4096 { table.append(previous + [string[0]]) }
      previous = string
    }
  }

  /// A stream that clears the table when it is full, or never.
  func encode(_ bytes: [UInt8], clearsWhenFull: Bool) -> [UInt8] {
    var bits: [Int] = []
    /// Strings that the decoder knows when it reads the next code.
    var known = coding.firstStringCode
    var isFirst = true
    func write(_ code: Int) {
      let taken = (0..<width(known, isFirst: isFirst)).map { code >> $0 & 1 }
      bits += coding.bitOrder == .leastSignificantFirst ? taken : taken.reversed()
    }
    func written(_ code: Int) {
      write(code)
      if !isFirst, known < 4096 { known += 1 }
      isFirst = false
    }
    var table: [[UInt8]: Int] = [:]
    func clear() {
      write(coding.clearCode)
      table = [:]
      for code in 0..<min(256, coding.clearCode) { table[[UInt8(code)]] = code }
      known = coding.firstStringCode
      isFirst = true
    }
    clear()
    var next = coding.firstStringCode
    var string: [UInt8] = []
    for byte in bytes {
      if table[string + [byte]] != nil {
        string.append(byte)
        continue
      }
      written(table[string] ?? 0)
      if next < 4096 {
        table[string + [byte]] = next
        next += 1
      } else if clearsWhenFull {
        clear()
        next = coding.firstStringCode
      }
      string = [byte]
    }
    if !string.isEmpty { written(table[string] ?? 0) }
    write(coding.endCode)
    while bits.count % 8 != 0 { bits.append(0) }
    return stride(from: 0, to: bits.count, by: 8).map { start in
      let byte = Array(bits[start..<start + 8])
      return (coding.bitOrder == .leastSignificantFirst ? byte.reversed() : byte).reduce(UInt8(0)) {
        $0 << 1 | UInt8($1)
      }
    }
  }
}
