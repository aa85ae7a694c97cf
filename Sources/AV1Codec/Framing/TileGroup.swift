// Tile groups (section 5.11.1).

internal import ImageCoding
internal import PixelPlanes

/// The tiles of a tile group.
struct TileGroup {
  /// The number of the first tile.
  let first: Int
  /// The bytes of each tile.
  let ranges: [Range<Int>]
  /// The error because of which the last tiles of the group are missing.
  let failure: CodecError?

  /// - Parameters:
  ///   - start: the index of the first byte of the tile group.
  ///   - end: the end of its OBU.
  ///   - nextTile: the number of tiles that were decoded.
  /// - Throws: `CodecError.Kind.malformed`, `CodecError.Kind.truncated` if no tile can be located.
  init(
    _ bytes: Span<UInt8>, start: Int, end: Int, _ tiles: TileLayout, nextTile: Int
  ) throws(CodecError) {
    var reader = BitReader(bytes.extracting(start..<end))
    var (first, last) = (0, tiles.count - 1)
    if tiles.count > 1, reader.readFlag() {
      first = reader.readInt(tiles.log2Columns + tiles.log2Rows)
      last = reader.readInt(tiles.log2Columns + tiles.log2Rows)
    }
    guard !reader.isExhausted else { throw CodecError(.truncated, "a tile group ends early", byteOffset: start) }
    guard first == nextTile, last >= first, last < tiles.count else {
      throw CodecError(.malformed, "a tile group has the tiles \(first) to \(last)", byteOffset: start)
    }
    var position = start + reader.alignedIndex
    var ranges: [Range<Int>] = []
    var failure: CodecError?
    for tile in first...last {
      var size = end - position
      if tile < last {
        guard size >= tiles.sizeByteCount else {
          failure = CodecError(.truncated, "a tile group ends early", byteOffset: position)
          break
        }
        var coded: UInt32 = 0
        for index in 0..<tiles.sizeByteCount { coded |= UInt32(bytes[position + index]) << UInt32(index * 8) }
        position += tiles.sizeByteCount
        size -= tiles.sizeByteCount
        if coded < UInt32(clamping: size) {
          size = Int(coded) + 1
        } else {
          failure = CodecError(.truncated, "a tile ends early", byteOffset: position)
        }
      }
      guard size > 0 else {
        failure = failure ?? CodecError(.truncated, "a tile is empty", byteOffset: position)
        break
      }
      ranges.append(position..<position + size)
      position += size
      if failure != nil { break }
    }
    (self.first, self.ranges, self.failure) = (first, ranges, failure)
  }
}
