// The parts of HEVC configurations and coded pictures that are needed to decode them (ISO/IEC 14496-15, 8.3.3; ITU-T
// H.265, table 7-1 and annex D).

internal import ImageCoding

/// The parts of HEVC streams that stay when metadata is removed.
enum HEVCContent {
  /// The position of the byte with the size of the lengths of NAL units, and of the number of arrays.
  private static let lengthPosition = 21
  private static let arrayCountPosition = 22

  /// Returns the number of bytes of the length before each NAL unit; `nil` if the configuration is too short.
  static func lengthByteCount(_ configuration: Span<UInt8>) -> Int? {
    configuration.count > arrayCountPosition ? Int(configuration[lengthPosition] & 3) + 1 : nil
  }

  /// Returns a configuration (`hvcC`) with only its parameter sets; `nil` if it is damaged.
  ///
  /// The type of a NAL unit is that in its own header, as in decoders, not that of the array that contains it.
  static func configuration(_ payload: Span<UInt8>) -> [UInt8]? {
    guard payload.count > arrayCountPosition else { return nil }
    var output = Array(copying: payload.extracting(0...arrayCountPosition))
    var arrayCount: UInt8 = 0
    var reader = ByteReader(payload.extracting((arrayCountPosition + 1)...))
    for _ in 0..<payload[arrayCountPosition] {
      guard let type = try? reader.readUInt8(), let count = try? reader.readUInt16BigEndian() else { return nil }
      var kept: [UInt8] = []
      var unitCount = 0
      for _ in 0..<count {
        let start = reader.position
        guard let byteCount = try? reader.readUInt16BigEndian(), let unit = try? reader.read(Int(byteCount)) else {
          return nil
        }
        guard units.isParameterSet(unit) else { continue }
        kept.append(copying: reader.bytes.extracting(start..<reader.position))
        unitCount += 1
      }
      guard unitCount > 0 else { continue }
      output += [type, UInt8(truncatingIfNeeded: unitCount >> 8), UInt8(truncatingIfNeeded: unitCount)] + kept
      arrayCount += 1
    }
    output[arrayCountPosition] = arrayCount
    return output
  }

  /// The coding of pictures. Of messages those stay that say how a picture is shown: frame packing, display orientation,
  /// mastering display, content light level, transfer characteristics, ambient viewing environment, content colour
  /// volume, alpha channel.
  static let units = NALContent(
    headerByteCount: 2, typeShift: 1, typeMask: 0x3F, slices: Set(0...21), parameterSets: [32, 33, 34],
    messages: [39, 40], keptMessageTypes: [45, 47, 137, 144, 147, 148, 149, 165])
}
