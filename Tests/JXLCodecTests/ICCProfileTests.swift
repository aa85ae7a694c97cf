// Encoded ICC profiles that are written by hand.

import ImageCoding
import JXLCodec
import Testing

@Suite struct ICCProfileTests {
  private func decode(_ size: Int, _ commands: [UInt8], _ data: [UInt8]) throws -> [UInt8] {
    var budget = ResourceBudget(.default)
    let sizes: [UInt8] = [UInt8(size & 127 | 128), UInt8(size >> 7), UInt8(commands.count)]
    return try ICCProfileCommands.decode((sizes + commands + data).span, budget: &budget)
  }

  /// The header that is predicted, of a profile of this size.
  static func header(_ size: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 128)
    bytes.replaceSubrange(2..<4, with: [UInt8(size >> 8), UInt8(size & 255)])
    bytes[8] = 4
    bytes.replaceSubrange(12..<24, with: "mntrRGB XYZ ".utf8)
    bytes.replaceSubrange(36..<40, with: "acsp".utf8)
    bytes.replaceSubrange(68..<80, with: [0, 0, 246, 214, 0, 1, 0, 0, 0, 0, 211, 45])
    return bytes
  }

  private let noDifferences = [UInt8](repeating: 0, count: 128)

  @Test func predictedHeaderAndCopies() throws {
    // No tags, then three bytes that are copied.
    let profile = try decode(131, [0, 1, 3], noDifferences + [7, 8, 9])
    #expect(profile == Self.header(131) + [7, 8, 9])
  }

  @Test func platformNames() throws {
    for name in ["APPL", "MSFT", "SGI ", "SUNW"] {
      var differences = noDifferences
      let letters = Array(name.utf8)
      differences[40] = letters[0]
      // After S, the second letter is not predicted.
      if letters[0] == UInt8(ascii: "S") { differences[41] = letters[1] }
      var expected = Self.header(128)
      expected.replaceSubrange(40..<44, with: letters)
      #expect(try decode(128, [0], differences) == expected)
    }
  }

  @Test func tags() throws {
    // Two tags at the end of the list: a white point of 20 bytes whose position is stated, and a copyright whose size is. Their contents
    // are a colour and a text.
    let size = 128 + 4 + 24 + 20 + 10
    let commands: [UInt8] = [3, 5 | 0x40, 0x9C, 1, 4 | 0x80, 10, 0, 10, 18, 1, 2]
    let profile = try decode(size, commands, noDifferences + Array(1...12) + [65, 66])
    var expected = Self.header(size) + [0, 0, 0, 2]
    expected += Array("wtpt".utf8) + [0, 0, 0, 156, 0, 0, 0, 20]
    expected += Array("cprt".utf8) + [0, 0, 0, 176, 0, 0, 0, 10]
    expected += Array("XYZ ".utf8) + [0, 0, 0, 0] + Array(1...12)
    expected += Array("text".utf8) + [0, 0, 0, 0, 65, 66]
    #expect(profile == expected)
  }

  @Test func interleavedAndPredictedValues() throws {
    // Six bytes in two columns, then 16-bit values that grow by 5, of which the differences from the line through the
    // two previous ones are stored in two columns.
    let size = 128 + 8 + 6
    let interleaved: [UInt8] = [0, 0, 0, 0, 10, 15, 20, 25]
    let commands: [UInt8] = [0, 2, 8, 4, 1 | 1 << 2, 6]
    let profile = try decode(size, commands, noDifferences + interleaved + [0, 0, 0, 0, 0, 1])
    #expect(profile == Self.header(size) + [0, 10, 0, 15, 0, 20, 0, 25] + [0, 30, 0, 35, 0, 41])
  }

  @Test func damage() {
    // Too short, an unknown command, and a copy beyond the data.
    for (size, commands) in [(130, [0]), (130, [0, 99]), (130, [0, 1, 2])] as [(Int, [UInt8])] {
      #expect { try decode(size, commands, noDifferences) } throws: { ($0 as? CodecError)?.kind == .malformed }
    }
  }
}
