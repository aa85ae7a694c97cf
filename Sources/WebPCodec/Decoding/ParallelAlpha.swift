// Decodes the alpha plane of a lossy image on another thread than its colours.

internal import ImageCore
internal import Threading

/// An alpha plane that is decoded in the background.
struct ParallelAlpha {
  /// The outcome.
  struct Plane: Sendable {
    var decoder: AlphaDecoder
    /// The complete rows.
    var samples: [UInt8] = []
    /// What has been spent.
    var budget: ResourceBudget
    /// Why decoding stopped, other than damage.
    var failure: CodecError?
  }

  /// Below a quarter of a megapixel the second thread starts too late to help.
  private static let minimumPixelCount = 1 << 18

  private let job: BackgroundJob<Plane>
  /// The budget from which the plane's lane was split.
  private let start: ResourceBudget

  /// Whether a second thread speeds up the decode of a picture with an alpha chunk of `alphaByteCount` bytes. A small chunk
  /// takes so little time that the thread serves the colours better.
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
    start = budget
    let lane = budget.lane()
    job = BackgroundJob {
      var plane = Plane(decoder: decoder, budget: lane)
      plane.samples.reserveCapacity(sampleCount)
      plane.decode(bytes, offset: offset)
      return plane
    }
  }

  /// Waits for the plane, and charges what it cost.
  func plane(_ budget: inout ResourceBudget) throws(CodecError) -> Plane {
    let plane = job.value()
    var total = start
    try total.join([plane.budget, budget])
    budget = total
    if let failure = plane.failure { throw failure }
    return plane
  }
}

extension ParallelAlpha.Plane {
  fileprivate mutating func decode(_ bytes: [UInt8], offset: Int) {
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
