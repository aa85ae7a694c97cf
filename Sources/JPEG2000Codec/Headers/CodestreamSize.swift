// SIZ: the sizes of the image, its tiles and its components (ITU-T T.800, A.5.1).

internal import ImageCoding

/// The parameters of the SIZ segment.
struct CodestreamSize: Sendable {
  /// The depth and the subsampling of a component.
  struct Component: Sendable {
    /// The number of bits per sample, 1…38.
    let depth: Int
    let isSigned: Bool
    /// The distance of samples on the reference grid, 1…255.
    let dx: Int64
    let dy: Int64
  }

  /// The capabilities that are needed to decode the codestream (Rsiz).
  let capabilities: UInt16
  /// The image on the reference grid.
  let image: GridArea
  /// The tile with the index 0 on the reference grid, before it is clipped to the image.
  let firstTile: GridArea
  let components: [Component]
  let tilesWide: Int
  let tilesHigh: Int

  init(parsing reader: inout ByteReader, budget: inout ResourceBudget) throws(CodecError) {
    capabilities = try reader.readUInt16BigEndian()
    let right = Int64(try reader.readUInt32BigEndian())
    let bottom = Int64(try reader.readUInt32BigEndian())
    let left = Int64(try reader.readUInt32BigEndian())
    let top = Int64(try reader.readUInt32BigEndian())
    image = GridArea(x0: left, y0: top, x1: right, y1: bottom)
    let tileWidth = Int64(try reader.readUInt32BigEndian())
    let tileHeight = Int64(try reader.readUInt32BigEndian())
    let tileLeft = Int64(try reader.readUInt32BigEndian())
    let tileTop = Int64(try reader.readUInt32BigEndian())
    firstTile = GridArea(x0: tileLeft, y0: tileTop, x1: tileLeft + tileWidth, y1: tileTop + tileHeight)
    guard !image.isEmpty else { throw reader.error(.malformed, "SIZ states an empty image") }
    guard tileLeft <= left, tileTop <= top, firstTile.x1 > left, firstTile.y1 > top else {
      throw reader.error(.malformed, "the first tile contains no pixel")
    }
    let wide = (right - tileLeft).dividedUp(by: tileWidth)
    let high = (bottom - tileTop).dividedUp(by: tileHeight)
    guard wide <= 65535, high <= 65535, wide * high <= 65535 else {
      throw reader.error(.malformed, "there are \(wide) × \(high) tiles")
    }
    (tilesWide, tilesHigh) = (Int(wide), Int(high))
    let count = Int(try reader.readUInt16BigEndian())
    guard count >= 1, count <= 16384 else { throw reader.error(.malformed, "there are \(count) components") }
    try budget.allocate(count: count, bytesEach: MemoryLayout<Component>.stride, byteOffset: reader.byteOffset)
    var components: [Component] = []
    for _ in 0..<count {
      let precision = try reader.readUInt8()
      let dx = Int64(try reader.readUInt8())
      let dy = Int64(try reader.readUInt8())
      guard precision & 0x7F < 38, dx > 0, dy > 0 else {
        throw reader.error(.malformed, "the depth or the subsampling of a component is invalid")
      }
      components.append(
        Component(depth: Int(precision & 0x7F) + 1, isSigned: precision & 0x80 != 0, dx: dx, dy: dy))
    }
    self.components = components
  }

  /// The number of tiles.
  var tileCount: Int { tilesWide * tilesHigh }

  /// The area of a tile on the reference grid.
  func tile(_ index: Int) -> GridArea {
    let x = firstTile.x0 + Int64(index % tilesWide) * firstTile.width
    let y = firstTile.y0 + Int64(index / tilesWide) * firstTile.height
    return GridArea(x0: x, y0: y, x1: x + firstTile.width, y1: y + firstTile.height).intersection(image)
  }

  /// The area of an image's component, in its own samples, at a resolution.
  ///
  /// - Parameter discarded: the number of resolutions above it.
  func area(ofComponent index: Int, discarded: Int) -> GridArea {
    image.divided(x: components[index].dx, y: components[index].dy).reduced(by: discarded)
  }
}
