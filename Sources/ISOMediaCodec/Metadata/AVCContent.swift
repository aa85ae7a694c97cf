// The parts of H.264 configurations and coded pictures that are needed to decode them (ISO/IEC 14496-15, 5.3.3; ITU-T
// H.264, table 7-1 and annex D).

internal import ImageCoding

/// The parts of H.264 streams that stay when metadata is removed.
enum AVCContent {
  /// The position of the byte with the size of the lengths of NAL units, and the number of bytes before the sets.
  private static let lengthPosition = 4
  private static let headerByteCount = 5

  /// Returns the number of bytes of the length before each NAL unit; `nil` if the configuration is too short.
  static func lengthByteCount(_ configuration: Span<UInt8>) -> Int? {
    configuration.count > headerByteCount ? Int(configuration[lengthPosition] & 3) + 1 : nil
  }

  /// Returns a configuration (`avcC`) with only its parameter sets; `nil` if it is damaged.
  static func configuration(_ payload: Span<UInt8>) -> [UInt8]? {
    guard payload.count > headerByteCount else { return nil }
    var output = Array(copying: payload.extracting(..<headerByteCount))
    var reader = ByteReader(payload.extracting(headerByteCount...))
    // Sequence parameter sets, whose count has three bits that are set before it, and picture parameter sets.
    for mask: UInt8 in [0x1F, 0xFF] {
      guard let count = try? reader.readUInt8(), let sets = sets(&reader, count: count & mask) else { return nil }
      output.append(count & ~mask | sets.count)
      output += sets.bytes
    }
    // The chroma format and depths of high profiles, and extensions of sequence parameter sets.
    guard reader.remaining >= 4, let formats = try? reader.read(3) else { return output }
    let fields = Array(copying: formats)
    guard let count = try? reader.readUInt8(), let extensions = sets(&reader, count: count) else { return nil }
    return output + fields + [extensions.count] + extensions.bytes
  }

  /// Copies sets with their lengths, without units of other types.
  private static func sets(_ reader: inout ByteReader, count: UInt8) -> (count: UInt8, bytes: [UInt8])? {
    var result: (count: UInt8, bytes: [UInt8]) = (0, [])
    for _ in 0..<count {
      let start = reader.position
      guard let byteCount = try? reader.readUInt16BigEndian(), let unit = try? reader.read(Int(byteCount)) else {
        return nil
      }
      guard units.isParameterSet(unit) else { continue }
      result.bytes.append(copying: reader.bytes.extracting(start..<reader.position))
      result.count += 1
    }
    return result
  }

  /// The coding of pictures: slices, also auxiliary ones, sequence parameter sets with their extensions and subsets, and
  /// picture parameter sets. Of messages those stay that say how a picture is decoded or shown: recovery point, frame
  /// packing, display orientation, mastering display, content light level, transfer characteristics, ambient viewing
  /// environment, content colour volume.
  static let units = NALContent(
    headerByteCount: 1, typeShift: 0, typeMask: 0x1F, slices: [1, 2, 3, 4, 5, 19, 20], parameterSets: [7, 8, 13, 15],
    messages: [6], keptMessageTypes: [6, 45, 47, 137, 144, 147, 148, 149], shortenedMessages: encoderBuild)

  /// The identifier of messages in which x264 names itself and its options.
  private static let identifier: [UInt8] = [
    0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE, 0xEF,
  ]
  /// `user_data_unregistered`.
  private static let messageType: UInt8 = 5

  /// Returns the message of x264 with its build number only. Pictures of old builds deviate from the specification, so
  /// that decoders need the number.
  @Sendable private static func encoderBuild(_ content: [UInt8]) -> [UInt8]? {
    var reader = ByteReader(content.span)
    guard (try? reader.readUInt8()) == messageType, NALContent.number(&reader) != nil else { return nil }
    let message = content[reader.position...]
    let name = identifier + Array("x264 - core ".utf8)
    guard message.starts(with: name) else { return nil }
    let number = message.dropFirst(name.count).prefix { (0x30...0x39).contains($0) }.prefix(5)
    let text = name + number
    return [messageType, UInt8(text.count)] + text + [0x80]
  }
}
