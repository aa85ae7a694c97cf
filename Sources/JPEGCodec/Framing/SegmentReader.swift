// Framing: markers and their segments, fill bytes, and stray bytes between segments. ITU-T T.81, section B.1.1.
// Decoding, metadata, thumbnails and rewriting all use this type to read a file.

internal import ImageCoding
internal import VectorLanes

/// Finds markers and their segments in the part of a file received so far.
struct SegmentReader {
  /// A syntax element at a position.
  enum Item {
    /// A marker and the range of its segment's content, which is empty for a marker without a segment.
    case segment(Marker, content: Range<Int>)
    /// A marker whose segment is incomplete, or no marker at all: more input is needed.
    case incomplete
    /// A segment whose length is less than that of the length field itself; reading can continue after it.
    case badLength(Marker)
  }

  /// The work that decoders charge for reading the framing of a segment.
  static let workPerSegment = 200

  /// The index of the next byte.
  var position: Int
  /// The index of the first skipped byte that is not part of a segment, if there is one.
  var garbageStart: Int?

  init(position: Int) {
    self.position = position
  }

  /// Moves to the next marker, skipping stray and fill bytes, and reads its framing. The position remains at the marker
  /// until its segment is complete.
  mutating func next(_ bytes: Span<UInt8>) -> Item {
    while true {
      while position < bytes.count, bytes[position] != 0xFF {
        noteGarbage()
        position += 1
      }
      while position + 1 < bytes.count, bytes[position + 1] == 0xFF { position += 1 }
      guard position + 1 < bytes.count else { return .incomplete }
      if bytes[position + 1] != 0 { break }
      // A stuffed byte left over from a scan.
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

  /// Returns the next complete segment or marker without a segment, skipping segments of impossible lengths; `nil` at
  /// the end of the input.
  mutating func nextSegment(_ bytes: Span<UInt8>) -> (marker: Marker, content: Range<Int>)? {
    while true {
      switch next(bytes) {
      case .segment(let marker, let content): return (marker, content)
      case .badLength: continue
      case .incomplete: return nil
      }
    }
  }

  private mutating func noteGarbage() {
    if garbageStart == nil { garbageStart = position }
  }

  /// Returns the end of the entropy-coded data that starts at `position`: the next marker, or the end of the input.
  static func endOfScan(_ bytes: Span<UInt8>, from position: Int) -> Int {
    let end = endOfEntropyCodedData(bytes, from: position)
    return end.isFound ? end.index : bytes.count
  }

  /// The end of the entropy-coded data of a scan.
  struct ScanEnd {
    /// The index of the marker that ends the scan, or that at which to continue the search.
    var index: Int
    /// Whether there is a marker.
    var isFound = false
    /// Whether there are reserved markers before it, which ``next(_:)`` would take for those of segments.
    var hasReservedMarkers = false
  }

  /// Finds the first marker after `position` that ends a scan. Restart markers do not end a scan. Codes below C0, which
  /// occur only in damaged data, are skipped as in the search for restart markers.
  static func endOfEntropyCodedData(_ bytes: Span<UInt8>, from position: Int) -> ScanEnd {
    var end = ScanEnd(index: position)
    while true {
      end.index = firstMarkerByte(bytes, from: end.index)
      guard end.index + 1 < bytes.count else { return end }
      let marker = Marker(rawValue: bytes[end.index + 1])
      switch marker.rawValue {
      case 0, 0xFF: break
      case ..<0xC0:
        if !marker.isAlone { end.hasReservedMarkers = true }
      default:
        if marker.isRestart { break }
        end.isFound = true
        return end
      }
      end.index += 1
    }
  }

  /// Returns the index of the first byte from `position` on that is 0xFF or the last one.
  static func firstMarkerByte(_ bytes: Span<UInt8>, from position: Int) -> Int {
    var index = position
    // Eight bytes at a time, as long as none is 0xFF.
    while index + 8 < bytes.count {
      let next = loadBigEndian64(bytes, at: index)
      if ((~next &- 0x0101_0101_0101_0101) & next & 0x8080_8080_8080_8080) != 0 { break }
      index += 8
    }
    while index + 1 < bytes.count, bytes[index] != 0xFF { index += 1 }
    return index
  }
}
