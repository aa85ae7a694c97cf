// Decodes the alpha plane of a lossy image on another thread than its colours.

internal import ImageCoding
internal import Threading

/// An alpha plane that is decoded in the background.
struct ParallelAlpha {
  /// The outcome.
  struct Plane: Sendable {
    var decoder: AlphaDecoder
    /// The complete rows.
    var samples: [UInt8] = []
    /// The resources that have been spent.
    var spending: BudgetSpending?
    /// The error, other than damage, that stopped decoding.
    var failure: CodecError?
  }

  /// Below a quarter of a megapixel the second thread starts too late to help.
  private static let minimumPixelCount = 1 << 18

  private let job: BackgroundJob<Plane>

  /// Whether a second thread speeds up the decode of a picture with an alpha chunk of `alphaByteCount` bytes. A small
  /// chunk takes so little time that the thread serves the colours better.
  static func isWorthwhile(
    for region: PixelRegion, alphaByteCount: Int, colorByteCount: Int, _ parallelism: Int
  ) -> Bool {
    let threadCount = ParallelRows.threadCount(parallelism)
    return region.width * region.height >= minimumPixelCount
      && (threadCount > 2 || threadCount == 2 && alphaByteCount > colorByteCount / 2)
  }

  /// Starts to decode.
  ///
  /// - Parameters:
  ///   - payload: the payload of the `ALPH` chunk.
  ///   - offset: the file offset of the payload.
  init(
    _ decoder: AlphaDecoder, payload: Span<UInt8>, offset: Int, region: PixelRegion, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let sampleCount = try budget.allocate(count: region.height, bytesEach: region.width)
    try budget.allocate(payload.count)
    let bytes = Array(copying: payload)
    let split = budget.split()
    job = BackgroundJob {
      var plane = Plane(decoder: decoder)
      var share = split.share()
      plane.samples.reserveCapacity(sampleCount)
      plane.decode(bytes, offset: offset, &share)
      plane.spending = split.close(share)
      return plane
    }
  }

  /// Waits for the plane, and charges what it cost.
  func plane(_ budget: inout ResourceBudget) throws(CodecError) -> Plane {
    let plane = job.value()
    if let spending = plane.spending { try budget.join([spending]) }
    if let failure = plane.failure { throw failure }
    return plane
  }
}

extension ParallelAlpha.Plane {
  fileprivate mutating func decode(_ bytes: [UInt8], offset: Int, _ budget: inout ResourceBudget) {
    var samples = samples
    self.samples = []
    do throws(CodecError) {
      try decoder.advance(bytes.span, offset: offset, isFinal: true, &budget) { _, row in
        for x in row.indices { samples.append(row[x]) }
      }
    } catch {
      failure = error
    }
    self.samples = samples
  }

  /// Replaces the alpha samples of a region of an RGBA bitmap. Rows missing from the plane become opaque.
  func store(into bitmap: inout Bitmap, _ region: PixelRegion) {
    let completed = decoder.completedRowCount
    for y in 0..<completed {
      bitmap.storeAlpha(samples.span.extracting(y * region.width..<(y + 1) * region.width), y: y, region)
    }
    bitmap.makeOpaque(rows: completed..<region.height, region)
  }
}
