// Image sequences: the samples of a picture track as the frames of an animation (ISO/IEC 23008-12, 7).

internal import ImageCoding
internal import PixelPlanes

/// The frames of an image sequence, which are decoded when they are drawn. All samples are listed. Those that are coded
/// with reference to others cannot be drawn.
final class ImageSequence: AnimationFrames {
  private let bytes: [UInt8]
  private let picture: TrackPicture
  private let alpha: TrackPicture?
  private let samples: [TrackSample]
  /// The samples of the alpha track; empty if the sequence is opaque.
  private let alphaSamples: [TrackSample]

  let canvasSize: PixelSize
  let frames: [AnimationFrameInfo]
  let loopCount: LoopCount
  let options: DecodingOptions
  let diagnostics: [ImageDiagnostic]
  var canvasFormat: PixelFormat { .rgba8 }

  /// Reads the sample tables.
  ///
  /// - Throws: `CodecError.Kind.malformed` if there is no frame; `CodecError.Kind.truncated` if a sample is not in
  ///   the file and decoding is strict; `CodecError.Kind.limitExceeded`.
  init(
    _ bytes: [UInt8], _ picture: TrackPicture, alpha: TrackPicture?, _ context: inout DecodingContext
  ) throws(CodecError) {
    let track = picture.track
    let samples = try Self.samples(of: picture, bytes.span, &context)
    guard !samples.isEmpty, let size = track.shownSize, size.width > 0, size.height > 0 else {
      throw CodecError(.malformed, "the sequence has no frames", format: picture.type)
    }
    let canvasSize = track.orientation.swapsAxes ? size.transposed : size
    try context.budget.allocate(count: samples.count, bytesEach: MemoryLayout<AnimationFrameInfo>.stride)
    frames = samples.map { sample in
      AnimationFrameInfo(
        region: PixelRegion(x: 0, y: 0, width: canvasSize.width, height: canvasSize.height),
        storedDelay: track.duration(ofUnits: sample.duration), disposal: .keep, blend: .replace, isOpaque: alpha == nil)
    }
    if let alpha {
      alphaSamples = try TrackSamples(
        alpha.track.samples, bytes.span, limit: samples.count, budget: &context.budget
      ).samples
    } else {
      alphaSamples = []
    }
    self.alpha = alpha
    // The configurations of all frames are read here, so that the work of a frame does not depend on those drawn
    // before.
    try Self.prepare(picture, samples, bytes.span, &context)
    if let alpha { try Self.prepare(alpha, alphaSamples, bytes.span, &context) }
    (self.bytes, self.picture, self.samples) = (bytes, picture, samples)
    self.canvasSize = canvasSize
    loopCount = track.repeats ? .infinite : .finite(1)
    options = context.options
    diagnostics = context.allDiagnostics
  }

  /// Reads the configurations of all samples. If one is damaged, its samples fail.
  private static func prepare(
    _ picture: TrackPicture, _ samples: [TrackSample], _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) {
    try picture.prepare(bytes, &context.budget)
    var last = picture.track.samples.firstDescription(bytes)
    for sample in samples where sample.location.description != last {
      last = sample.location.description
      do throws(CodecError) {
        try picture.describing(last, bytes, budget: &context.budget).prepare(bytes, &context.budget)
      } catch {
        guard error.isDamage || error.kind == .unsupported else { throw error }
        context.noteOnce(.damage, "a sample description: \(error.reason)", byteOffset: error.byteOffset)
      }
    }
  }

  private static func samples(
    of picture: TrackPicture, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> [TrackSample] {
    let (table, limit) = (picture.track.samples, context.limits.maximumFrameCount)
    let list = try TrackSamples(table, bytes, limit: limit, budget: &context.budget)
    if let end = list.missingEnd, context.isStrict || list.samples.isEmpty {
      throw CodecError(
        .truncated, "the file ends within the samples of a sequence", format: picture.type, byteOffset: bytes.count,
        neededByteCount: end)
    }
    if list.missingEnd != nil {
      context.note(.damage, "the file ends within the samples of a sequence", byteOffset: bytes.count)
    } else if list.samples.count < table.sampleCount, list.samples.count == limit {
      context.noteOnce(.warning, "there are more than \(limit) frames", byteOffset: nil)
    }
    return list.samples
  }

  func draw(
    frameAt index: Int, onto canvas: inout Bitmap, budget: inout ResourceBudget
  ) throws(CodecError) -> [ImageDiagnostic] {
    let heldByteCount = budget.heldByteCount
    let (bitmap, diagnostics) = try DecodingContext.spending(
      &budget, options, format: picture.type
    ) { (context) throws(CodecError) in
      try context.budget.checkpoint()
      return (try frame(at: index, &context), context.allDiagnostics)
    }
    budget.settle(heldByteCount: heldByteCount)
    guard bitmap.pixelSize == canvasSize else {
      throw CodecError(
        .malformed, "frame \(index) has another size than its track", format: picture.type,
        byteOffset: samples[index].range.lowerBound)
    }
    canvas.replacePixels(atX: 0, y: 0, with: bitmap)
    // Offsets of the decoders are those in the sample.
    return diagnostics.map { ImageDiagnostic($0.severity, $0.reason, byteOffset: samples[index].range.lowerBound) }
  }

  private func frame(at index: Int, _ context: inout DecodingContext) throws(CodecError) -> Bitmap {
    var plane: SamplePlane?
    if let alpha { plane = try alphaPlane(at: index, of: alpha, &context) }
    let (bytes, sample) = (bytes, samples[index])
    let picture = try picture.describing(sample.location.description, bytes.span, budget: &context.budget)
    let decoder = picture.isPlanar ? try picture.decoder(of: sample, bytes.span, &context.budget) : nil
    var bitmap = try decoding(sample, ofFrame: index) { () throws(CodecError) in
      try picture.bitmap(
        ofSample: sample.range, by: decoder, alpha: plane, format: .rgba8, bytes.span, &context)
    }
    bitmap.orientation = picture.track.orientation
    try bitmap.applyOrientation(.apply, budget: &context.budget)
    return bitmap
  }

  /// Returns the alpha of a frame; `nil` if the track has fewer.
  private func alphaPlane(
    at index: Int, of alpha: TrackPicture, _ context: inout DecodingContext
  ) throws(CodecError) -> SamplePlane? {
    guard index < alphaSamples.count else { return nil }
    let (bytes, sample) = (bytes, alphaSamples[index])
    let alpha = try alpha.describing(sample.location.description, bytes.span, budget: &context.budget)
    let decoder = try alpha.decoder(of: sample, bytes.span, &context.budget)
    return try decoding(sample, ofFrame: index) { () throws(CodecError) in
      try alpha.codedPlanes(ofSample: sample.range, by: decoder, bytes.span, &context)
        .alphaPlane(codedAs: alpha.track.coding, budget: &context.budget)
    }
  }

  /// Decodes a sample of a frame, with errors that name the frame. A sample that is no entry point and does not decode
  /// alone refers to others.
  private func decoding<Result>(
    _ sample: TrackSample, ofFrame index: Int, _ decode: () throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    do throws(CodecError) {
      return try decode()
    } catch {
      let start = sample.range.lowerBound
      if error.isDamage, !sample.isEntryPoint {
        throw CodecError(
          .unsupported, "frame \(index): inter-coded frames are not supported (\(error.reason))", format: picture.type,
          byteOffset: start)
      }
      guard error.isDamage || error.kind == .unsupported else { throw error }
      // Offsets of the decoders are those in the sample.
      throw CodecError(
        error.kind, "frame \(index): \(error.reason)", format: picture.type,
        byteOffset: start + (error.byteOffset ?? 0), neededByteCount: error.neededByteCount)
    }
  }
}
