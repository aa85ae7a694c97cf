// Draws one frame on a canvas, either replacing its pixels or compositing over them with straight alpha.

package import ImageCore

extension Bitmap {
  /// Draws `frame` with its top left corner at `x`, `y`. Both bitmaps are RGBA with straight alpha and of equal depth,
  /// and the frame fits within this bitmap.
  ///
  /// - Parameter budget: charged row by row.
  package mutating func draw(
    _ frame: Bitmap, atX x: Int, y: Int, blend: AnimationFrameInfo.Blend, budget: inout ResourceBudget
  ) throws(CodecError) {
    // Beyond the limit of work, the canvas stays as it is.
    try budget.requireWork(count: frame.width * frame.height, unitsEach: Self.workPerDrawnPixel)
    for line in 0..<frame.height {
      try budget.chargeWork(count: frame.width, unitsEach: Self.workPerDrawnPixel)
      let row = PixelRegion(x: 0, y: line, width: frame.width, height: 1)
      switch blend {
      case .over: draw(row, of: frame, atX: x, y: y + line)
      case .replace: replacePixels(atX: x, y: y + line, with: row, of: frame)
      }
    }
  }

  /// The work units for compositing or copying a pixel.
  private static let workPerDrawnPixel = 4

  /// Composites a region of `frame` over this bitmap, with the top left corner of the region at `x`, `y`. Both bitmaps are
  /// RGBA with straight alpha and of equal depth, and the region is inside of both.
  ///
  /// Compositing is the `over` operation of the PNG specification on straight samples. Colours are rounded to nearest
  /// once.
  package mutating func draw(_ region: PixelRegion, of frame: Bitmap, atX x: Int, y: Int) {
    precondition(frame.format == format && format.straight == format && format.samplesPerPixel == 4)
    let bytesPerPixel = format.bytesPerPixel
    let from = x * bytesPerPixel
    let columns = region.x * bytesPerPixel..<(region.x + region.width) * bytesPerPixel
    precondition(!format.sampleType.isFloatingPoint, "the samples of the animation are not integers")
    let isWide = format.sampleType == .uint16
    for line in 0..<region.height {
      let input = frame.row(region.y + line).extracting(columns)
      let end = from + input.count
      var row = mutableRow(y + line)
      var part = row._mutatingExtracting(from..<end)
      if isWide { blendOver16(input, onto: &part) } else { blendOver8(input, onto: &part) }
    }
  }
}

private func blendOver8(_ source: Span<UInt8>, onto target: inout MutableSpan<UInt8>) {
  var index = 0
  while index < source.count {
    let alpha = UInt32(source[index &+ 3])
    if alpha == 255 || (alpha != 0 && target[index &+ 3] == 0) {
      for sample in index..<index &+ 4 { target[sample] = source[sample] }
    } else if alpha != 0 {
      // A weight of 255² is full alpha.
      let sourceWeight = alpha &* 255
      let targetWeight = (255 &- alpha) &* UInt32(target[index &+ 3])
      let weight = sourceWeight &+ targetWeight
      for sample in index..<index &+ 3 {
        let sum = UInt32(source[sample]) &* sourceWeight &+ UInt32(target[sample]) &* targetWeight
        target[sample] = UInt8(truncatingIfNeeded: (sum &+ weight &>> 1) / weight)
      }
      target[index &+ 3] = UInt8(truncatingIfNeeded: (weight &+ 127) / 255)
    }
    index &+= 4
  }
}

private func blendOver16(_ source: Span<UInt8>, onto target: inout MutableSpan<UInt8>) {
  var index = 0
  while index < source.count {
    let alpha = UInt64(nativeUInt16(source, at: index &+ 6))
    let below = UInt64(nativeUInt16(target.span, at: index &+ 6))
    if alpha == 65535 || (alpha != 0 && below == 0) {
      for byte in index..<index &+ 8 { target[byte] = source[byte] }
    } else if alpha != 0 {
      let sourceWeight = alpha &* 65535
      let targetWeight = (65535 &- alpha) &* below
      let weight = sourceWeight &+ targetWeight
      for offset in [index, index &+ 2, index &+ 4] {
        let sum =
          UInt64(nativeUInt16(source, at: offset)) &* sourceWeight
          &+ UInt64(nativeUInt16(target.span, at: offset)) &* targetWeight
        storeNativeUInt16(UInt16(truncatingIfNeeded: (sum &+ weight &>> 1) / weight), into: &target, at: offset)
      }
      let result = UInt16(truncatingIfNeeded: (weight &+ 32767) / 65535)
      storeNativeUInt16(result, into: &target, at: index &+ 6)
    }
    index &+= 8
  }
}
