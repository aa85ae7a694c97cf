// Text on a path (SVG 2, section 11.8): the middle of each cluster is placed on the path, and the cluster is rotated to
// the tangent. Clusters beyond the ends of the path are not drawn.

internal import ImageCoding
internal import VectorGraphics

/// The path of text.
struct TextPathGeometry {
  var lengths: PathMeasure
  /// The distance along the path at which text starts.
  var startOffset: Double
  /// Whether text is on the other side, from the end of the path to its start.
  var isReversed: Bool
  /// Whether the path is a single closed subpath, on which text continues from the end to the start.
  var isClosed: Bool
  /// The end of the path, where text after it continues.
  var end: Point

  /// Returns the position at a distance from the start, which is the path's end if it is reversed; `nil` beyond the
  /// ends.
  func location(at distance: Double) -> PathMeasure.Location? {
    guard isReversed else { return lengths.location(at: distance) }
    guard var location = lengths.location(at: lengths.length - distance) else { return nil }
    location.tangent = -location.tangent
    return location
  }

  /// Returns the position of the middle of a cluster; `nil` if the cluster is not drawn.
  ///
  /// - Parameter anchored: the part of the text before its anchor: 0, ½ or 1. A closed path has room for its length,
  ///   divided accordingly before and after the start offset.
  func location(ofMiddle middle: Double, anchored: Double) -> PathMeasure.Location? {
    guard isClosed else { return location(at: middle) }
    let fromStart = middle - startOffset + anchored * lengths.length
    guard fromStart >= 0, fromStart <= lengths.length else { return nil }
    let rest = middle.truncatingRemainder(dividingBy: lengths.length)
    return location(at: rest < 0 ? rest + lengths.length : rest)
  }
}

extension TextLayout {
  /// Places the clusters of a chunk along a path and returns the end of the path, where the next text is.
  func placeAlong(_ path: TextPathGeometry, _ line: inout [GlyphCluster], _ chunk: TextChunk) -> Point {
    // An absolute position is an offset along the path.
    let own = content.isVertical ? chunk.y : chunk.x
    let length = line.reduce(0) { $0 + $1.advance }
    let anchor = anchorOffset(chunk, length)
    let anchored = length > 0 ? -anchor / length : 0
    var distance = (own.isNaN ? 0 : own) + path.startOffset + anchor
    var down = 0.0
    for index in line.indices {
      let position = position(of: line[index])
      distance += position.dx
      down += position.dy
      let middle = line[index].width / 2
      guard let location = path.location(ofMiddle: distance + middle, anchored: anchored) else {
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
      let rotation = rotation(of: line[index])
      if rotation != 0 { place = place * .rotation(rotation * .pi / 180) }
      line[index].transform = place * line[index].transform
      distance += line[index].advance
    }
    return path.end
  }
}
