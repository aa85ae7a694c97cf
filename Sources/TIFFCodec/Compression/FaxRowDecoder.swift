// The changes of one row of facsimile data (ITU-T T.4, sections 4.1 and 4.2; T.6, section 2).

/// Decodes one row.
struct FaxRowDecoder {
  /// The outcome of decoding a row.
  enum Status {
    case complete
    /// An end-of-line code or the end of the input.
    case ended
    /// A code that does not exist or does not fit.
    case damaged
  }

  private let width: Int32
  /// The number of changes written.
  private(set) var changeCount = 0

  init(width: Int32) {
    self.width = width
  }

  /// Decodes a row as runs of alternate colours.
  mutating func decodeOneDimensional(
    _ bits: inout FaxBits, _ input: Span<UInt8>, into changes: inout MutableSpan<Int32>
  ) -> Status {
    let tables = FaxTables.shared
    var local = bits
    var position: Int32 = 0
    var count = 0
    var status = Status.complete
    while position < width {
      guard count <= Int(width) else {
        status = .damaged
        break
      }
      let run =
        count & 1 == 0
        ? readRun(&local, input, tables.white.span) : readRun(&local, input, tables.black.span)
      guard run >= 0 else {
        status = local.peek(11) == 0 ? .ended : .damaged
        // A run whose terminating code is missing is as long as its make-up codes.
        if run < -1 {
          position = min(width, position &- run &- 1)
          changes[count] = position
          count &+= 1
        }
        break
      }
      position = min(width, position &+ run)
      changes[count] = position
      count &+= 1
    }
    bits = local
    // The remainder of a row that is cut off is white.
    if status != .complete, count & 1 == 1 { count &-= 1 }
    finish(&changes, count)
    return status
  }

  /// Decodes a row in terms of the changes of the row above.
  mutating func decodeTwoDimensional(
    _ bits: inout FaxBits, _ input: Span<UInt8>, above: Span<Int32>, into changes: inout MutableSpan<Int32>
  ) -> Status {
    let tables = FaxTables.shared
    let modes = tables.mode.span
    var local = bits
    /// The position up to which the row is decoded (a0).
    var position: Int32 = 0
    var count = 0
    /// The index of the change above (b1) at which the colour becomes the opposite of the current one. It has the
    /// parity of `count`.
    var next = 0
    var status = Status.complete
    while position < width {
      guard count <= Int(width) else {
        status = .damaged
        break
      }
      local.refill(input)
      let entry = Int(modes[local.peek(FaxTables.modeBitCount)])
      let mode = entry &>> 4
      if entry == 0 {
        status = local.peek(11) == 0 ? .ended : .damaged
        break
      }
      local.consume(entry & 15)
      if mode < FaxCodes.passMode {
        let change = min(width, above[next] &+ Int32(truncatingIfNeeded: mode) &- 3)
        guard change > position || (change == 0 && position == 0 && count == 0) else {
          status = .damaged
          break
        }
        changes[count] = change
        count &+= 1
        position = change
        next = mode >= 3 || next == 0 ? next &+ 1 : next &- 1
      } else if mode == FaxCodes.passMode {
        position = above[next &+ 1]
        next &+= 2
      } else {
        let isBlack = count & 1 == 1
        let first = isBlack ? readRun(&local, input, tables.black.span) : readRun(&local, input, tables.white.span)
        guard first >= 0 else {
          status = .damaged
          break
        }
        let second = isBlack ? readRun(&local, input, tables.white.span) : readRun(&local, input, tables.black.span)
        guard second >= 0 else {
          status = .damaged
          break
        }
        changes[count] = min(width, position &+ first)
        position = min(width, position &+ first &+ second)
        changes[count &+ 1] = position
        count &+= 2
      }
      while above[next] <= position, above[next] < width { next &+= 2 }
    }
    bits = local
    // The remainder of a row that is cut off is white.
    if status != .complete, count & 1 == 1 { count &-= 1 }
    finish(&changes, count)
    return status
  }

  /// Repeats the width after the last change, for lookups from the row below.
  private mutating func finish(_ changes: inout MutableSpan<Int32>, _ count: Int) {
    changeCount = count
    for index in count..<count + 4 { changes[index] = width }
  }

  /// Reads a run: any number of make-up codes and a terminating code. Returns -1 minus the length of the make-up codes
  /// if another code follows.
  @inline(__always)
  private func readRun(_ bits: inout FaxBits, _ input: Span<UInt8>, _ table: Span<UInt16>) -> Int32 {
    var total: Int32 = 0
    while true {
      if bits.count < FaxTables.runBitCount { bits.refill(input) }
      let entry = table[bits.peek(FaxTables.runBitCount)]
      if entry == 0 { return -1 &- total }
      bits.consume(Int(entry & 15))
      let run = Int32(entry &>> 4)
      total = min(width, total &+ run)
      if run < 64 { return total }
    }
  }
}
