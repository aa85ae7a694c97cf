// The marker segments of a JPEG file up to its first scan (ITU-T T.81, B.1).

internal import ImageCore

/// Walks marker segments without looking at entropy-coded data.
struct JPEGSegments: ~Escapable {
  /// A marker with the range of its payload in the input.
  struct Segment {
    let marker: UInt8
    let payload: Range<Int>

    /// The marker, the length and the payload.
    var range: Range<Int> { payload.lowerBound - 4..<payload.upperBound }

    /// SOF0…SOF15 without DHT, JPG and DAC.
    var isFrameHeader: Bool {
      marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
    }
    /// SOF2, SOF6, SOF10, SOF14.
    var isProgressiveFrameHeader: Bool { isFrameHeader && marker & 3 == 2 }
  }

  private let bytes: Span<UInt8>
  /// Where the next marker is looked for.
  private(set) var position = 2

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
  }

  /// The next whole segment before the first scan; `nil` when there is none.
  @_lifetime(self: copy self)
  mutating func next() -> Segment? {
    while position + 1 < bytes.count {
      // Damage between segments is skipped, as every decoder does; fill bytes precede any marker.
      guard bytes[position] == 0xFF, bytes[position + 1] != 0xFF, bytes[position + 1] != 0 else {
        position += 1
        continue
      }
      let marker = bytes[position + 1]
      if marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8) {
        position += 2
        continue
      }
      if marker == 0xD9 || marker == 0xDA || position + 3 >= bytes.count { return nil }
      let byteCount = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      let end = position + 2 + max(byteCount, 2)
      guard end <= bytes.count else { return nil }
      defer { position = end }
      return Segment(marker: marker, payload: position + 4..<end)
    }
    return nil
  }
}
