// The parts of HEVC configurations and coded pictures that are needed to decode them (ISO/IEC 14496-15, 8.3.3; ITU-T
// H.265, table 7-1 and annex D). Encoders store their options and other texts in SEI messages.

internal import ImageCoding

/// Drops NAL units that no decoder needs.
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
      var units: [UInt8] = []
      var unitCount = 0
      for _ in 0..<count {
        let start = reader.position
        guard let byteCount = try? reader.readUInt16BigEndian(), let unit = try? reader.read(Int(byteCount)) else {
          return nil
        }
        guard unit.count >= 2, parameterSets.contains(unit[0] >> 1 & 0x3F) else { continue }
        units.append(copying: reader.bytes.extracting(start..<reader.position))
        unitCount += 1
      }
      guard unitCount > 0 else { continue }
      output += [type, UInt8(truncatingIfNeeded: unitCount >> 8), UInt8(truncatingIfNeeded: unitCount)] + units
      arrayCount += 1
    }
    output[arrayCountPosition] = arrayCount
    return output
  }

  /// VPS, SPS and PPS.
  private static let parameterSets: ClosedRange<UInt8> = 32...34
  private static let messages: ClosedRange<UInt8> = 39...40
  /// The work units for reading and copying a NAL unit, in addition to its bytes.
  private static let workPerUnit = 200
  /// The NAL units of coded slices.
  private static let slices: ClosedRange<UInt8> = 0...21
  /// The types of messages that say how a picture is shown: frame packing, display orientation, mastering display,
  /// content light level, transfer characteristics, ambient viewing environment, content colour volume, alpha channel.
  private static let shownMessageTypes: Set<Int> = [45, 47, 137, 144, 147, 148, 149, 165]

  /// Returns a coded picture with only its parameter sets, slices and messages about how it is shown; `nil` if there is
  /// nothing else, or if the data does not consist of whole NAL units.
  static func picture(
    _ data: Span<UInt8>, lengthByteCount: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8]? {
    var output: [UInt8] = []
    var reader = ByteReader(data)
    var hasSlice = false
    while reader.remaining > 0 {
      try budget.chargeWork(workPerUnit)
      let start = reader.position
      guard let length = try? reader.readInteger(byteCount: lengthByteCount, isBigEndian: true),
        let byteCount = Int(exactly: length), byteCount <= reader.remaining, let unit = try? reader.read(byteCount)
      else { return nil }
      guard byteCount >= 2 else { return nil }
      let type = unit[0] >> 1 & 0x3F
      if slices.contains(type) { hasSlice = true }
      guard slices.contains(type) || parameterSets.contains(type) || (messages.contains(type) && isShown(unit)) else {
        continue
      }
      output.append(copying: data.extracting(start..<reader.position))
    }
    return hasSlice && output.count < data.count ? output : nil
  }

  /// Returns whether all messages of a unit say how a picture is shown.
  private static func isShown(_ unit: Span<UInt8>) -> Bool {
    // Without the bytes that prevent start codes.
    var content: [UInt8] = []
    var zeroCount = 0
    for index in 2..<unit.count {
      if zeroCount >= 2, unit[index] == 3 {
        zeroCount = 0
        continue
      }
      zeroCount = unit[index] == 0 ? zeroCount + 1 : 0
      content.append(unit[index])
    }
    var reader = ByteReader(content.span)
    func number(_ reader: inout ByteReader) -> Int? {
      var value = 0
      while let byte = try? reader.readUInt8() {
        value += Int(byte)
        if byte != 0xFF { return value }
      }
      return nil
    }
    // The last byte is the trailing bit.
    while reader.remaining > 1 {
      guard let type = number(&reader), shownMessageTypes.contains(type), let byteCount = number(&reader),
        (try? reader.skip(byteCount)) != nil
      else { return false }
    }
    return reader.remaining == 1 && content.last == 0x80
  }
}
