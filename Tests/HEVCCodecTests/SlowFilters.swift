// Deblocking and sample adaptive offset of whole pictures in their simplest form, from the formulae of the
// specification.

import HEVCCodec

extension IntraPictureCoder {
  /// The planes after both filters.
  var filteredPlanes: [[UInt16]] {
    var planes = planes
    for component in 0..<picture.componentCount {
      deblock(&planes[component], component, isHorizontal: false)
      deblock(&planes[component], component, isHorizontal: true)
    }
    return planes.enumerated().map { component, plane in offset(plane, component) }
  }

  // MARK: Deblocking

  /// Section 8.7.2. The edges are those between columns, or those between rows.
  private func deblock(_ plane: inout [UInt16], _ component: Int, isHorizontal: Bool) {
    let shifts = picture.shifts(component)
    let width = picture.width >> shifts.x
    let (along, across) = isHorizontal ? (1, width) : (width, 1)
    // Edges are eight samples of the component apart.
    let spacing = isHorizontal ? 8 << shifts.y : 8 << shifts.x
    for y in stride(from: 0, to: picture.height, by: 8) {
      for x in stride(from: 0, to: picture.width, by: 8) where (isHorizontal ? y : x) % spacing == 0 {
        guard var edge = edge(x, y, component, isHorizontal: isHorizontal) else { continue }
        edge.index = (y >> shifts.y) * width + x >> shifts.x
        if component == 0 {
          for segment in 0..<2 {
            filterSegment(
              &plane, at: edge.index + 4 * segment * along, along: along, across: across, edge,
              bitDepth: picture.bitDepth)
          }
        } else {
          let lineCount = isHorizontal ? 8 >> shifts.x : 8 >> shifts.y
          filterChromaEdge(
            &plane, edge, along: along, across: across, lineCount: lineCount, bitDepth: picture.bitDepth)
        }
      }
    }
  }

  /// The edge at the left or at the top of a square of 8 × 8 luma samples, if it is filtered.
  private func edge(_ x: Int, _ y: Int, _ component: Int, isHorizontal: Bool) -> FilterEdge? {
    guard let q = square(x, y), let p = isHorizontal ? square(x, y - 1) : square(x - 1, y), let slice = slices[q.slice],
      isHorizontal ? q.hasTopEdge : q.hasLeftEdge, !slice.isDeblockingDisabled,
      p.slice == q.slice || slice.filtersAcross, p.tile == q.tile || picture.filtersAcrossTiles
    else { return nil }
    var edge = FilterEdge()
    let mean = (p.qp + q.qp + 1) >> 1
    if component == 0 {
      let index = min(max(mean + slice.betaOffset, 0), 51)
      edge.flatness = Int16(index < 16 ? 0 : index <= 28 ? index - 10 : 2 * index - 38) << Int16(picture.bitDepth - 8)
    }
    let offset = component == 0 ? 0 : component == 1 ? picture.cbOffset : picture.crOffset
    let parameter = component == 0 ? mean : chromaParameter(mean + offset, chromaType: picture.chromaType)
    // Table 8-12, from 18 on; all edges have the strength 2.
    let limits = [
      1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10, 11, 13, 14, 16, 18, 20, 22,
      24,
    ]
    let index = min(max(parameter + 2 + slice.tcOffset, 0), 53)
    edge.limit = Int16(index < 18 ? 0 : limits[index - 18]) << Int16(picture.bitDepth - 8)
    edge.finals = (p.isFinal ? 1 : 0) | (q.isFinal ? 2 : 0)
    edge.segments = 3
    return edge
  }

  // MARK: Sample adaptive offset

  private static let directions = [(1, 0), (0, 1), (1, 1), (-1, 1)]

  /// Section 8.7.3, sample by sample.
  private func offset(_ plane: [UInt16], _ component: Int) -> [UInt16] {
    let shifts = picture.shifts(component)
    let (width, height) = (picture.width >> shifts.x, picture.height >> shifts.y)
    let maximum = 1 << picture.bitDepth - 1
    var result = plane
    for y in 0..<height {
      for x in 0..<width {
        guard let own = square(x << shifts.x, y << shifts.y), !own.isFinal else { continue }
        let parameters = offsets[own.treeBlock][component]
        guard parameters.type > 0 else { continue }
        let value = Int(plane[y * width + x])
        var change = 0
        if parameters.type == 1 {
          let band = value >> (picture.bitDepth - 5) - parameters.position
          if (0..<4).contains(band) { change = parameters.values[band] }
        } else {
          let (dx, dy) = Self.directions[parameters.position]
          var category = 2
          for sign in stride(from: -1, through: 1, by: 2) {
            let (otherX, otherY) = (x + sign * dx, y + sign * dy)
            guard let other = square(otherX << shifts.x, otherY << shifts.y), usesAcross(own, other) else {
              category = 2
              break
            }
            category += (value - Int(plane[otherY * width + otherX])).signum()
          }
          if category != 2 { change = parameters.values[category < 2 ? category : category - 1] }
        }
        result[y * width + x] = UInt16(min(max(value + change, 0), maximum))
      }
    }
    return result
  }

  /// Whether a sample may be compared with another.
  private func usesAcross(_ own: Square, _ other: Square) -> Bool {
    if own.tile != other.tile, !picture.filtersAcrossTiles { return false }
    guard own.slice != other.slice else { return true }
    // The slice that is later in decoding order says whether its border is filtered.
    let later = addresses.last { $0 == own.treeBlock || $0 == other.treeBlock } == own.treeBlock ? own : other
    return slices[later.slice]?.filtersAcross ?? false
  }
}
