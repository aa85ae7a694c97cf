// The lines of standard input as they arrive, with bounded memory.

internal import Foundation

/// Reads lines from a file. A line is returned as soon as it is complete, so that another program can wait for its result
/// before it writes the next one. A line that is too long is skipped, and reported once.
struct InputLines {
  /// A line and its number, counted from 1.
  struct Line {
    var number: Int
    /// The bytes without the line break; `nil` if there are too many.
    var bytes: Data?
  }

  /// The maximum number of bytes of a line.
  static let maximumByteCount = 1 << 20

  private let descriptor: Int32
  private var buffer = Data()
  private var isAtEnd = false
  private var number = 0

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Returns the next line that is not blank, or `nil` at the end of the input.
  mutating func next() -> Line? {
    while let bytes = nextBytes() {
      guard let line = bytes.value else { return Line(number: number, bytes: nil) }
      if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return Line(number: number, bytes: line) }
    }
    return nil
  }

  /// The bytes up to the next line break; without a value if there are too many.
  private mutating func nextBytes() -> (value: Data?, Void)? {
    var isTooLong = false
    var searched = 0
    while true {
      if let end = buffer.dropFirst(searched).firstIndex(of: 0x0A) {
        let line = Data(buffer[buffer.startIndex..<end])
        buffer = Data(buffer[(end + 1)...])
        number += 1
        return (isTooLong ? nil : line, ())
      }
      searched = buffer.count
      if buffer.count > Self.maximumByteCount {
        isTooLong = true
        buffer = Data()
        searched = 0
      }
      if !isAtEnd {
        let part = readArrivedBytes(descriptor, maximumByteCount: 1 << 16)
        buffer.append(contentsOf: part)
        if !part.isEmpty { continue }
      }
      isAtEnd = true
      guard !buffer.isEmpty || isTooLong else { return nil }
      let line = buffer
      buffer = Data()
      number += 1
      return (isTooLong ? nil : line, ())
    }
  }
}
