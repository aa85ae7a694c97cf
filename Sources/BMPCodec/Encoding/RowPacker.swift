// Rows of a bitmap as they are stored: indices or blue, green and red, padded to four bytes.

internal import ImageCoding

/// Packs rows.
package struct RowPacker {
  private var converter: PixelRowConverter
  private let width: Int
  private let depth: Int
  private let indices: [UInt32: UInt8]
  /// The current row as `rgba8`.
  private var row: [UInt8]

  /// Creates a packer.
  ///
  /// - Parameters:
  ///   - depth: 1, 4, 8, 24 or 32 bits per pixel.
  ///   - indices: the index of each colour, by red, green and blue from the lowest byte; unused above 8 bits.
  package init(_ format: PixelFormat, width: Int, depth: Int, indices: [UInt32: UInt8] = [:]) {
    converter = PixelRowConverter(from: format, to: .rgba8)
    self.width = width
    self.depth = depth
    self.indices = indices
    row = [UInt8](repeating: 0, count: width * 4)
  }

  /// Appends a row and its padding.
  package mutating func append(_ source: Span<UInt8>, to bytes: inout [UInt8]) {
    // Moved out of the property while in use, so that nothing is copied.
    var row = row
    self.row = []
    defer { self.row = row }
    var span = row.mutableSpan
    converter.convert(source, into: &span)
    let start = bytes.count
    switch depth {
    case 24, 32:
      for x in 0..<width {
        bytes.append(row[x * 4 + 2])
        bytes.append(row[x * 4 + 1])
        bytes.append(row[x * 4])
        if depth == 32 { bytes.append(row[x * 4 + 3]) }
      }
    default: appendIndices(row.span, to: &bytes)
    }
    while (bytes.count - start) % 4 != 0 { bytes.append(0) }
  }

  private func appendIndices(_ row: Span<UInt8>, to bytes: inout [UInt8]) {
    let perByte = 8 / depth
    var (byte, last, index): (UInt8, UInt32?, UInt8) = (0, nil, 0)
    for x in 0..<width {
      let key = ColorCensus.key(row[x * 4], row[x * 4 + 1], row[x * 4 + 2])
      if key != last {
        last = key
        index = indices[key] ?? 0
      }
      // With eight bits the shift leaves nothing of the byte before.
      byte = byte << UInt8(depth) | index
      if x % perByte == perByte - 1 { bytes.append(byte) }
    }
    let rest = width % perByte
    if rest != 0 { bytes.append(byte << UInt8((perByte - rest) * depth)) }
  }
}
