// The winding numbers in a row of pixels, found scanline by scanline.
//
// The accumulated area of a pixel is the integral of the winding number, and the coverage only if the numbers within the
// pixel are adjacent ones: 0 and 1, or 0 and -1. Edges of opposite contours that meet in a pixel otherwise cancel, and
// those of overlapping contours count twice. The scan finds the rows in which that happens, and the edges that the
// outline of the filled area consists of.
//
// A row is divided into slabs in which no edge begins or ends and no edges cross, so that in each the order of its edges
// from left to right is the same at the top and at the bottom.

internal import ImageCore

/// A boundary of the filled area: the part of an edge in a slab.
struct InsideBoundary {
  /// The column at the top of the slab.
  var x0: Int32
  /// The column at the bottom.
  var x1: Int32
  var height: Int32
  /// 1 if the area begins there, -1 if it ends there.
  var winding: Int32
}

/// Scans rows. It keeps its memory between them.
struct WindingScan: Sendable {
  /// An edge in a slab.
  private struct Crossing {
    /// The columns at the top and at the bottom.
    var x0: Int32 = 0
    var x1: Int32 = 0
    var piece: RowPiece
    /// Twice the column in the middle.
    var middle: Int32 { x0 &+ x1 }
  }

  /// The winding number on the left of a group of pieces, from a scanline on.
  private struct Step {
    var y: Int32
    var winding: Int32
  }

  private var crossings: [Crossing] = []
  private var steps: [Step] = []
  private var nextSteps: [Step] = []
  private var isEvenOdd = false
  /// Work done and not yet charged.
  private var work = 0

  /// Edges whose distance is at most this coincide. Positions of edges are rounded to the grid.
  private static let tolerance: Int32 = 1
  /// The height below which slabs are not divided further.
  private static let minimumHeight: Int32 = 2
  /// The number of pieces in a group above which its slabs have a fixed height, so that their number is limited.
  private static let maximumExactCount = 48
  private static let fixedHeight: Int32 = 16
  private static let workPerSlab = 20
  private static let workPerCrossing = 12

  /// Whether the accumulated areas of a row are its coverage. Reorders the pieces.
  mutating func areasAreCoverage(
    _ pieces: inout [RowPiece], _ range: Range<Int>, isEvenOdd: Bool, budget: inout RasterBudget
  ) throws(CodecError) -> Bool {
    self.isEvenOdd = isEvenOdd
    sortFromLeft(&pieces, range)
    var isExact = true
    try scan(&pieces, range, budget: &budget, stopsAtConflict: true, isExact: &isExact) { _ in }
    return isExact
  }

  /// Finds the boundaries of the filled area. The pieces have been reordered by ``areasAreCoverage(_:_:isEvenOdd:budget:)``.
  mutating func findBoundaries(
    _ pieces: inout [RowPiece], _ range: Range<Int>, isEvenOdd: Bool, budget: inout RasterBudget,
    draw: (InsideBoundary) -> Void
  ) throws(CodecError) {
    self.isEvenOdd = isEvenOdd
    sortFromLeft(&pieces, range)
    var isExact = true
    try scan(&pieces, range, budget: &budget, stopsAtConflict: false, isExact: &isExact, draw: draw)
  }

  private func isInside(_ winding: Int32) -> Bool { isEvenOdd ? winding & 1 != 0 : winding != 0 }

  /// Whether the signed area of a pixel with winding numbers in this range is its coverage.
  private func isExact(_ low: Int32, _ high: Int32) -> Bool {
    if isEvenOdd { return high &- low <= 1 }
    return (low >= 0 && high <= 1) || (low >= -1 && high <= 0) || low >= 1 || high <= -1
  }

  /// Visits groups of pieces that share columns, from left to right.
  private mutating func scan(
    _ pieces: inout [RowPiece], _ range: Range<Int>, budget: inout RasterBudget, stopsAtConflict: Bool,
    isExact: inout Bool, draw: (InsideBoundary) -> Void
  ) throws(CodecError) {
    steps.removeAll(keepingCapacity: true)
    steps.append(Step(y: 0, winding: 0))
    work &+= range.count &* 2
    var start = range.lowerBound
    while start < range.upperBound {
      var reach = pieces[start].right >> 8
      var end = start + 1
      while end < range.upperBound, pieces[end].left >> 8 <= reach {
        reach = max(reach, pieces[end].right >> 8)
        end += 1
      }
      if !passSimply(pieces, start, end, draw) {
        let windings = try scanGroup(&pieces, start..<end, budget: &budget, draw)
        if stopsAtConflict, !self.isExact(windings.low, windings.high) {
          isExact = false
          break
        }
      }
      start = end
    }
    try charge(&budget)
  }

  /// Handles the frequent groups: a single edge, or the two sides of a thin shape, each from the top of the row to the
  /// bottom.
  @inline(__always)
  private mutating func passSimply(
    _ pieces: [RowPiece], _ start: Int, _ end: Int, _ draw: (InsideBoundary) -> Void
  ) -> Bool {
    guard steps.count == 1, end &- start <= 2, pieces[start].isFull else { return false }
    let winding = steps[0].winding
    let first = pieces[start]
    if end &- start == 1 {
      steps[0].winding = winding &+ first.winding
      let isInsideBefore = isInside(winding)
      if isInsideBefore != isInside(winding &+ first.winding) {
        draw(InsideBoundary(x0: first.x0, x1: first.x1, height: 256, winding: isInsideBefore ? -1 : 1))
      }
      return true
    }
    let second = pieces[start &+ 1]
    guard second.isFull, winding == 0, first.winding &+ second.winding == 0 else { return false }
    let (top, bottom) = (second.x0 &- first.x0, second.x1 &- first.x1)
    guard (top >= 0 && bottom >= 0) || (top <= 0 && bottom <= 0) else { return false }
    let isOrdered = top >= 0 && bottom >= 0
    draw(InsideBoundary(x0: first.x0, x1: first.x1, height: 256, winding: isOrdered ? 1 : -1))
    draw(InsideBoundary(x0: second.x0, x1: second.x1, height: 256, winding: isOrdered ? -1 : 1))
    return true
  }

  /// Scans a group of pieces slab by slab. Returns the range of winding numbers in its pixels.
  private mutating func scanGroup(
    _ pieces: inout [RowPiece], _ range: Range<Int>, budget: inout RasterBudget, _ draw: (InsideBoundary) -> Void
  ) throws(CodecError) -> (low: Int32, high: Int32) {
    work &+= range.count &* Self.workPerCrossing
    if range.count > Self.maximumExactCount { return try scanCrowd(&pieces, range, budget: &budget, draw) }
    sortFromTop(&pieces, range)
    crossings.removeAll(keepingCapacity: true)
    nextSteps.removeAll(keepingCapacity: true)
    var low = Int32.max
    var high = Int32.min
    var next = range.lowerBound
    var step = 0
    var top: Int32 = 0
    // Where edges cross, slabs are divided: the height of the next one to be tried.
    var height: Int32 = 256
    while top < 256 {
      while step &+ 1 < steps.count, steps[step &+ 1].y <= top { step &+= 1 }
      var bottom = removeEnded(top)
      while next < range.upperBound, pieces[next].y0 <= top {
        crossings.append(Crossing(piece: pieces[next]))
        bottom = min(bottom, pieces[next].y1)
        next &+= 1
      }
      if next < range.upperBound { bottom = min(bottom, pieces[next].y0) }
      if step &+ 1 < steps.count { bottom = min(bottom, steps[step &+ 1].y) }
      bottom = min(bottom, top &+ height)
      while true {
        work &+= Self.workPerSlab &+ crossings.count &* Self.workPerCrossing
        if work > 10_000 { try charge(&budget) }
        let hasCrossing = order(top, bottom)
        if bottom &- top <= Self.minimumHeight || !hasCrossing { break }
        bottom = top &+ (bottom &- top) / 2
      }
      height = max((bottom &- top) &* 2, Self.minimumHeight)
      let winding = passSlab(bottom &- top, steps[step].winding, &low, &high, draw)
      if nextSteps.last?.winding != winding { nextSteps.append(Step(y: top, winding: winding)) }
      top = bottom
    }
    swap(&steps, &nextSteps)
    return (low, high)
  }

  /// Removes the edges that end at or above a scanline. Returns the highest end of the others, or 256.
  @inline(__always)
  private mutating func removeEnded(_ y: Int32) -> Int32 {
    var bottom: Int32 = 256
    var kept = 0
    for index in 0..<crossings.count where crossings[index].piece.y1 > y {
      bottom = min(bottom, crossings[index].piece.y1)
      if kept != index { crossings[kept] = crossings[index] }
      kept &+= 1
    }
    if kept < crossings.count { crossings.removeLast(crossings.count &- kept) }
    return bottom
  }

  /// Scans a group of many pieces in slabs of the same height. A piece belongs to a slab if it crosses its middle.
  @inline(never)
  private mutating func scanCrowd(
    _ pieces: inout [RowPiece], _ range: Range<Int>, budget: inout RasterBudget, _ draw: (InsideBoundary) -> Void
  ) throws(CodecError) -> (low: Int32, high: Int32) {
    try charge(&budget)
    sortFromTop(&pieces, range)
    crossings.removeAll(keepingCapacity: true)
    nextSteps.removeAll(keepingCapacity: true)
    var (low, high) = (Int32.max, Int32.min)
    var next = range.lowerBound
    var step = 0
    for top in stride(from: Int32(0), to: 256, by: Int(Self.fixedHeight)) {
      let middle = top + Self.fixedHeight / 2
      while step + 1 < steps.count, steps[step + 1].y <= middle { step += 1 }
      while next < range.upperBound, pieces[next].y0 <= middle {
        crossings.append(Crossing(piece: pieces[next]))
        next += 1
      }
      _ = removeEnded(middle)
      work &+= Self.workPerSlab &+ crossings.count &* Self.workPerCrossing
      try charge(&budget)
      _ = order(top, top + Self.fixedHeight)
      let winding = passSlab(Self.fixedHeight, steps[step].winding, &low, &high, draw)
      if nextSteps.last?.winding != winding { nextSteps.append(Step(y: top, winding: winding)) }
    }
    swap(&steps, &nextSteps)
    return (low, high)
  }

  /// Sorts the edges of a slab from left to right. Returns whether their order at its top or at its bottom is not that
  /// in the middle.
  private mutating func order(_ top: Int32, _ bottom: Int32) -> Bool {
    let count = crossings.count
    var edges = crossings.mutableSpan
    for index in 0..<count {
      edges[index].x0 = edges[index].piece.x(at: top)
      edges[index].x1 = edges[index].piece.x(at: bottom)
    }
    if count > 32 {
      crossings.sort { $0.middle < $1.middle }
      return hasCrossing
    }
    var hasCrossing = false
    var index = 1
    while index < count {
      let edge = edges[index]
      var place = index
      while place > 0, edges[place &- 1].middle > edge.middle {
        edges[place] = edges[place &- 1]
        place &-= 1
      }
      if place != index { edges[place] = edge }
      index &+= 1
    }
    index = 1
    while index < count {
      let (before, after) = (edges[index &- 1], edges[index])
      hasCrossing =
        hasCrossing || after.x0 < before.x0 &- Self.tolerance || after.x1 < before.x1 &- Self.tolerance
      index &+= 1
    }
    return hasCrossing
  }

  private var hasCrossing: Bool {
    guard crossings.count > 1 else { return false }
    for index in 1..<crossings.count {
      let (before, after) = (crossings[index &- 1], crossings[index])
      if after.x0 < before.x0 &- Self.tolerance || after.x1 < before.x1 &- Self.tolerance { return true }
    }
    return false
  }

  /// Visits the edges of a slab. Returns the winding number on their right.
  @inline(__always)
  private func passSlab(
    _ height: Int32, _ start: Int32, _ low: inout Int32, _ high: inout Int32, _ draw: (InsideBoundary) -> Void
  ) -> Int32 {
    var winding = start
    low = min(low, winding)
    high = max(high, winding)
    var index = 0
    while index < crossings.count {
      let first = crossings[index]
      var after = winding
      // Between edges that coincide there is no area.
      while index < crossings.count, crossings[index].x0 &- first.x0 <= Self.tolerance,
        crossings[index].x1 &- first.x1 <= Self.tolerance
      {
        after &+= crossings[index].piece.winding
        index &+= 1
      }
      let isInsideBefore = isInside(winding)
      if isInsideBefore != isInside(after) {
        draw(InsideBoundary(x0: first.x0, x1: first.x1, height: height, winding: isInsideBefore ? -1 : 1))
      }
      winding = after
      low = min(low, winding)
      high = max(high, winding)
    }
    return winding
  }

  private mutating func charge(_ budget: inout RasterBudget) throws(CodecError) {
    let done = work
    work = 0
    try budget.spendPixels(done)
  }
}

/// Sorts pieces by their left ends. They are nearly in order if the contours of a path are.
private func sortFromLeft(_ pieces: inout [RowPiece], _ range: Range<Int>) {
  if range.count > 32 {
    for index in range.dropFirst() where pieces[index].left < pieces[index - 1].left {
      pieces[range].sort { $0.left < $1.left }
      return
    }
    return
  }
  for index in range.dropFirst() {
    let piece = pieces[index]
    var place = index
    while place > range.lowerBound, pieces[place &- 1].left > piece.left {
      pieces[place] = pieces[place &- 1]
      place &-= 1
    }
    if place != index { pieces[place] = piece }
  }
}

/// Sorts pieces by their upper ends.
private func sortFromTop(_ pieces: inout [RowPiece], _ range: Range<Int>) {
  if range.count > 32 {
    pieces[range].sort { $0.y0 < $1.y0 }
    return
  }
  for index in range.dropFirst() {
    let piece = pieces[index]
    var place = index
    while place > range.lowerBound, pieces[place &- 1].y0 > piece.y0 {
      pieces[place] = pieces[place &- 1]
      place &-= 1
    }
    if place != index { pieces[place] = piece }
  }
}
