// Text on a path (SVG 2, section 11.8): the middle of each cluster is placed on the path, and the cluster is rotated to
// the tangent. Clusters beyond the ends of the path are not drawn.

internal import ImageCore
internal import VectorGraphics

/// The path of text.
struct TextPathGeometry {
  var lengths: PathMeasure
  /// The distance along the path at which text starts.
  var startOffset: Double
  /// Whether text is on the other side, from the end of the path to its start.
  var isReversed: Bool

  /// Returns the position at a distance from the start, which is the path's end if it is reversed; `nil` beyond the
  /// ends.
  func location(at distance: Double) -> PathMeasure.Location? {
    guard isReversed else { return lengths.location(at: distance) }
    guard var location = lengths.location(at: lengths.length - distance) else { return nil }
    location.tangent = -location.tangent
    return location
  }
}

extension TextLayout {
  /// Places the clusters of a chunk along a path and returns the end of the text.
  func placeAlong(_ path: TextPathGeometry, _ line: inout [GlyphCluster], _ chunk: TextChunk) -> Point {
    // An absolute position is an offset along the path.
    let own = content.isVertical ? chunk.y : chunk.x
    var distance =
      (own.isNaN ? 0 : own) + path.startOffset + anchorOffset(chunk, line.reduce(0) { $0 + $1.advance })
    var down = 0.0
    var end = Point.zero
    for index in line.indices {
      let source = source(of: line[index])
      distance += positions[source].dx
      down += positions[source].dy
      let middle = line[index].width / 2
      guard let location = path.location(at: distance + middle) else {
        line[index].isVisible = false
        distance += line[index].advance
        continue
      }
      line[index].breaksDecoration = true
      let shift = down + baselineOffset(of: Int(text.spans[line[index].character]))
      var place =
        AffineTransform(
          location.tangent.x, location.tangent.y, -location.tangent.y, location.tangent.x, location.point.x,
          location.point.y) * .translation(x: -middle, y: shift)
      let rotation = positions.rotation(of: source)
      if rotation != 0 { place = place * .rotation(rotation * .pi / 180) }
      line[index].transform = place * line[index].transform
      end = Point(x: location.point.x + line[index].advance, y: location.point.y)
      distance += line[index].advance
    }
    return end
  }
}
