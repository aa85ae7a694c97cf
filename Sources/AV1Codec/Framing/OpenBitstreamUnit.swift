// Open bitstream units (section 5.3) and how they follow one another.

internal import ImageCoding

/// `obu_type` (section 6.2.2).
enum OBUType: UInt8 {
  case sequenceHeader = 1
  case temporalDelimiter = 2
  case frameHeader = 3
  case tileGroup = 4
  case metadata = 5
  case frame = 6
  case redundantFrameHeader = 7
  case tileList = 8
  case padding = 15
}

/// An open bitstream unit (OBU): its type, its layer, and its location in the input.
struct OpenBitstreamUnit {
  /// `nil` for reserved types.
  let type: OBUType?
  /// `temporal_id`, 0…7, and `spatial_id`, 0…3, if the header has an extension.
  let layer: (temporal: Int, spatial: Int)?
  /// The index of the first byte of the header.
  let start: Int
  /// The bytes after the header.
  let payload: Range<Int>
}

/// Reads the OBUs of an input in order.
struct OBUReader {
  private var position = 0

  /// The next OBU; `nil` at the end.
  ///
  /// - Parameter isStrict: whether a size that exceeds the input is an error. If it is not, the OBU ends with the
  ///   input, and ``isTruncated`` records it.
  /// - Throws: `CodecError.Kind.malformed` for an invalid header or size; `CodecError.Kind.truncated`.
  mutating func next(_ bytes: Span<UInt8>, isStrict: Bool) throws(CodecError) -> OpenBitstreamUnit? {
    guard position < bytes.count else { return nil }
    let start = position
    let header = bytes[position]
    position += 1
    guard header & 0x80 == 0 else {
      throw CodecError(.malformed, "the forbidden bit of an OBU header is set", byteOffset: start)
    }
    var layer: (temporal: Int, spatial: Int)?
    if header & 4 != 0 {
      guard position < bytes.count else {
        throw CodecError(.truncated, "an OBU header ends early", byteOffset: start)
      }
      layer = (Int(bytes[position] >> 5), Int(bytes[position] >> 3 & 3))
      position += 1
    }
    var end = bytes.count
    if header & 2 != 0 {
      guard let size = readLEB128(bytes, at: &position, end: bytes.count) else {
        throw CodecError(.malformed, "the size of an OBU is invalid", byteOffset: start)
      }
      if size <= UInt32(clamping: bytes.count - position) {
        end = position + Int(size)
      } else {
        isTruncated = true
        if isStrict { throw CodecError(.truncated, "an OBU ends early", byteOffset: start) }
      }
    }
    let payload = position..<end
    position = end
    return OpenBitstreamUnit(type: OBUType(rawValue: header >> 3 & 15), layer: layer, start: start, payload: payload)
  }

  /// Whether the last OBU exceeds the input.
  private(set) var isTruncated = false
}
