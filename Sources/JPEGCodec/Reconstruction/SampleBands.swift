// The samples of two rows of MCUs of every component, written by the inverse DCT and read by upsampling. There are two
// because triangle filters need a row of the neighbouring band.

internal import ImageCoding

/// A ring of sample rows for each component, and one upsampled row for each.
struct SampleBands {
  /// The storage of a component's samples.
  struct Plane {
    /// The index of the first sample of ring row 0.
    var start: Int
    /// The distance between two rows.
    var stride: Int
    /// The number of rows in the ring: two bands of blocks.
    var ringRowCount: Int
    /// The number of rows in one band.
    var bandRowCount: Int
    /// The number of samples in a row of the component, without padding.
    var width: Int
    /// The number of rows of the component, without padding.
    var height: Int
    /// The width and height of a block in samples.
    var blockSize: Int

    /// The index of the first sample of a row; rows outside the component are clamped to its edge.
    func rowStart(_ row: Int) -> Int {
      start + (min(max(row, 0), height - 1) % ringRowCount) * stride
    }
  }

  private(set) var planes: [Plane] = []
  /// The rings of all components.
  var samples: [UInt8]
  /// One row per component, as wide as the picture rounded up to MCUs.
  var upsampled: [UInt8]
  /// The number of samples in an upsampled row.
  let upsampledStride: Int

  /// The number of samples after the last one of a row that kernels may read.
  static let margin = 32

  init(frame: FrameHeader, pool: BufferPool?) {
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
    samples = pool.buffer(count)
    upsampledStride = frame.mcusPerRow * frame.mcuWidth + Self.margin
    upsampled = pool.buffer(upsampledStride * frame.components.count)
  }

  /// The location of a row at the picture's full width.
  struct RowPlace {
    /// Whether the row is in ``upsampled`` rather than in ``samples``.
    var isUpsampled = false
    /// The index of the first sample.
    var start = 0
  }

  /// Returns the first `count` samples of a row.
  @_lifetime(borrow self)
  func row(_ place: RowPlace, count: Int) -> Span<UInt8> {
    let range = place.start..<place.start + count
    return place.isUpsampled ? upsampled.span.extracting(range) : samples.span.extracting(range)
  }

  /// Returns the buffers to the pool.
  mutating func recycleBuffers(_ pool: BufferPool?) {
    pool.recycle(&samples)
    pool.recycle(&upsampled)
  }

  /// The number of bytes needed for the bands of a frame.
  static func byteCount(for frame: FrameHeader) -> Int {
    frame.components.reduce(0) { sum, component in
      let stride = component.paddedBlocksPerRow * component.blockSize + margin
      return sum + stride * 2 * frame.bandRowCount(component) + frame.mcusPerRow * frame.mcuWidth + margin
    }
  }

  /// Fills a band with the level of blocks without coefficients.
  mutating func fillBand(_ band: Int) {
    for plane in planes {
      let start = plane.start + (band & 1) * plane.bandRowCount * plane.stride
      for index in start..<start + plane.bandRowCount * plane.stride { samples[index] = 128 }
    }
  }

  /// Copies the samples of a band from those of other bands of the same frame.
  mutating func copyBand(_ band: Int, from others: [UInt8]) {
    let source = others.span
    let planes = planes
    var target = samples.mutableSpan
    for plane in planes {
      let start = plane.start + (band & 1) * plane.bandRowCount * plane.stride
      let range = start..<start + plane.bandRowCount * plane.stride
      var part = target._mutatingExtracting(range)
      copyBytes(source.extracting(range), into: &part)
    }
  }

  /// Returns the locations of an MCU's blocks in a band.
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
