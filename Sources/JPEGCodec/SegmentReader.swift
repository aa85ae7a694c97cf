// Framing: markers with their segments, fill bytes, and what stands between them but should not. ITU-T T.81, section
// B.1.1.

internal import ImageCore

/// Finds markers and their segments in the part of a file that is there.
struct SegmentReader {
  /// What stands at a position.
  enum Item {
    /// A marker and the indices of its segment's content, which are empty for a marker that stands alone.
    case segment(Marker, content: Range<Int>)
    /// A marker whose segment is not complete, or no marker at all: more input would tell.
    case incomplete
    /// A segment whose length is less than the length's own two bytes; reading can go on behind it.
    case badLength(Marker)
  }

  /// The index of the next byte.
  var position: Int
  /// The index of the first byte that belongs to no segment, if one was passed by.
  var garbageStart: Int?

  init(position: Int) {
    self.position = position
  }

  /// Moves to the next marker, past garbage and fill bytes, and reads its frame. The position stays at the marker
  /// unless its segment is complete.
  mutating func next(_ bytes: Span<UInt8>) -> Item {
    while true {
      while position < bytes.count, bytes[position] != 0xFF {
        noteGarbage()
        position += 1
      }
      while position + 1 < bytes.count, bytes[position + 1] == 0xFF { position += 1 }
      guard position + 1 < bytes.count else { return .incomplete }
      if bytes[position + 1] != 0 { break }
      // A stuffed byte: left over from a scan.
      noteGarbage()
      position += 2
    }
    let marker = Marker(rawValue: bytes[position + 1])
    let start = position + 2
    if marker.isAlone {
      position = start
      return .segment(marker, content: start..<start)
    }
    guard start + 1 < bytes.count else { return .incomplete }
    let length = Int(bytes[start]) << 8 | Int(bytes[start + 1])
    guard length >= 2 else {
      position = start + 2
      return .badLength(marker)
    }
    guard start + length <= bytes.count else { return .incomplete }
    position = start + length
    return .segment(marker, content: start + 2..<start + length)
  }

  private mutating func noteGarbage() {
    if garbageStart == nil { garbageStart = position }
  }

  /// The index of the first marker from `position` on that ends a scan, or where to go on looking. Restart markers do
  /// not, and codes below C0, which only damage puts there, are passed by when a restart marker is looked for.
  static func endOfEntropyCodedData(_ bytes: Span<UInt8>, from position: Int) -> (index: Int, isFound: Bool) {
    var index = position
    while index + 1 < bytes.count {
      if bytes[index] == 0xFF {
        let marker = Marker(rawValue: bytes[index + 1])
        if marker.rawValue >= 0xC0, marker.rawValue != 0xFF, !marker.isRestart { return (index, true) }
      }
      index += 1
    }
    return (index, false)
  }
}
