// Horizontal super-resolution (section 7.16).

internal import ImageCoding

/// Interpolates the columns of a frame that was coded with fewer of them.
struct SuperResolution {
  private let parameters: FrameParameters

  private static let scaleBitCount = 14
  private static let tapCount = 8

  init(_ parameters: FrameParameters) {
    self.parameters = parameters
  }

  /// Interpolates all rows of all planes.
  func upscale(
    _ source: borrowing SampleBuffer, _ target: inout SampleBuffer, _ interruption: Interruption
  ) throws(CodecError) {
    for plane in 0..<parameters.planeCount {
      let (shiftX, shiftY) = parameters.shifts(plane)
      let sourceWidth = (parameters.size.codedWidth + shiftX) >> shiftX
      let width = (parameters.size.width + shiftX) >> shiftX
      let rows = (parameters.size.height + shiftY) >> shiftY
      let step = (sourceWidth << Self.scaleBitCount + width / 2) / width
      let error = width * step - sourceWidth << Self.scaleBitCount
      let offset = (-((width - sourceWidth) << (Self.scaleBitCount - 1)) + width / 2) / width
      let start = (offset + 128 - error / 2) & (1 << Self.scaleBitCount - 1)
      for y in 0..<rows {
        try interruption.check(row: y, width: width)
        let index = target.index(plane, x: 0, y: y)
        var samples = target.samples.mutableSpan
        upscaleRow(
          source.samples.span, at: source.index(plane, x: 0, y: y), count: parameters.columns * 4 >> shiftX, &samples,
          at: index, count: width, start: start, step: step)
      }
    }
  }

  private func upscaleRow(
    _ source: Span<UInt16>, at from: Int, count sourceCount: Int, _ target: inout MutableSpan<UInt16>, at to: Int,
    count: Int, start: Int, step: Int
  ) {
    let maximum = Int32(1) << Int32(parameters.bitDepth) - 1
    var position = start - 1 << Self.scaleBitCount
    for x in 0..<count {
      let first = position >> Self.scaleBitCount - 3
      let phase = (position & (1 << Self.scaleBitCount - 1)) >> 8
      var sum: Int32 = 64
      for tap in 0..<Self.tapCount {
        let column = min(max(first &+ tap, 0), sourceCount &- 1)
        sum &+= Int32(source[from &+ column]) &* Int32(upscalingTaps[phase &* Self.tapCount &+ tap])
      }
      target[to &+ x] = UInt16(truncatingIfNeeded: min(max(sum &>> 7, 0), maximum))
      position &+= step
    }
  }
}

/// `Upscale_Filter`: eight taps for each of 64 phases.
private let upscalingTaps: InlineArray<512, Int16> = [
  0, 0, 0, 128, 0, 0, 0, 0, 0, 0, -1, 128, 2, -1, 0, 0, 0, 1, -3, 127, 4, -2, 1, 0, 0, 1, -4, 127, 6, -3, 1, 0, 0, 2,
  -6, 126, 8, -3, 1, 0, 0, 2, -7, 125, 11, -4, 1, 0, -1, 2, -8, 125, 13, -5, 2, 0, -1, 3, -9, 124, 15, -6, 2, 0, -1,
  3, -10, 123, 18, -6, 2, -1, -1, 3, -11, 122, 20, -7, 3, -1, -1, 4, -12, 121, 22, -8, 3, -1, -1, 4, -13, 120, 25,
  -9, 3, -1, -1, 4, -14, 118, 28, -9, 3, -1, -1, 4, -15, 117, 30, -10, 4, -1, -1, 5, -16, 116, 32, -11, 4, -1, -1, 5,
  -16, 114, 35, -12, 4, -1, -1, 5, -17, 112, 38, -12, 4, -1, -1, 5, -18, 111, 40, -13, 5, -1, -1, 5, -18, 109, 43,
  -14, 5, -1, -1, 6, -19, 107, 45, -14, 5, -1, -1, 6, -19, 105, 48, -15, 5, -1, -1, 6, -19, 103, 51, -16, 5, -1, -1,
  6, -20, 101, 53, -16, 6, -1, -1, 6, -20, 99, 56, -17, 6, -1, -1, 6, -20, 97, 58, -17, 6, -1, -1, 6, -20, 95, 61,
  -18, 6, -1, -2, 7, -20, 93, 64, -18, 6, -2, -2, 7, -20, 91, 66, -19, 6, -1, -2, 7, -20, 88, 69, -19, 6, -1, -2, 7,
  -20, 86, 71, -19, 6, -1, -2, 7, -20, 84, 74, -20, 7, -2, -2, 7, -20, 81, 76, -20, 7, -1, -2, 7, -20, 79, 79, -20,
  7, -2, -1, 7, -20, 76, 81, -20, 7, -2, -2, 7, -20, 74, 84, -20, 7, -2, -1, 6, -19, 71, 86, -20, 7, -2, -1, 6, -19,
  69, 88, -20, 7, -2, -1, 6, -19, 66, 91, -20, 7, -2, -2, 6, -18, 64, 93, -20, 7, -2, -1, 6, -18, 61, 95, -20, 6, -1,
  -1, 6, -17, 58, 97, -20, 6, -1, -1, 6, -17, 56, 99, -20, 6, -1, -1, 6, -16, 53, 101, -20, 6, -1, -1, 5, -16, 51,
  103, -19, 6, -1, -1, 5, -15, 48, 105, -19, 6, -1, -1, 5, -14, 45, 107, -19, 6, -1, -1, 5, -14, 43, 109, -18, 5, -1,
  -1, 5, -13, 40, 111, -18, 5, -1, -1, 4, -12, 38, 112, -17, 5, -1, -1, 4, -12, 35, 114, -16, 5, -1, -1, 4, -11, 32,
  116, -16, 5, -1, -1, 4, -10, 30, 117, -15, 4, -1, -1, 3, -9, 28, 118, -14, 4, -1, -1, 3, -9, 25, 120, -13, 4, -1,
  -1, 3, -8, 22, 121, -12, 4, -1, -1, 3, -7, 20, 122, -11, 3, -1, -1, 2, -6, 18, 123, -10, 3, -1, 0, 2, -6, 15, 124,
  -9, 3, -1, 0, 2, -5, 13, 125, -8, 2, -1, 0, 1, -4, 11, 125, -7, 2, 0, 0, 1, -3, 8, 126, -6, 2, 0, 0, 1, -3, 6, 127,
  -4, 1, 0, 0, 1, -2, 4, 127, -3, 1, 0, 0, 0, -1, 2, 128, -1, 0, 0,
]
