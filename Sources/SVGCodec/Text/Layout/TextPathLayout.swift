// Text along a path (SVG 2, section 11.8): each cluster stands with the middle of its width on the path and is turned with
// it. What does not find a place is not drawn.

internal import ImageCore
internal import VectorGraphics

/// A path that text runs along.
struct TextPathGeometry {
  var lengths: PathLengths
  /// Where the text starts, along the path.
  var startOffset: Double
  /// Whether text runs on the other side, from the end of the path to its start.
  var isReversed: Bool

  /// The place at a distance from the start, which is the path's end where it is reversed; `nil` beyond both.
  func location(at distance: Double) -> PathLengths.Location? {
    guard isReversed else { return lengths.location(at: distance) }
    guard var location = lengths.location(at: lengths.length - distance) else { return nil }
    location.tangent = -location.tangent
    return location
  }
}

extension TextLayout {
  /// Places the clusters of a chunk along a path and returns where the text ends.
  func placeAlong(_ path: TextPathGeometry, _ line: inout [GlyphCluster], _ chunk: TextChunk) -> Point {
    // An absolute position shifts along the path.
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
