// The transform blocks of a block: prediction and residual (sections 5.11.34 to 5.11.36).

extension TileDecoder {
  /// `residual`.
  mutating func decodeTransformBlocks(_ picture: inout Picture, _ bytes: Span<UInt8>) {
    let (width, height) = (block.size.columns, block.size.rows)
    // Blocks of 128 columns or rows are decoded in squares of 64.
    for chunkRow in stride(from: 0, to: height, by: 16) {
      for chunkColumn in stride(from: 0, to: width, by: 16) {
        let chunk = BlockChunk(
          column: chunkColumn, row: chunkRow, columns: min(width &- chunkColumn, 16), rows: min(height &- chunkRow, 16))
        for plane in 0..<(block.hasChroma ? 3 : 1) { decodePlane(plane, chunk, &picture, bytes) }
      }
    }
  }

  /// Part of a block, in luma units from the block's first one.
  private struct BlockChunk {
    let column: Int
    let row: Int
    let columns: Int
    let rows: Int
  }

  private mutating func decodePlane(
    _ plane: Int, _ chunk: BlockChunk, _ picture: inout Picture, _ bytes: Span<UInt8>
  ) {
    let (shiftX, shiftY) = parameters.shifts(plane)
    if plane == 0, block.isCopied, !block.isLossless {
      decodeCopiedLuma(
        row: block.row &+ chunk.row, column: block.column &+ chunk.column, columns: chunk.columns, rows: chunk.rows,
        &picture, bytes)
      return
    }
    let size = plane == 0 ? block.transform : chromaTransform()
    let columns = max(chunk.columns &>> shiftX, 1)
    let rows = max(chunk.rows &>> shiftY, 1)
    let firstColumn = block.column &>> shiftX
    let firstRow = block.row &>> shiftY
    let (offsetX, offsetY) = (chunk.column &>> shiftX, chunk.row &>> shiftY)
    let (endColumn, endRow) = (parameters.columns &>> shiftX, parameters.rows &>> shiftY)
    var y = offsetY
    while y < offsetY &+ rows, firstRow &+ y < endRow {
      var x = offsetX
      while x < offsetX &+ columns, firstColumn &+ x < endColumn {
        decodeTransformBlock(
          TransformBlock(plane: plane, x: (firstColumn &+ x) &* 4, y: (firstRow &+ y) &* 4, size: size),
          offsetColumn: x, offsetRow: y, &picture, bytes)
        x &+= size.columns
      }
      y &+= size.rows
    }
  }

  /// `get_tx_size` of chroma.
  private mutating func chromaTransform() -> TransformSize {
    guard !block.isLossless else { return .size4x4 }
    let size = block.size.subsampled(parameters.subsamplingX, parameters.subsamplingY).largestTransform
    return TransformSize(log2Width: min(size.log2Width, 5), log2Height: min(size.log2Height, 5))
  }

  /// `transform_tree`: the luma of a copied block.
  private mutating func decodeCopiedLuma(
    row: Int, column: Int, columns: Int, rows: Int, _ picture: inout Picture, _ bytes: Span<UInt8>
  ) {
    // The transforms of a part are those that were read, which tile it in raster order of larger squares.
    guard row < parameters.rows, column < parameters.columns else { return }
    let size = copiedTransform(row: row, column: column)
    guard columns > size.columns || rows > size.rows else {
      let transform = TransformBlock(plane: 0, x: column * 4, y: row * 4, size: size)
      decodeTransformBlock(
        transform, offsetColumn: column - block.column, offsetRow: row - block.row, &picture, bytes)
      return
    }
    let partColumns = columns >= rows ? columns / 2 : columns
    let partRows = rows >= columns ? rows / 2 : rows
    for y in stride(from: row, to: row + rows, by: partRows) {
      for x in stride(from: column, to: column + columns, by: partColumns) {
        decodeCopiedLuma(row: y, column: x, columns: partColumns, rows: partRows, &picture, bytes)
      }
    }
  }

  /// `transform_block`.
  ///
  /// - Parameters:
  ///   - offsetColumn, offsetRow: units of the plane from the block's first one.
  private mutating func decodeTransformBlock(
    _ transform: TransformBlock, offsetColumn: Int, offsetRow: Int, _ picture: inout Picture, _ bytes: Span<UInt8>
  ) {
    let (plane, size) = (transform.plane, transform.size)
    let (shiftX, shiftY) = parameters.shifts(plane)
    let mask = parameters.superblockUnits &- 1
    let column = transform.column & (mask &>> shiftX)
    let row = transform.row & (mask &>> shiftY)
    if !block.isCopied {
      let isPalette = plane == 0 ? block.paletteSize > 0 : block.chromaPaletteSize > 0
      if isPalette {
        predictPalette(transform, offsetColumn: offsetColumn, offsetRow: offsetRow, &picture)
      } else {
        let neighbours = IntraNeighbours(
          hasLeft: (plane == 0 ? block.hasLeft : block.hasLeftChroma) || offsetColumn > 0,
          hasAbove: (plane == 0 ? block.hasAbove : block.hasAboveChroma) || offsetRow > 0,
          hasAboveRight: decoded.contains(plane, column: column &+ size.columns, row: row &- 1),
          hasBelowLeft: decoded.contains(plane, column: column &- 1, row: row &+ size.rows))
        reconstruction.predict(transform, block, neighbours, parameters, &picture.buffer)
      }
      if plane == 0 {
        reconstruction.lumaEnd = (x: transform.x &+ size.width, y: transform.y &+ size.height)
      }
    }
    if !block.isSkipped, let coefficientBlock = readCoefficients(transform, bytes) {
      reconstruction.addResidual(
        coefficientBlock, &coefficients.values, transform, isLossless: block.isLossless, parameters, &picture.buffer)
    }
    decoded.insert(plane, column: column, row: row, columns: size.columns, rows: size.rows)
    guard plane < 2 else { return }
    let columns = min(size.columns, parameters.columns &>> shiftX &- transform.column)
    let rows = min(size.rows, parameters.rows &>> shiftY &- transform.row)
    if plane == 0 {
      BlockMap.fill(
        &picture.map.lumaTransforms, size.rawValue,
        at: picture.map.index(column: transform.column, row: transform.row), columns: columns, rows: rows,
        stride: picture.map.columns)
    } else {
      BlockMap.fill(
        &picture.map.chromaTransforms, size.rawValue,
        at: picture.map.chromaIndex(column: transform.column, row: transform.row), columns: columns, rows: rows,
        stride: picture.map.chromaColumns)
    }
  }

  private mutating func predictPalette(
    _ transform: TransformBlock, offsetColumn: Int, offsetRow: Int, _ picture: inout Picture
  ) {
    let first = picture.buffer.index(transform.plane, x: transform.x, y: transform.y)
    let stride = picture.buffer.strides[transform.plane]
    let indices = transform.plane == 0 ? colorMap : chromaColorMap
    let map = indices.span
    var samples = picture.buffer.samples.mutableSpan
    for y in 0..<transform.size.height {
      let source = (offsetRow * 4 + y) * 64 + offsetColumn * 4
      for x in 0..<transform.size.width {
        samples[first &+ y &* stride &+ x] = paletteColors[transform.plane &* 8 &+ Int(map[source &+ x] & 7)]
      }
    }
  }
}
