// Image sequences: the samples of a picture track as the frames of an animation (ISO/IEC 23008-12, 7).

internal import ImageCoding
internal import PixelPlanes

/// The frames of an image sequence, which are decoded when they are drawn.
struct ImageSequence: AnimationFrames {
  private let bytes: [UInt8]
  private let picture: TrackPicture
  private let alpha: TrackPicture?
  private let samples: [Range<Int>]
  /// The samples of the alpha track; empty if the sequence is opaque.
  private let alphaSamples: [Range<Int>]

  let canvasSize: PixelSize
  let frames: [AnimationFrameInfo]
  let loopCount: LoopCount
  let options: DecodingOptions
  var canvasFormat: PixelFormat { .rgba8 }

  /// Reads the sample tables.
  ///
  /// - Throws: ``CodecError/Kind/malformed`` if there is no frame; ``CodecError/Kind/truncated`` if a sample is not in
  ///   the file and decoding is strict; ``CodecError/Kind/limitExceeded``.
  init(
    _ bytes: [UInt8], _ picture: TrackPicture, alpha: TrackPicture?, _ context: inout DecodingContext
  ) throws(CodecError) {
    let track = picture.track
    var samples: [Range<Int>]
    if track.samples.hasOnlySyncSamples {
      samples = try track.samples.ranges(
        bytes.span, limit: context.limits.maximumFrameCount, budget: &context.budget)
    } else {
      samples = [try picture.firstSyncSample(bytes.span, fragments: [], budget: &context.budget)]
    }
    if samples.count < track.samples.sampleCount, samples.count == context.limits.maximumFrameCount {
      context.noteOnce(.warning, "there are more than \(samples.count) frames", byteOffset: nil)
    }
    let present = samples.prefix { $0.upperBound <= bytes.count }.count
    if present < samples.count, context.isStrict || present == 0 {
      throw CodecError(
        .truncated, "the file ends within the samples of a sequence", format: picture.type, byteOffset: bytes.count,
        neededByteCount: samples[present].upperBound)
    }
    samples.removeLast(samples.count - present)
    guard !samples.isEmpty, let size = track.codedSize, size.width > 0, size.height > 0 else {
      throw CodecError(.malformed, "the sequence has no frames", format: picture.type)
    }
    let canvasSize = track.orientation.swapsAxes ? size.transposed : size
    let durations = try track.samples.durations(bytes.span, limit: samples.count, budget: &context.budget)
    try context.budget.allocate(count: samples.count, bytesEach: MemoryLayout<AnimationFrameInfo>.stride)
    frames = samples.indices.map { index in
      AnimationFrameInfo(
        region: PixelRegion(x: 0, y: 0, width: canvasSize.width, height: canvasSize.height),
        storedDelay: track.duration(ofUnits: index < durations.count ? durations[index] : 0), disposal: .keep,
        blend: .replace, isOpaque: alpha == nil)
    }
    alphaSamples =
      try alpha?.track.samples.ranges(
        bytes.span, limit: samples.count, budget: &context.budget) ?? []
    self.alpha = alpha
    // The configurations of all frames are read here, so that the work of a frame does not depend on those drawn
    // before.
    for track in [picture, alpha] { try track?.prepare(bytes.span, &context.budget) }
    (self.bytes, self.picture, self.samples) = (bytes, picture, samples)
    self.canvasSize = canvasSize
    loopCount = track.repeats ? .infinite : .finite(1)
    options = context.options
  }

  func draw(
    frameAt index: Int, onto canvas: inout Bitmap, budget: inout ResourceBudget
  ) throws(CodecError) {
    let heldByteCount = budget.heldByteCount
    let bitmap = try DecodingContext.spending(&budget, options, format: picture.type) { (context) throws(CodecError) in
      try context.budget.checkpoint()
      return try frame(at: index, &context)
    }
    budget.settle(heldByteCount: heldByteCount)
    guard bitmap.pixelSize == canvasSize else {
      throw CodecError(.malformed, "a frame has another size than its track", format: picture.type)
    }
    canvas.replacePixels(atX: 0, y: 0, with: bitmap)
  }

  private func frame(at index: Int, _ context: inout DecodingContext) throws(CodecError) -> Bitmap {
    var plane: SamplePlane?
    if let alpha, index < alphaSamples.count {
      plane = try alpha.planes(ofSample: alphaSamples[index], bytes.span, &context).luma
    }
    var bitmap = try picture.bitmap(
      ofSample: samples[index], alpha: plane, format: .rgba8, bytes.span, &context)
    bitmap.orientation = picture.track.orientation
    try bitmap.applyOrientation(.apply, budget: &context.budget)
    return bitmap
  }
}
