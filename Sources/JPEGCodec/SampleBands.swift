// The samples of two rows of MCUs of every component: what the inverse DCT writes and upsampling reads. Two, because
// triangle filters need a row of the neighbouring band.

internal import ImageCore

/// A ring of sample rows for each component, and scratch rows behind them, in one array.
struct SampleBands {
  /// Where the samples of a component lie.
  struct Plane {
    /// The index of the first sample of ring row 0.
    var start: Int
    /// The distance of two rows.
    var stride: Int
    /// Rows in the ring: two bands of blocks.
    var ringRowCount: Int
    /// Rows of one band.
    var bandRowCount: Int
    /// Samples in a row of the component, without padding.
    var width: Int
    /// Rows of the component, without padding.
    var height: Int
    /// Samples across and down of a block.
    var blockSize: Int

    /// The index of the first sample of a row, which is clamped to the component.
    func rowStart(_ row: Int) -> Int {
      start + (min(max(row, 0), height - 1) % ringRowCount) * stride
    }
  }

  private(set) var planes: [Plane] = []
  /// Where the scratch rows start: one for each component, as wide as the picture rounded up to MCUs.
  let scratchStart: Int
  /// Samples of a scratch row.
  let scratchStride: Int
  var samples: [UInt8]

  /// Samples behind the last one of a row that kernels may read.
  static let margin = 32

  init(frame: FrameHeader) {
    var count = 0
    for component in frame.components {
      let stride = component.paddedBlocksPerRow * component.blockSize + Self.margin
      let bandRowCount = frame.bandRowCount(component)
      planes.append(
        Plane(
          start: count, stride: stride, ringRowCount: 2 * bandRowCount, bandRowCount: bandRowCount,
          width: component.width, height: component.height, blockSize: component.blockSize))
      count += stride * 2 * bandRowCount
    }
    scratchStart = count
    scratchStride = frame.mcusPerRow * frame.mcuWidth + Self.margin
    samples = [UInt8](repeating: 0, count: count + scratchStride * frame.components.count)
  }

  /// Sets a band to the level of blocks without coefficients.
  mutating func fillBand(_ band: Int) {
    for plane in planes {
      let start = plane.start + (band & 1) * plane.bandRowCount * plane.stride
      for index in start..<start + plane.bandRowCount * plane.stride { samples[index] = 128 }
    }
  }

  /// Where the blocks of an MCU go, for a band.
  func targets(of tables: borrowing ScanTables, band: Int) -> [SampleTarget] {
    tables.blocks.map { block in
      let plane = planes[block.component]
      let firstRow = (band & 1) * plane.bandRowCount + block.row * plane.blockSize
      return SampleTarget(
        start: plane.start + firstRow * plane.stride + block.column * plane.blockSize,
        step: block.columnCount * plane.blockSize, stride: plane.stride, blockSize: plane.blockSize)
    }
  }
}
