// The refinement passes of high-throughput code-blocks (ITU-T T.814, 7.4 and 7.5).

extension HTBlockDecoder {
  /// The magnitude refinement pass: a bit of the next plane for samples of the cleanup pass.
  func refineMagnitudes(
    _ block: CodedBlock, _ plane: Int, _ bytes: Span<UInt8>, _ segment: Range<Int>, _ samples: inout [Int32]
  ) {
    var bits = HTBackwardBits(segment)
    let half = Int32(1) << Int32(plane - 1)
    for top in stride(from: 0, to: block.height, by: 4) {
      for x in 0..<block.width {
        for y in top..<min(top + 4, block.height) {
          let index = y * block.width + x
          let old = samples[index]
          guard old != 0 else { continue }
          let change = bits.read(1, bytes) == 1 ? half : -half
          samples[index] = old > 0 ? old &+ change : old &- change
        }
      }
    }
  }

  /// The significance propagation pass: samples of the next plane with significant neighbours.
  mutating func propagateSignificance(
    _ block: CodedBlock, _ plane: Int, _ bytes: Span<UInt8>, _ segment: Range<Int>, _ samples: inout [Int32]
  ) {
    var bits = HTForwardBits(segment, filler: 0)
    let value = Int32(3) << Int32(plane - 1)
    let isCausal = block.style.contains(.verticallyCausal)
    let pitch = block.width + 2
    significance = [UInt8](repeating: 0, count: pitch * (block.height + 2))
    for y in 0..<block.height {
      for x in 0..<block.width where samples[y * block.width + x] != 0 { significance[(y + 1) * pitch + x + 1] = 1 }
    }
    for top in stride(from: 0, to: block.height, by: 4) {
      let bottom = min(top + 4, block.height)
      for left in stride(from: 0, to: block.width, by: 4) {
        // The signs of four columns follow their magnitudes.
        var found: UInt32 = 0
        for x in left..<min(left + 4, block.width) {
          for y in top..<bottom where samples[y * block.width + x] == 0 {
            guard hasNeighbor(x, y, pitch, includesBelow: !(isCausal && y == top + 3)) else { continue }
            guard bits.read(1, bytes) == 1 else { continue }
            significance[(y + 1) * pitch + x + 1] = 1
            found |= 1 << UInt32((x - left) * 4 + y - top)
          }
        }
        while found != 0 {
          let position = found.trailingZeroBitCount
          found &= found - 1
          let index = (top + position % 4) * block.width + left + position / 4
          samples[index] = bits.read(1, bytes) == 1 ? -value : value
        }
      }
    }
  }

  /// Whether one of the eight neighbours of a sample is significant.
  private func hasNeighbor(_ x: Int, _ y: Int, _ pitch: Int, includesBelow: Bool) -> Bool {
    let above = y * pitch + x
    let (row, below) = (above + pitch, above + 2 * pitch)
    var any = significance[above] | significance[above + 1] | significance[above + 2]
    any |= significance[row] | significance[row + 2]
    if includesBelow { any |= significance[below] | significance[below + 1] | significance[below + 2] }
    return any != 0
  }
}
