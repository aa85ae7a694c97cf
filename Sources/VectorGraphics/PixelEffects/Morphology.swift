// The largest or smallest sample of a rectangle around each pixel (Filter Effects 1, section 9.17; independent of SVG),
// by the algorithm of van Herk, Gil and Werman: three comparisons per sample and axis, however large the rectangle.

package import ImageCore

/// Dilates or erodes a layer.
package struct Morphology: Sendable {
  package enum Operator: Hashable, Sendable {
    case erode, dilate
  }

  package let `operator`: Operator
  /// The number of pixels before and after a pixel that are included, on each axis.
  package let before: (x: Int, y: Int)
  package let after: (x: Int, y: Int)

  /// - Parameters:
  ///   - before: the number of pixels to the left and above that are included; not negative.
  ///   - after: the number of pixels to the right and below that are included; not negative.
  package init(_ operator: Operator, before: (x: Int, y: Int), after: (x: Int, y: Int)) {
    func bounded(_ value: Int) -> Int { min(max(value, 0), RasterBudget.maximumSide) }
    self.operator = `operator`
    self.before = (bounded(before.x), bounded(before.y))
    self.after = (bounded(after.x), bounded(after.y))
  }

  /// The pixels on which those of an area depend.
  package func source(of area: PixelRect) -> PixelRect {
    area.isEmpty
      ? area
      : PixelRect(
        minX: area.minX - before.x, minY: area.minY - before.y, maxX: area.maxX + after.x, maxY: area.maxY + after.y)
  }

  /// The pixels of an area that can be visible, and those processed for them, all of which are held in memory.
  private func extent(_ bounds: PixelRect, _ area: PixelRect, _ region: PixelRect) -> (PixelRect, work: PixelRect) {
    switch self.operator {
    case .dilate:
      // The result is transparent where no pixel is nearby, and transparency adds nothing.
      let near = PixelRect(
        minX: bounds.minX - after.x, minY: bounds.minY - after.y, maxX: bounds.maxX + before.x,
        maxY: bounds.maxY + before.y)
      let visible = area.intersection(region).intersection(near)
      return (visible, visible.union(source(of: visible).intersection(bounds).intersection(region)))
    case .erode:
      // One transparent pixel around the others has the same effect as many.
      let visible = area.intersection(region).intersection(bounds)
      return (visible, source(of: visible).intersection(region).intersection(bounds.expanded(x: 1, y: 1)))
    }
  }

  /// The pixels processed for those of an area, all of which are held in memory.
  package func work(on bounds: PixelRect, area: PixelRect, region: PixelRect) -> PixelRect {
    extent(bounds, area, region).work
  }

  /// Returns the pixels of an area; pixels outside `region` are ignored. The caller ensures that
  /// ``work(on:area:region:)`` is within its budget.
  package func apply(
    to layer: Layer, area: PixelRect, region: PixelRect, interruption: Interruption = Interruption()
  ) throws(CodecError) -> Layer {
    let (visible, work) = extent(layer.bounds, area, region)
    guard !visible.isEmpty, !layer.bounds.intersection(work).isEmpty else { return Layer(bounds: .empty) }
    var result = layer.extracting(work)
    if before.x > 0 || after.x > 0 {
      try result.updateStrips(along: .horizontal, interruption) { update(&$0, before: before.x, after: after.x) }
    }
    if before.y > 0 || after.y > 0 {
      try result.updateStrips(along: .vertical, interruption) { update(&$0, before: before.y, after: after.y) }
    }
    return visible == work ? result : result.extracting(visible)
  }

  private func update(_ strip: inout PixelStrip, before: Int, after: Int) {
    // A window cannot include more than a whole line.
    let before = min(before, strip.length)
    let after = min(after, strip.length)
    switch self.operator {
    case .erode: takeExtremes(&strip, before, after, neutral: 255) { $0 < $1 ? $0 : $1 }
    case .dilate: takeExtremes(&strip, before, after, neutral: 0) { $0 > $1 ? $0 : $1 }
    }
  }

  /// Lines are divided into blocks as long as the window. A window covers the end of one block and the start of the
  /// next. Its extreme is that of two running extremes: backwards from the end of the first block and forwards from the
  /// start of the second.
  @inline(__always)
  private func takeExtremes(
    _ strip: inout PixelStrip, _ before: Int, _ after: Int, neutral: UInt8, _ choose: (UInt8, UInt8) -> UInt8
  ) {
    let window = before + after + 1
    let stride = strip.stride
    let length = strip.length
    let padded = length + before + after
    // With neutral samples at both ends, place p of the strip is at p + before.
    var forward = [UInt8](repeating: neutral, count: padded * stride)
    var (samples, scratch) = strip.takeSamples()
    let source = samples.span
    var running = forward.mutableSpan
    for place in 0..<length {
      var row = running._mutatingExtracting((place + before) * stride..<(place + before + 1) * stride)
      let line = source.extracting(place * stride..<(place + 1) * stride)
      precondition(line.count == row.count)
      for index in row.indices { row[index] = line[index] }
    }
    var backward = forward
    running = forward.mutableSpan
    for place in 1..<padded where place % window != 0 {
      combine(&running, place, with: place - 1, stride, choose)
    }
    var reversed = backward.mutableSpan
    for place in Swift.stride(from: padded - 2, through: 0, by: -1) where (place + 1) % window != 0 {
      combine(&reversed, place, with: place + 1, stride, choose)
    }
    let starts = backward.span
    let ends = forward.span
    var output = scratch.mutableSpan
    for place in 0..<length {
      let first = starts.extracting(place * stride..<(place + 1) * stride)
      let last = ends.extracting((place + window - 1) * stride..<(place + window) * stride)
      var row = output._mutatingExtracting(place * stride..<(place + 1) * stride)
      precondition(first.count == row.count && last.count == row.count)
      for index in row.indices { row[index] = choose(first[index], last[index]) }
    }
    strip.giveBack(scratch, samples)
  }

  @inline(__always)
  private func combine(
    _ rows: inout MutableSpan<UInt8>, _ place: Int, with other: Int, _ stride: Int, _ choose: (UInt8, UInt8) -> UInt8
  ) {
    // Two rows of one span: the lower half is split off, so that each row has a separate span.
    let low = min(place, other)
    for index in 0..<stride {
      let first = low &* stride &+ index
      let second = first &+ stride
      let value = choose(rows[first], rows[second])
      if place < other { rows[first] = value } else { rows[second] = value }
    }
  }
}
