// PackBits (TIFF 6.0, section 9): runs of one byte and sequences of different bytes.

/// Decompresses PackBits in pieces of any size.
struct PackBitsReader {
  /// The number of bytes read.
  private(set) var position = 0
  /// The bytes that remain of the current run or sequence.
  private var remaining = 0
  /// Whether the current piece repeats ``value``.
  private var isRun = false
  private var value: UInt8 = 0

  /// Fills the output as far as the input allows.
  ///
  /// - Returns: the number of bytes written.
  mutating func read(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Int {
    var written = 0
    while written < output.count {
      if remaining == 0 {
        guard startPiece(input) else { break }
        continue
      }
      let count = min(remaining, output.count &- written)
      if isRun {
        var part = output._mutatingExtracting(written..<written + count)
        for index in 0..<count { part[index] = value }
      } else {
        let available = min(count, input.count &- position)
        guard available > 0 else { break }
        let source = input.extracting(position..<position + available)
        var part = output._mutatingExtracting(written..<written + available)
        for index in 0..<available { part[index] = source[index] }
        position &+= available
        remaining &-= available
        written &+= available
        continue
      }
      remaining &-= count
      written &+= count
    }
    return written
  }

  /// Reads the header of a run or a sequence. Returns `false` at the end of the input.
  private mutating func startPiece(_ input: Span<UInt8>) -> Bool {
    guard position < input.count else { return false }
    let header = Int(Int8(bitPattern: input[position]))
    position &+= 1
    if header >= 0 {
      isRun = false
      remaining = header &+ 1
    } else if header > -128 {
      guard position < input.count else { return false }
      isRun = true
      value = input[position]
      position &+= 1
      remaining = 1 &- header
    }
    return true
  }
}
