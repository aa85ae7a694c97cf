// The lines of standard input as they arrive, with bounded memory.

internal import Platform

/// Reads lines from standard input. A line is returned as soon as it is complete, so that another program can wait for its
/// result before it writes the next one. A line that is too long is skipped, and reported once.
struct InputLines {
  /// A line and its number, counted from 1.
  struct Line {
    var number: Int
    /// The bytes without the line break; `nil` if there are too many.
    var bytes: [UInt8]?
  }

  /// The maximum number of bytes of the line of a job.
  static let maximumByteCount = 1 << 20

  /// The reason for which reading has ended early.
  private(set) var failure: SystemError?

  private let maximumByteCount: Int
  private var buffer: [UInt8] = []
  /// The start of the next line in the buffer.
  private var start = 0
  /// The number of bytes that arrived last.
  private var arrivedCount = 0
  private var isAtEnd = false
  private var number = 0

  init(maximumByteCount: Int = Self.maximumByteCount) {
    self.maximumByteCount = maximumByteCount
  }

  /// Returns the next line that is not blank, or `nil` at the end of the input.
  mutating func next() -> Line? {
    while let line = nextLine() {
      guard let bytes = line.bytes, bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { return line }
    }
    return nil
  }

  private mutating func nextLine() -> Line? {
    var isTooLong = false
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        let bytes = isTooLong || end - start > maximumByteCount ? nil : Array(buffer[start..<end])
        start = end + 1
        return numbered(bytes)
      }
      if buffer.count - start > maximumByteCount {
        isTooLong = true
        start = buffer.count
      }
      guard !isAtEnd, receive() else { break }
      searched = buffer.count - arrivedCount
    }
    guard start < buffer.count || isTooLong else { return nil }
    let bytes = isTooLong ? nil : Array(buffer[start...])
    start = buffer.count
    return numbered(bytes)
  }

  private mutating func numbered(_ bytes: [UInt8]?) -> Line {
    number += 1
    return Line(number: number, bytes: bytes)
  }

  /// Waits for bytes and adds them to the rest of the buffer. Returns `false` at the end of the input.
  private mutating func receive() -> Bool {
    do throws(SystemError) {
      let part = try FileDescriptor(.input).readArrived(maximumByteCount: 1 << 16)
      buffer.removeFirst(start)
      start = 0
      buffer += part
      arrivedCount = part.count
      isAtEnd = part.isEmpty
    } catch {
      failure = error
      isAtEnd = true
    }
    return !isAtEnd
  }
}
