// Copies pixels to rotated and mirrored positions.

/// The positions of pixels in memory: the byte offset of the first, and the byte strides of one column and one row, which
/// may be negative.
struct PixelWalk {
  var start: Int
  var columnStep: Int
  var rowStep: Int
}

/// Copies pixels from the positions of a walk in `source` into rows of `output`, which start `bytesPerRow` bytes apart.
///
/// Blocks of pixels are copied whose rows of both images fit in the first-level cache. Where rows become columns, each
/// row of pixels would otherwise fetch a cache line for every pixel.
func copyPixels(
  _ source: Span<UInt8>, _ walk: PixelWalk, bytesPerPixel: Int, columns: Int, rows: Int,
  into output: inout MutableSpan<UInt8>, bytesPerRow: Int
) {
  guard columns > 0, rows > 0 else { return }
  let across = walk.columnStep * (columns - 1)
  let down = walk.rowStep * (rows - 1)
  let first = walk.start + min(across, 0) + min(down, 0)
  let last = walk.start + max(across, 0) + max(down, 0)
  precondition(first >= 0 && last + bytesPerPixel <= source.count, "the walk leaves the source")
  precondition(
    columns * bytesPerPixel <= bytesPerRow && (rows - 1) * bytesPerRow + columns * bytesPerPixel <= output.count,
    "the rows leave the output")
  // SAFETY: all pixels of the walk are between those of the four corners, and all of the output below the last row's
  // end, as checked. No type has more bytes than a pixel.
  unsafe source.withUnsafeBytes { source in
    unsafe output.withUnsafeMutableBytes { output in
      guard let from = source.baseAddress, let to = output.baseAddress else { return }
      let blocks = unsafe PixelBlocks(
        from: from, walk: walk, columns: columns, rows: rows, to: to, bytesPerRow: bytesPerRow)
      switch bytesPerPixel {
      case 1: unsafe blocks.copy(UInt8.self)
      case 2: unsafe blocks.copy(UInt16.self)
      case 4: unsafe blocks.copy(UInt32.self)
      case 8: unsafe blocks.copy(UInt64.self)
      case 16: unsafe blocks.copy(SIMD2<UInt64>.self)
      case 3: unsafe blocks.copy(UInt8.self, perPixel: 3)
      case 6: unsafe blocks.copy(UInt16.self, perPixel: 3)
      case 12: unsafe blocks.copy(UInt32.self, perPixel: 3)
      default: unsafe blocks.copy(UInt8.self, perPixel: bytesPerPixel)
      }
    }
  }
}

/// The copy of pixels in blocks.
@unsafe private struct PixelBlocks {
  let from: UnsafeRawPointer
  let walk: PixelWalk
  let columns: Int
  let rows: Int
  let to: UnsafeMutableRawPointer
  let bytesPerRow: Int

  /// Copies pixels of a number of words each.
  @inline(__always)
  func copy<Word: BitwiseCopyable>(_ type: Word.Type, perPixel count: Int = 1) {
    let size = MemoryLayout<Word>.size
    // Rows that remain rows need no blocks.
    let isTransposed = unsafe walk.columnStep.magnitude != size * count
    let (height, width) = unsafe isTransposed ? (32, 32) : (1, columns)
    for top in unsafe stride(from: 0, to: rows, by: height) {
      for left in unsafe stride(from: 0, to: columns, by: width) {
        for y in unsafe top..<min(top + height, rows) {
          var from = unsafe from + (walk.start &+ y &* walk.rowStep &+ left &* walk.columnStep)
          var to = unsafe to + (y &* bytesPerRow &+ left &* size &* count)
          for _ in unsafe left..<min(left + width, columns) {
            // SAFETY: `copyPixels` checks that all pixels are inside both images.
            for offset in stride(from: 0, to: size * count, by: size) {
              unsafe to.storeBytes(
                of: from.loadUnaligned(fromByteOffset: offset, as: Word.self), toByteOffset: offset, as: Word.self)
            }
            unsafe from += walk.columnStep
            unsafe to += size &* count
          }
        }
      }
    }
  }
}
