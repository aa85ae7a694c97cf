// The frames of an APNG: each is stored as the smallest rectangle that contains all differences from the previous one.

internal import ImageCoding

/// Writes the chunks of an animation, frame by frame.
struct AnimationEncoder {
  private let encoder: ImageDataEncoder
  private var sequenceNumber: UInt32 = 0
  private var previous: Bitmap?

  /// The work of converting a pixel and comparing it with that of the previous frame.
  private static let workPerPixel = 10

  init(encoder: ImageDataEncoder) {
    self.encoder = encoder
  }

  /// Writes a frame, and charges the picture that is kept for comparison with the next one, and the chunks.
  mutating func append(
    _ frame: AnimationFrame, to writer: inout ChunkWriter, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    // Frames are compared in the layout's own format, in which all have comparable samples.
    let format = encoder.layout.rowFormat
    try budget.allocatePixels(
      width: frame.bitmap.width, height: frame.bitmap.height, bytesPerPixel: format.bytesPerPixel)
    let picture = try frame.bitmap.converted(to: format, workPerPixel: Self.workPerPixel, budget: &budget)
    let whole = PixelRegion(x: 0, y: 0, width: picture.width, height: picture.height)
    let changed = try previous.map { (old) throws(CodecError) in
      try changedRegion(from: old, to: picture, budget.interruption)
    }
    let region = changed ?? whole
    let control = frameControl(region, delay: frame.delay)
    try budget.allocate(control.count + ChunkWriter.overhead)
    writer.append(.frameControl, control)
    var part = picture
    if region != whole {
      try budget.allocatePixels(width: region.width, height: region.height, bytesPerPixel: format.bytesPerPixel)
      part = try picture.copy(of: region)
    }
    let isFirst = previous == nil
    try encoder.encode(part, &budget) { (data, budget) throws(CodecError) in
      if isFirst {
        try budget.allocate(data.count + ChunkWriter.overhead)
        writer.append(.imageData, data)
      } else {
        // The copy with a number is held for a moment.
        try budget.allocate(2 * (data.count + ChunkWriter.overhead + 4))
        defer { budget.release(data.count + ChunkWriter.overhead + 4) }
        var numbered = ByteWriter(.bigEndian)
        numbered.append(takeSequenceNumber())
        numbered.append(data)
        writer.append(.frameData, numbered.bytes)
      }
    }
    if region != whole { budget.release(part.byteCount) }
    releaseFrames(&budget)
    previous = picture
  }

  /// Credits the picture that is kept.
  mutating func releaseFrames(_ budget: inout ResourceBudget) {
    budget.release(previous?.byteCount ?? 0)
    previous = nil
  }

  private mutating func takeSequenceNumber() -> UInt32 {
    defer { sequenceNumber &+= 1 }
    return sequenceNumber
  }

  private mutating func frameControl(_ region: PixelRegion, delay: Duration) -> [UInt8] {
    var data = ByteWriter(.bigEndian)
    data.append(takeSequenceNumber())
    for value in [region.width, region.height, region.x, region.y] {
      data.append(UInt32(truncatingIfNeeded: value))
    }
    let fraction = DelayFraction(delay)
    data.append(fraction.numerator)
    data.append(fraction.denominator)
    // Disposal: keep the frame. Blending: replace the canvas.
    data.append([0, 0])
    return data.bytes
  }
}

/// The smallest rectangle that contains all differences between two bitmaps of equal size and format; one pixel if they
/// are equal.
private func changedRegion(
  from old: Bitmap, to new: Bitmap, _ interruption: Interruption
) throws(CodecError) -> PixelRegion {
  let bytesPerPixel = new.format.bytesPerPixel
  var (top, bottom) = (new.height, -1)
  var (left, right) = (new.width, -1)
  for y in 0..<new.height {
    try interruption.check(row: y, width: new.width)
    let before = old.row(y)
    let after = new.row(y)
    guard let first = after.indices.first(where: { before[$0] != after[$0] }) else { continue }
    let last = after.indices.last { before[$0] != after[$0] } ?? first
    top = min(top, y)
    bottom = y
    left = min(left, first / bytesPerPixel)
    right = max(right, last / bytesPerPixel)
  }
  if bottom < 0 { return PixelRegion(x: 0, y: 0, width: 1, height: 1) }
  return PixelRegion(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
}

/// A delay in seconds, as a fraction of two 16-bit numbers.
package struct DelayFraction: Hashable {
  package let numerator: UInt16
  package let denominator: UInt16

  /// Uses the exact fraction if there is one with a denominator up to 1,000; otherwise whole milliseconds, or coarser
  /// units for delays above 65 seconds.
  package init(_ delay: Duration) {
    let (seconds, attoseconds) = delay.components
    let nanoseconds = max(0, min(seconds, 65_535)) * 1_000_000_000 + max(0, attoseconds / 1_000_000_000)
    for denominator in [1000, 100] + Array(1...999) {
      let numerator = (nanoseconds * Int64(denominator) + 500_000_000) / 1_000_000_000
      if numerator <= 65_535, numerator * 1_000_000_000 / Int64(denominator) == nanoseconds {
        self.init(numerator, denominator)
        return
      }
    }
    for denominator in [1000, 100, 10] {
      let numerator = (nanoseconds * Int64(denominator) + 500_000_000) / 1_000_000_000
      if numerator <= 65_535 {
        self.init(numerator, denominator)
        return
      }
    }
    self.init(min(65_535, nanoseconds / 1_000_000_000), 1)
  }

  private init(_ numerator: Int64, _ denominator: Int) {
    self.numerator = UInt16(truncatingIfNeeded: numerator)
    self.denominator = UInt16(truncatingIfNeeded: denominator)
  }
}

extension ChunkWriter {
  /// Appends acTL.
  mutating func appendAnimationControl(frameCount: Int, loopCount: LoopCount) {
    var data = ByteWriter(.bigEndian)
    data.append(UInt32(truncatingIfNeeded: frameCount))
    data.append(UInt32(truncatingIfNeeded: min(loopCount.rawCount, 0x7FFF_FFFF)))
    append(.animationControl, data.bytes)
  }
}
