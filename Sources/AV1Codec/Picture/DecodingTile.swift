// A tile in decoding, one row of superblocks after the other, and its outcome.

internal import ImageCoding
internal import Threading

/// A tile in decoding, of which one thread at a time decodes a row of superblocks.
final class DecodingTile: Sendable {
  private let place: TilePlace
  private let parameters: FrameParameters
  /// Locked only so that threads may take turns.
  private let state: Mutex<State>

  fileprivate struct State: ~Copyable {
    var decoder: TileDecoder
    var superblockCount = 0
    /// The rows of samples above the next part; empty if superblocks are decoded in the frame.
    var edges: [UInt16]
  }

  /// - Parameters:
  ///   - bytes: the stream.
  ///   - edgeCount: the samples of the rows above a part; 0 if superblocks are decoded in the frame.
  init(_ place: TilePlace, _ parameters: FrameParameters, _ bytes: Span<UInt8>, edgeCount: Int = 0) {
    (self.place, self.parameters) = (place, parameters)
    state = Mutex(
      State(
        decoder: TileDecoder(
          parameters, columns: place.columns, rows: place.rows, bytes.extracting(place.bytes)),
        edges: [UInt16](repeating: 0, count: edgeCount)))
  }

  /// The superblocks and the samples of a row of superblocks. A block at the right edge may extend to the end of its
  /// superblock.
  private var superblockCount: Int {
    (place.columns.count + parameters.superblockUnits - 1) / parameters.superblockUnits
  }
  private var sampleCount: Int { superblockCount << (2 * parameters.log2Superblock) }

  /// The work of the next row of superblocks, which must be charged before it is decoded.
  var nextWork: Int {
    state.withLock {
      guard $0.decoder.damage == nil else { return 0 }
      return sampleCount * ($0.decoder.isExhausted ? FrameWork.exhausted : FrameWork.decoding)
    }
  }

  /// Decodes a row of superblocks. From damage on, the tile is black.
  ///
  /// - Returns: the work that was done in addition, because the data ended in this row.
  func decode(_ rows: Range<Int>, _ picture: inout Picture, _ bytes: Span<UInt8>) -> Int {
    state.withLock { $0.decode(rows, &picture, bytes.extracting(place.bytes), self) }
  }

  /// Decodes a row of superblocks as a part of the frame.
  ///
  /// - Returns: as ``decode(_:_:_:)``.
  func decodePart(_ rows: Range<Int>, _ part: inout Picture, _ bytes: Span<UInt8>) -> Int {
    state.withLock {
      part.startPart(column: place.columns.lowerBound, row: rows.lowerBound, edges: $0.edges, parameters)
      let work = $0.decode(rows, &part, bytes.extracting(place.bytes), self)
      if rows.upperBound < place.rows.upperBound {
        part.keepEdges(to: &$0.edges, endRow: rows.upperBound, parameters)
      }
      return work
    }
  }

  /// The outcome, once all rows are decoded.
  var outcome: TileOutcome {
    state.withLock {
      var outcome = TileOutcome(superblockCount: $0.superblockCount)
      let reason = $0.decoder.damage ?? ($0.decoder.isExhausted ? "a tile ends early" : nil)
      outcome.damage = reason.map { TileDamage(reason: $0, byteOffset: place.bytes.lowerBound) }
      return outcome
    }
  }
}

extension DecodingTile.State {
  fileprivate mutating func decode(
    _ rows: Range<Int>, _ picture: inout Picture, _ bytes: Span<UInt8>, _ tile: borrowing DecodingTile
  ) -> Int {
    guard decoder.damage == nil else {
      picture.blacken(columns: tile.place.columns, rows: rows, tile.parameters)
      return 0
    }
    let isExhausted = decoder.isExhausted
    decoder.decodeSuperblockRow(rows.lowerBound, &picture, bytes)
    if decoder.damage == nil {
      superblockCount += tile.superblockCount
    } else {
      picture.blacken(columns: tile.place.columns, rows: rows, tile.parameters)
    }
    return !isExhausted && decoder.isExhausted ? tile.sampleCount * (FrameWork.exhausted - FrameWork.decoding) : 0
  }
}
