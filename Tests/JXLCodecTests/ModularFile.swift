// Lossless files of one Modular frame, made by a simple encoder that shares nothing with the decoder.

/// An encoder with one leaf, or with a tree of decisions, and with codes of equal length for all tokens.
struct ModularFile {
  /// A decision tree in breadth-first order: decisions are property and value, leaves predictor, offset, multiplier.
  enum Node {
    case decision(property: Int, value: Int)
    case leaf(predictor: Int, offset: Int, shift: Int)
  }

  var width: Int
  var height: Int
  /// The samples of each channel, before colour transforms: one, two, three or four channels, of which the last of an
  /// even number is alpha.
  var channels: [[Int]]
  var bitCount = 8
  /// The type of the last channel of an even number: 0 alpha, 1 depth, 4 black.
  var extraType = 0
  var tree: [Node] = [.leaf(predictor: 0, offset: 0, shift: 0)]
  var orientation = 1
  /// The ICC profile of a colour image, as it is encoded: 17 to 272 bytes.
  var encodedProfile: [UInt8] = []
  /// Whether the image is an animation of 100 ticks in a second that plays twice.
  var isAnimated = false
  /// The transforms as they are written.
  var transforms: [BitWriter] = []
  /// The residuals of the channels that are coded, if they differ from ``channels``.
  var residuals: [[Int]] = []
  /// The binary logarithm of the size of groups, 7…10.
  var groupShift = 10

  /// The bytes of the codestream.
  var codestream: [UInt8] {
    var writer = BitWriter()
    writer.write(0x0AFF, 16)
    writeHeaders(&writer)
    writer.align()
    writeFrameHeader(&writer)
    Self.writeSections([section.bytes], to: &writer)
    return writer.bytes
  }

  /// Writes a table of contents, and the sections.
  static func writeSections(_ sections: [[UInt8]], to writer: inout BitWriter) {
    writer.write(0, 1)
    writer.align()
    for section in sections {
      writer.writeU32(section.count, [(0, 10), (1024, 14), (17408, 22), (4_211_712, 30)])
    }
    writer.align()
    for byte in sections.joined() { writer.write(Int(byte), 8) }
  }

  private var hasAlpha: Bool { channels.count % 2 == 0 }

  /// Writes the headers of the image, without its signature.
  func writeHeaders(_ writer: inout BitWriter) {
    writer.write(0, 1)
    writer.writeU32(form: 1, height - 1, 13)
    writer.write(0, 3)
    writer.writeU32(form: 1, width - 1, 13)
    // ImageMetadata.
    writer.write(0, 1)
    let hasExtraFields = orientation != 1 || isAnimated
    writer.write(hasExtraFields ? 1 : 0, 1)
    if hasExtraFields {
      writer.write(orientation - 1, 3)
      writer.write(0, 2)
      writer.write(isAnimated ? 1 : 0, 1)
      if isAnimated {
        writer.writeU32(form: 0)
        writer.writeU32(form: 0)
        writer.writeU32(form: 1, 2, 3)
        writer.write(0, 1)
      }
    }
    writeBitDepth(&writer)
    writer.write(1, 1)
    writer.writeU32(form: hasAlpha ? 1 : 0)
    if hasAlpha {
      writer.write(0, 1)
      writer.writeU32(form: min(extraType, 2), extraType - 2, extraType < 2 ? 0 : 4)
      writeBitDepth(&writer)
      writer.writeU32(form: 0)
      writer.writeU32(form: 0)
      if extraType == 0 { writer.write(0, 1) }
    }
    writer.write(0, 1)
    if !encodedProfile.isEmpty {
      writer.write(0, 1)
      writer.write(1, 1)
      writer.writeU32(form: 0)
    } else if channels.count >= 3 {
      writer.write(1, 1)
    } else {
      // Grey, D65, sRGB, relative.
      writer.write(0, 2)
      writer.writeU32(form: 1)
      writer.writeU32(form: 1)
      writer.write(0, 1)
      writer.writeU32(form: 2, 11, 4)
      writer.writeU32(form: 1)
    }
    // Tone mapping, extensions, custom transform.
    if hasExtraFields { writer.write(1, 1) }
    writer.write(0, 2)
    writer.write(1, 1)
    guard !encodedProfile.isEmpty else { return }
    writer.write(2, 2)
    writer.write(encodedProfile.count - 17, 8)
    Self.writeCodes(&writer, contextCount: 41)
    for byte in encodedProfile { Self.writeValue(&writer, Int(byte)) }
  }

  private func writeBitDepth(_ writer: inout BitWriter) {
    writer.write(0, 1)
    writer.writeU32(form: 3, bitCount - 1, 6)
  }

  func writeFrameHeader(_ writer: inout BitWriter) {
    writer.write(0, 1)
    writer.write(0, 2)
    writer.write(1, 1)
    writer.write(0, 2)
    // Neither YCbCr nor upsampling.
    writer.write(0, 1)
    writer.writeU32(form: 0)
    if hasAlpha { writer.writeU32(form: 0) }
    // The size of groups, one pass, no crop, two replacing blends, the last frame, no name.
    writer.write(groupShift - 7, 2)
    writer.writeU32(form: 0)
    writer.write(0, 1)
    writer.writeU32(form: 0)
    if hasAlpha { writer.writeU32(form: 0) }
    writer.write(1, 1)
    writer.writeU32(form: 0)
    // No filters and no extensions.
    writer.write(0, 1)
    writer.write(0, 1)
    writer.write(0, 2)
    writer.write(0, 2)
    writer.write(0, 2)
  }

  /// The only section of the frame, or the first one.
  var section: BitWriter {
    var writer = BitWriter()
    writer.write(1, 1)
    writer.write(1, 1)
    Self.writeCodes(&writer, contextCount: 6)
    for node in tree {
      switch node {
      case .decision(let property, let value):
        Self.writeValue(&writer, property + 1)
        Self.writeValue(&writer, Self.packed(value))
      case .leaf(let predictor, let offset, let shift):
        Self.writeValue(&writer, 0)
        Self.writeValue(&writer, predictor)
        Self.writeValue(&writer, Self.packed(offset))
        Self.writeValue(&writer, shift)
        Self.writeValue(&writer, 0)
      }
    }
    Self.writeCodes(&writer, contextCount: (tree.count + 1) / 2)
    // The stream: the global tree, default weights, transforms.
    writer.write(1, 1)
    writer.write(1, 1)
    writer.writeU32(
      form: transforms.count < 2 ? transforms.count : 2, max(0, transforms.count - 2), transforms.count < 2 ? 0 : 4)
    for transform in transforms { writer.append(transform) }
    for channel in residuals.isEmpty ? channels : residuals {
      for residual in channel { Self.writeValue(&writer, Self.packed(residual)) }
    }
    return writer
  }

  static func packed(_ value: Int) -> Int { value >= 0 ? 2 * value : -2 * value - 1 }

  /// The number of bits of tokens below the split.
  private static let splitExponent = 4

  /// Writes one cluster with 256 tokens of eight bits.
  static func writeCodes(_ writer: inout BitWriter, contextCount: Int) {
    writer.write(0, 1)
    if contextCount > 1 {
      writer.write(1, 1)
      writer.write(0, 2)
    }
    writer.write(1, 1)
    // Split exponent 4 of 15, no high bits and no low bits in tokens.
    writer.write(splitExponent, 4)
    writer.write(0, 3)
    writer.write(0, 3)
    // 256 symbols: 1 + 2⁷ + 127.
    writer.write(1, 1)
    writer.write(7, 4)
    writer.write(127, 7)
    // All code lengths are 8, by a code of code lengths that has only this symbol, and takes no bits.
    writer.write(0, 2)
    for symbol in [1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15] {
      // Length 3 is the bits 10, length 0 the bits 00, low bit first.
      writer.write(symbol == 8 ? 2 : 0, 2)
    }
  }

  /// Writes a number as a token and its additional bits.
  static func writeValue(_ writer: inout BitWriter, _ value: Int) {
    var (token, extra, count) = (value, 0, 0)
    if value >= 1 << splitExponent {
      count = Int.bitWidth - 1 - value.leadingZeroBitCount
      token = 1 << splitExponent + (count - splitExponent)
      extra = value - 1 << count
    }
    for bit in 0..<8 { writer.write(token >> (7 - bit) & 1, 1) }
    writer.write(extra, count)
  }
}
