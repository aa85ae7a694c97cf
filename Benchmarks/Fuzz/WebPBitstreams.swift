// WebP containers around input that is a bitstream, to fuzz the bitstream decoders directly.

/// The kind of bitstream that an input is used as.
enum WebPBitstream: String {
  case lossy = "VP8 "
  case lossless = "VP8L"
  /// An alpha plane in the first half of the input and a key frame in the second half.
  case alpha = "ALPH"

  /// Returns a file that contains the input.
  func file(_ input: [UInt8]) -> [UInt8] {
    var chunks: [UInt8]
    switch self {
    case .lossy, .lossless: chunks = Self.chunk(rawValue, input[...])
    case .alpha:
      let half = input.count / 2
      // The canvas has the size stated in the key frame.
      let tag = input[half...].prefix(10)
      let size = tag.count == 10 ? tag.suffix(4).map(Int.init) : [1, 0, 1, 0]
      let width = max(1, (size[0] | size[1] << 8) & 0x3FFF)
      let height = max(1, (size[2] | size[3] << 8) & 0x3FFF)
      let canvas = [16, 0, 0, 0] + Self.little(width - 1, 3) + Self.little(height - 1, 3)
      chunks = Self.chunk("VP8X", canvas[...])
      chunks += Self.chunk("ALPH", input[..<half])
      chunks += Self.chunk("VP8 ", input[half...])
    }
    return Array("RIFF".utf8) + Self.little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  private static func chunk(_ type: String, _ content: ArraySlice<UInt8>) -> [UInt8] {
    var bytes = Array(type.utf8)
    bytes += little(content.count, 4)
    bytes += content
    if content.count % 2 == 1 { bytes.append(0) }
    return bytes
  }
}
