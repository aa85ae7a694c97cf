// The NAL units of coded pictures that are needed to decode and to show them. Encoders store their options and other
// texts in SEI messages.

internal import ImageCoding

/// Drops the NAL units of a coding that no decoder needs.
struct NALContent: Sendable {
  /// The number of bytes of the header of a unit, whose first byte contains the type.
  let headerByteCount: Int
  let typeShift: UInt8
  let typeMask: UInt8
  let slices: Set<UInt8>
  let parameterSets: Set<UInt8>
  let messages: Set<UInt8>
  /// The types of messages that say how a picture is decoded or shown.
  let keptMessageTypes: Set<Int>
  /// Returns what has to remain of the messages of a unit with others; `nil` for nothing.
  var shortenedMessages: @Sendable (_ content: [UInt8]) -> [UInt8]? = { _ in nil }

  /// The work units for reading and copying a NAL unit, in addition to its bytes.
  private static let workPerUnit = 200

  /// Returns whether a unit is a parameter set.
  func isParameterSet(_ unit: Span<UInt8>) -> Bool {
    unit.count >= headerByteCount && parameterSets.contains(type(unit))
  }

  private func type(_ unit: Span<UInt8>) -> UInt8 { unit[0] >> typeShift & typeMask }

  /// Returns a coded picture with only its parameter sets, slices and the messages that matter; `nil` if there is nothing
  /// else, or if the data does not consist of whole NAL units.
  func picture(
    _ data: Span<UInt8>, lengthByteCount: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8]? {
    var output: [UInt8] = []
    var reader = ByteReader(data)
    var hasSlice = false
    while reader.remaining > 0 {
      try budget.chargeWork(Self.workPerUnit)
      let start = reader.position
      guard let length = try? reader.readInteger(byteCount: lengthByteCount, isBigEndian: true),
        let byteCount = Int(exactly: length), byteCount <= reader.remaining, let unit = try? reader.read(byteCount)
      else { return nil }
      guard byteCount >= headerByteCount else { return nil }
      let type = type(unit)
      if slices.contains(type) { hasSlice = true }
      if messages.contains(type) {
        let content = content(of: unit)
        if !isKept(content) {
          guard let rest = shortenedMessages(content) else { continue }
          let count = headerByteCount + rest.count
          for shift in (0..<lengthByteCount).reversed() {
            output.append(UInt8(truncatingIfNeeded: count >> (8 * shift)))
          }
          output.append(copying: unit.extracting(..<headerByteCount))
          output += rest
          continue
        }
      } else if !slices.contains(type), !parameterSets.contains(type) {
        continue
      }
      output.append(copying: data.extracting(start..<reader.position))
    }
    return hasSlice && output.count < data.count ? output : nil
  }

  /// Returns the content of a unit without the bytes that prevent start codes.
  private func content(of unit: Span<UInt8>) -> [UInt8] {
    var content: [UInt8] = []
    var zeroCount = 0
    for index in headerByteCount..<unit.count {
      if zeroCount >= 2, unit[index] == 3 {
        zeroCount = 0
        continue
      }
      zeroCount = unit[index] == 0 ? zeroCount + 1 : 0
      content.append(unit[index])
    }
    return content
  }

  /// Returns whether all messages of a unit are of types that are kept.
  private func isKept(_ content: [UInt8]) -> Bool {
    var reader = ByteReader(content.span)
    // The last byte is the trailing bit.
    while reader.remaining > 1 {
      guard let type = Self.number(&reader), keptMessageTypes.contains(type), let byteCount = Self.number(&reader),
        (try? reader.skip(byteCount)) != nil
      else { return false }
    }
    return reader.remaining == 1 && content.last == 0x80
  }

  /// Reads the type or the size of a message: bytes up to the first one that is not 255, added.
  static func number(_ reader: inout ByteReader) -> Int? {
    var value = 0
    while let byte = try? reader.readUInt8() {
      value += Int(byte)
      if byte != 0xFF { return value }
    }
    return nil
  }
}
