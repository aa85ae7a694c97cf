// The commands that build an ICC profile (ISO/IEC 18181-1, E.4).

internal import ImageCoding

/// Builds a profile from its commands and data.
package struct ICCProfileCommands {
  private var commands: ByteCursor
  private var data: ByteCursor
  private var output: [UInt8] = []
  private let outputSize: Int

  /// Returns the profile.
  package static func decode(_ encoded: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    var cursor = ByteCursor(range: 0..<encoded.count)
    let outputSize = try cursor.readNumber(encoded)
    let commandByteCount = try cursor.readNumber(encoded)
    guard commandByteCount <= cursor.remaining else { throw damage("the commands exceed the data") }
    guard encoded.count <= outputSize || encoded.count - outputSize <= 65536 else {
      throw damage("the encoded profile is larger than the profile")
    }
    guard outputSize <= budget.limits.maximumMetadataChunkByteCount else {
      throw CodecError(
        .limitExceeded, "the ICC profile has \(outputSize) bytes", format: JXLDecoder.type, limit: .metadata)
    }
    try budget.allocate(outputSize)
    let middle = cursor.position + commandByteCount
    var decoder = ICCProfileCommands(
      commands: ByteCursor(range: cursor.position..<middle), data: ByteCursor(range: middle..<encoded.count),
      outputSize: outputSize)
    decoder.output.reserveCapacity(outputSize)
    try decoder.readHeader(encoded)
    try decoder.readTags(encoded)
    while decoder.commands.remaining > 0 {
      try decoder.runCommand(encoded, &budget)
      guard decoder.output.count <= outputSize else { break }
    }
    guard decoder.output.count == outputSize else { throw damage("the profile does not have the stated size") }
    return decoder.output
  }

  private init(commands: ByteCursor, data: ByteCursor, outputSize: Int) {
    (self.commands, self.data, self.outputSize) = (commands, data, outputSize)
  }

  static func damage(_ reason: String) -> CodecError {
    CodecError(.malformed, "ICC: \(reason)", format: JXLDecoder.type)
  }

  private static func bigEndian(_ value: Int) -> [UInt8] { UInt32(truncatingIfNeeded: value).bigEndianBytes }

  // MARK: Header

  private mutating func readHeader(_ encoded: Span<UInt8>) throws(CodecError) {
    for index in 0..<min(128, outputSize) {
      output.append(try data.readByte(encoded) &+ prediction(ofHeaderByte: index))
    }
  }

  private func prediction(ofHeaderByte index: Int) -> UInt8 {
    switch index {
    case 0...3: return Self.bigEndian(outputSize)[index]
    case 8: return 4
    case 12...23: return Array("mntrRGB XYZ ".utf8)[index - 12]
    case 36...39: return Array("acsp".utf8)[index - 36]
    case 41...43: return platformPrediction(index)
    case 70: return 246
    case 71: return 214
    case 73: return 1
    case 78: return 211
    case 79: return 45
    case 80...83: return output[4 + index - 80]
    default: return 0
    }
  }

  /// The prediction of the rest of the platform's name: APPL, MSFT, SGI or SUNW.
  private func platformPrediction(_ index: Int) -> UInt8 {
    let name: String
    switch (output[40], index == 41 ? 0 : output[41]) {
    case (UInt8(ascii: "A"), _): name = "APPL"
    case (UInt8(ascii: "M"), _): name = "MSFT"
    case (UInt8(ascii: "S"), UInt8(ascii: "G")): name = "SGI "
    case (UInt8(ascii: "S"), UInt8(ascii: "U")): name = "SUNW"
    default: return 0
    }
    return Array(name.utf8)[index - 40]
  }

  // MARK: Tags

  private static let tagNames = [
    "cprt", "wtpt", "bkpt", "rXYZ", "gXYZ", "bXYZ", "kXYZ", "rTRC", "gTRC", "bTRC", "kTRC", "chad", "desc", "chrm",
    "dmnd", "dmdd", "lumi",
  ]
  /// Tags whose content is a single colour of 20 bytes.
  private static let colorTags: Set<[UInt8]> = Set(
    ["rXYZ", "gXYZ", "bXYZ", "kXYZ", "wtpt", "bkpt", "lumi"].map { Array($0.utf8) })

  private mutating func readTags(_ encoded: Span<UInt8>) throws(CodecError) {
    guard output.count == 128, commands.remaining > 0 else { return }
    let number = try commands.readNumber(encoded)
    guard number > 0 else { return }
    let count = number - 1
    guard count <= (outputSize - 128) / 12 else { throw Self.damage("there are \(count) tags") }
    output += Self.bigEndian(count)
    var (start, size) = (128 + 12 * count, 0)
    while commands.remaining > 0 {
      let command = try commands.readByte(encoded)
      let tag: [UInt8]
      switch command & 63 {
      case 0: return
      case 1:
        tag = [
          try data.readByte(encoded), try data.readByte(encoded), try data.readByte(encoded),
          try data.readByte(encoded),
        ]
      case 2: tag = Array("rTRC".utf8)
      case 3: tag = Array("rXYZ".utf8)
      case 4...20: tag = Array(Self.tagNames[Int(command & 63) - 4].utf8)
      default: throw Self.damage("the tag command \(command & 63) does not exist")
      }
      start = command & 0x40 != 0 ? try commands.readNumber(encoded) : start + size
      if command & 0x80 != 0 {
        size = try commands.readNumber(encoded)
      } else if Self.colorTags.contains(tag) {
        size = 20
      }
      guard start <= outputSize, size <= outputSize - start else { throw Self.damage("a tag exceeds the profile") }
      appendTag(tag, start, size)
      if command & 63 == 2 {
        appendTag(Array("gTRC".utf8), start, size)
        appendTag(Array("bTRC".utf8), start, size)
      } else if command & 63 == 3 {
        guard size <= (outputSize - start) / 3 else { throw Self.damage("a tag exceeds the profile") }
        appendTag(Array("gXYZ".utf8), start + size, size)
        appendTag(Array("bXYZ".utf8), start + 2 * size, size)
      }
      guard output.count <= outputSize else { throw Self.damage("the tags exceed the profile") }
    }
  }

  private mutating func appendTag(_ tag: [UInt8], _ start: Int, _ size: Int) {
    output += tag + Self.bigEndian(start) + Self.bigEndian(size)
  }

  // MARK: Content

  private static let typeNames = ["XYZ ", "desc", "text", "mluc", "para", "curv", "sf32", "gbd "]

  private mutating func runCommand(
    _ encoded: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    try budget.chargeWork(50)
    switch try commands.readByte(encoded) {
    case 1:
      let count = try readCount(encoded, &budget)
      for _ in 0..<count { output.append(try data.readByte(encoded)) }
    case 2: output += try readInterleaved(encoded, width: 2, count: try readCount(encoded, &budget))
    case 3: output += try readInterleaved(encoded, width: 4, count: try readCount(encoded, &budget))
    case 4: try readPredicted(encoded, &budget)
    case 10:
      output += Array("XYZ \0\0\0\0".utf8)
      for _ in 0..<12 { output.append(try data.readByte(encoded)) }
    case let command where (16...23).contains(command):
      output += Array(Self.typeNames[Int(command) - 16].utf8) + [0, 0, 0, 0]
    case let command: throw Self.damage("the command \(command) does not exist")
    }
  }

  private mutating func readCount(
    _ encoded: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Int {
    let count = try commands.readNumber(encoded)
    guard count <= data.remaining, count <= outputSize - output.count else {
      throw Self.damage("a command exceeds the profile")
    }
    try budget.chargeWork(count: count, unitsEach: 12)
    return count
  }

  /// Reads the columns of a matrix of the given number of bytes, and returns its rows.
  private mutating func readInterleaved(
    _ encoded: Span<UInt8>, width: Int, count: Int
  ) throws(CodecError) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: count)
    for column in 0..<width {
      for index in stride(from: column, to: count, by: width) { result[index] = try data.readByte(encoded) }
    }
    return result
  }

  private mutating func readPredicted(
    _ encoded: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let flags = Int(try commands.readByte(encoded))
    let (width, order) = ((flags & 3) + 1, flags >> 2 & 3)
    guard width != 3, order != 3 else { throw Self.damage("a prediction has width \(width) and order \(order)") }
    let distance = flags & 16 != 0 ? try commands.readNumber(encoded) : width
    guard distance >= width, distance < (output.count + 3) / 4 else {
      throw Self.damage("the distance of a prediction is \(distance)")
    }
    let count = try readCount(encoded, &budget)
    let differences = try readInterleaved(encoded, width: width, count: count)
    for start in stride(from: 0, to: count, by: width) {
      func value(_ back: Int) -> UInt32 {
        var value: UInt32 = 0
        for index in 0..<width { value = value << 8 | UInt32(output[output.count - distance * back + index]) }
        return value
      }
      let predicted: UInt32 =
        switch order {
        case 0: value(1)
        case 1: 2 &* value(1) &- value(2)
        default: 3 &* value(1) &- 3 &* value(2) &+ value(3)
        }
      // All bytes of a value are predicted before the first of them is appended.
      for index in 0..<min(width, count - start) {
        output.append(
          differences[start + index] &+ UInt8(truncatingIfNeeded: predicted >> UInt32(8 * (width - 1 - index))))
      }
    }
  }
}

/// A position in a range of bytes.
struct ByteCursor {
  private(set) var position: Int
  private let end: Int

  init(range: Range<Int>) {
    (position, end) = (range.lowerBound, range.upperBound)
  }

  var remaining: Int { end - position }

  mutating func readByte(_ bytes: Span<UInt8>) throws(CodecError) -> UInt8 {
    guard position < end else { throw ICCProfileCommands.damage("the data ends early") }
    defer { position += 1 }
    return bytes[position]
  }

  /// Reads a number of at most 63 bits, seven of them in each byte, that fits in 31 bits.
  mutating func readNumber(_ bytes: Span<UInt8>) throws(CodecError) -> Int {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while shift < 63 {
      let byte = try readByte(bytes)
      value |= UInt64(byte & 127) << shift
      if byte & 128 == 0 {
        guard value <= 0x7FFF_FFFF else { break }
        return Int(value)
      }
      shift += 7
    }
    throw ICCProfileCommands.damage("a number is too large")
  }
}
