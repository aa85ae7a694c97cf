// Group 4 coding (ITU-T T.6): rows of bilevel pixels in terms of the changes of the row above.

/// Writes the rows of one block.
struct FaxWriter {
  private let width: Int
  /// The changes of the row above, followed by the width.
  private var reference: [Int]
  private var bytes: [UInt8] = []
  private var bits: UInt32 = 0
  private var bitCount = 0
  private let codes: FaxWriterCodes

  /// Starts a block, above which all pixels are white.
  init(width: Int) {
    self.width = width
    reference = [width, width, width, width]
    codes = FaxWriterCodes.shared
  }

  /// Writes a row of packed bits, in which black is 1.
  mutating func append(_ row: Span<UInt8>) {
    let changes = changes(of: row)
    /// The position up to which the row is coded (a0).
    var position = 0
    /// The indices of the next change of the row (a1) and of the change above (b1).
    var next = 0
    var above = 0
    while position < width {
      let change = changes[next]
      if reference[above + 1] < change {
        write(codes.modes[FaxCodes.passMode])
        position = reference[above + 1]
        above += 2
      } else if abs(change - reference[above]) <= 3 {
        write(codes.modes[change - reference[above] + 3])
        position = change
        next += 1
        above = above == 0 ? 1 : above - 1
      } else {
        let isBlack = next & 1 == 1
        write(codes.modes[FaxCodes.horizontalMode])
        write(run: change - position, isBlack: isBlack)
        write(run: changes[next + 1] - change, isBlack: !isBlack)
        position = changes[next + 1]
        next += 2
      }
      while reference[above] <= position, reference[above] < width { above += 2 }
    }
    reference = changes
  }

  /// Ends the block with two end-of-line codes and returns it.
  mutating func finish() -> [UInt8] {
    for _ in 0..<2 { write(FaxCodes.Word("000000000001")) }
    if bitCount > 0 { bytes.append(UInt8(truncatingIfNeeded: bits << UInt32(8 - bitCount))) }
    return bytes
  }

  /// Returns the positions at which the colour changes, followed by the width four times.
  private func changes(of row: Span<UInt8>) -> [Int] {
    var changes: [Int] = []
    var color: UInt8 = 0
    var x = 0
    while x < width {
      let byte = row[x >> 3]
      if x & 7 == 0, x + 8 <= width, byte == (color == 0 ? 0 : 0xFF) {
        x += 8
        continue
      }
      let pixel = byte >> UInt8(7 - x & 7) & 1
      if pixel != color {
        changes.append(x)
        color = pixel
      }
      x += 1
    }
    return changes + [width, width, width, width]
  }

  private mutating func write(run: Int, isBlack: Bool) {
    var rest = run
    while rest >= 2560 + 64 {
      write(codes.word(2560, isBlack: isBlack))
      rest -= 2560
    }
    if rest >= 64 { write(codes.word(rest / 64 * 64, isBlack: isBlack)) }
    write(codes.word(rest % 64, isBlack: isBlack))
  }

  private mutating func write(_ word: FaxCodes.Word) {
    bits = bits << UInt32(word.length) | word.bits
    bitCount += word.length
    while bitCount >= 8 {
      bitCount -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
    }
  }
}

/// The code words by run length.
private struct FaxWriterCodes {
  static let shared = FaxWriterCodes()

  let modes = FaxCodes.words(FaxCodes.modes)
  private let white = Self.table(isBlack: false)
  private let black = Self.table(isBlack: true)

  /// Terminating codes by run, then make-up codes by 64 + run / 64.
  private static func table(isBlack: Bool) -> [FaxCodes.Word] {
    let runs = FaxCodes.runs(isBlack: isBlack)
    let empty = FaxCodes.Word("")
    var table = [FaxCodes.Word](repeating: empty, count: 64 + 2560 / 64 + 1)
    for (run, word) in runs { table[run < 64 ? run : 64 + run / 64] = word }
    return table
  }

  /// The code of a run of up to 63 pixels, or of a multiple of 64.
  func word(_ run: Int, isBlack: Bool) -> FaxCodes.Word {
    (isBlack ? black : white)[run < 64 ? run : 64 + run / 64]
  }
}
