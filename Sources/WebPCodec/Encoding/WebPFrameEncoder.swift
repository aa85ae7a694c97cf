// Frame-by-frame encoding of animations: each frame is stored as the part of the canvas that changes, in whichever way is
// smallest (RFC 9649, section 2.7.1.1).

public import ImageCoding

/// Encodes an animated WebP from complete pictures of equal size that are supplied one after another.
///
/// Four canvases of 4 bytes per pixel, two more if there is transparency, and the encoded frames are held; the last
/// one only if the others are passed on. A single frame becomes a still image.
public struct WebPFrameEncoder: Sendable {
  private let options: WebPEncoder.Options
  private let loopCount: LoopCount
  private let metadata: ImageMetadata
  private var colorSpace: ColorSpace = .unspecified
  private var orientation: ImageOrientation = .up
  private var canvas: EncodablePicture?
  /// The last frame, whose disposal the next one decides.
  private var pending: EncodedFrame?
  /// The chunks that have not been taken, from the second frame on.
  private var writer = RIFFWriter()
  private var frameCount = 0
  private var hasAlpha = false
  /// The number of frames since the last complete one.
  private var framesSinceKeyFrame = 0
  private var clock = MillisecondClock()

  /// The work of searching a pixel of the canvas for changes.
  private static let workPerPixel = 5
  /// The work of drawing a pixel of the region that changes, with and without gaps.
  private static let workPerDrawnPixel = 10

  /// Starts an animation, of which each frame is encoded when it is added.
  public init(
    options: WebPEncoder.Options = WebPEncoder.Options(), loopCount: LoopCount = .infinite,
    metadata: ImageMetadata? = nil
  ) {
    (self.options, self.loopCount, self.metadata) = (options, loopCount, metadata ?? ImageMetadata())
  }

  /// Appends a frame. Delays are rounded to milliseconds without accumulating rounding error.
  ///
  /// - Parameters:
  ///   - frame: the picture and its duration.
  ///   - budget: charged for the canvases, the encoded frames, and the work of each way to draw the frame.
  /// - Throws: `CodecError.Kind.encodingFailed` if the picture is empty or has a side above 16,383,
  ///   `CodecError.Kind.invalidArgument` if its size differs from that of the first frame or an option is out of
  ///   range; `CodecError.Kind.cancelled`, `CodecError.Kind.limitExceeded`.
  public mutating func append(_ frame: AnimationFrame, budget: inout ResourceBudget) throws(CodecError) {
    if canvas == nil {
      try options.validate()
      try frame.bitmap.pixelSize.checkEncodable()
      colorSpace = frame.bitmap.colorSpace
      orientation = frame.bitmap.orientation
    } else if frame.bitmap.pixelSize != canvas?.size {
      throw CodecError(.invalidArgument, "the frames of the animation differ in size", format: WebPDecoder.type)
    }
    try budget.chargeWorkInParts(count: frame.bitmap.width * frame.bitmap.height, unitsEach: Self.workPerPixel)
    var picture = try EncodablePicture(frame.bitmap, &budget)
    if !options.keepsInvisibleColors { picture.clearInvisiblePixels() }
    let duration = clock.milliseconds(after: frame.delay)
    let previousByteCount = canvas.map { $0.pixels.count * EncodablePicture.bytesPerPixel } ?? 0
    try encode(picture, duration: duration, &budget)
    canvas = picture
    budget.release(previousByteCount)
  }

  /// Ends the file and returns it.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` if there are no frames; `CodecError.Kind.encodingFailed` if the file
  ///   would exceed 4 GiB; `CodecError.Kind.cancelled`, `CodecError.Kind.limitExceeded`.
  public mutating func finish(budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    var output = EncodedOutput()
    try finish(to: &output, budget: &budget)
    return try output.finish()
  }

  /// Passes on the frames that are complete, so that they are not held. The output must be the same one for the whole
  /// file.
  package mutating func drain(to output: inout EncodedOutput, budget: inout ResourceBudget) throws(CodecError) {
    guard writer.byteCount > 0 else { return }
    if output.byteCount == 0 {
      // The length follows at the end.
      try output.append(RIFFWriter.header(byteCount: 0), budget: &budget)
    }
    let byteCount = writer.byteCount
    try writer.drain(to: &output, &budget)
    budget.release(byteCount)
  }

  /// Ends the file, and completes its header: the features of the canvas are those of all frames.
  package mutating func finish(to output: inout EncodedOutput, budget: inout ResourceBudget) throws(CodecError) {
    guard let canvas, let last = pending else {
      throw CodecError(.invalidArgument, "the animation has no frames", format: WebPDecoder.type)
    }
    let description = MetadataChunks(metadata, colorSpace: colorSpace, orientation: orientation)
    if frameCount == 1 {
      var features = description.features
      if hasAlpha { features.insert(.alpha) }
      if !features.subtracting(.alpha).isEmpty || last.picture.hasAlphaPlane {
        writer.append(features, size: canvas.size)
      }
      description.appendProfile(to: &writer)
      writer.append(contentsOf: last.picture.chunks)
    } else {
      writer.append("ANMF", last.fields, containing: last.picture.chunks)
    }
    let descriptionByteCount = writer.byteCount
    description.appendDescription(to: &writer)
    // The last frame has been charged, but for the fields around its chunks.
    try budget.allocate(writer.byteCount - descriptionByteCount + EncodedFrame.overhead)
    pending = nil
    try drain(to: &output, budget: &budget)
    var header = try RIFFWriter.header(byteCount: output.byteCount - RIFFWriter.headerByteCount)
    if frameCount > 1 { header += featureChunk(canvas.size, description).bytes }
    try output.replace(at: 0, with: header)
  }

  /// The chunk of features of an animation.
  private func featureChunk(_ size: PixelSize, _ description: MetadataChunks) -> RIFFWriter {
    var features = description.features
    features.insert(.animation)
    if hasAlpha { features.insert(.alpha) }
    var chunk = RIFFWriter()
    chunk.append(features, size: size)
    return chunk
  }

  /// Writes what precedes the frames of an animation.
  private mutating func begin(_ size: PixelSize, _ budget: inout ResourceBudget) throws(CodecError) {
    let description = MetadataChunks(metadata, colorSpace: colorSpace, orientation: orientation)
    writer = featureChunk(size, description)
    description.appendProfile(to: &writer)
    var control = ByteWriter(.littleEndian)
    // A transparent background.
    control.append(0 as UInt32)
    control.append(UInt16(clamping: loopCount.rawCount))
    writer.append("ANIM", control.bytes)
    try budget.allocate(writer.byteCount)
  }

  // MARK: Frames

  private mutating func encode(
    _ picture: EncodablePicture, duration: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    // The ways to draw a frame: its region, and with gaps; over the canvas, and after clearing the last region.
    let candidateCount = canvas == nil ? 0 : picture.hasAlpha ? 5 : 2
    let candidateByteCount = try budget.allocate(
      count: picture.pixels.count, bytesEach: candidateCount * EncodablePicture.bytesPerPixel)
    defer { budget.release(candidateByteCount) }
    let candidates = candidates(for: picture)
    let drawnCount = candidates.reduce(0) { $0 + $1.region.width * $1.region.height }
    try budget.chargeWorkInParts(count: drawnCount, unitsEach: Self.workPerDrawnPixel)
    let encoder = PictureEncoder(options: frameOptions)
    let results = try parallelResults(
      count: candidates.count, parallelism: options.parallelism, &budget
    ) { index, budget throws(CodecError) in
      let candidate = candidates[index]
      // Encoding changes the pixels, which the next frame is compared with.
      var part = candidate.picture
      let copyByteCount = try budget.allocate(count: part.pixels.count, bytesEach: EncodablePicture.bytesPerPixel)
      defer { budget.release(copyByteCount) }
      return EncodedFrame(
        region: candidate.region, duration: duration, isBlended: candidate.isBlended,
        picture: try encoder.encode(&part, &budget))
    }
    guard var best = results.indices.first else { return }
    for index in results.indices where results[index].picture.chunks.byteCount < results[best].picture.chunks.byteCount
    {
      best = index
    }
    for index in results.indices where index != best { budget.release(results[index].picture.chunks.byteCount) }
    if var previous = pending {
      previous.isDisposed = candidates[best].disposesPrevious
      if frameCount == 1 { try begin(picture.size, &budget) }
      try budget.allocate(EncodedFrame.overhead)
      writer.append("ANMF", previous.fields, containing: previous.picture.chunks)
    }
    pending = results[best]
    hasAlpha = hasAlpha || results[best].picture.hasAlpha
    framesSinceKeyFrame = candidates[best].isComplete ? 0 : framesSinceKeyFrame + 1
    frameCount += 1
  }

  /// The options of single frames: the limit of bytes is for still images, and candidates are encoded in parallel.
  private var frameOptions: WebPEncoder.Options {
    var options = options
    options.maximumByteCount = nil
    options.parallelism = 1
    return options
  }

  /// Returns the ways to draw a picture that are worth a try.
  private func candidates(for picture: EncodablePicture) -> [FrameCandidate] {
    let whole = PixelRegion(x: 0, y: 0, width: picture.size.width, height: picture.size.height)
    let complete = FrameCandidate(region: whole, picture: picture, isComplete: true)
    guard let canvas, let pending else { return [complete] }
    if let interval = options.keyFrameInterval, framesSinceKeyFrame + 1 >= interval { return [complete] }
    var candidates: [FrameCandidate] = []
    append(over: canvas, picture, disposesPrevious: false, to: &candidates)
    // Clearing the last frame's region helps only if something becomes transparent.
    if picture.hasAlpha {
      var cleared = canvas
      cleared.clear(pending.region)
      append(over: cleared, picture, disposesPrevious: true, to: &candidates)
    }
    return candidates
  }

  /// Appends the ways to draw a picture over a canvas: its changed region as it is, and with gaps where nothing changes.
  private func append(
    over canvas: EncodablePicture, _ picture: EncodablePicture, disposesPrevious: Bool,
    to candidates: inout [FrameCandidate]
  ) {
    let region = picture.changedRegion(from: canvas)
    candidates.append(
      FrameCandidate(region: region, picture: picture.part(region), disposesPrevious: disposesPrevious))
    if let gapped = picture.part(region, leavingGapsOver: canvas) {
      candidates.append(
        FrameCandidate(region: region, picture: gapped, isBlended: true, disposesPrevious: disposesPrevious))
    }
  }
}

/// One way to draw a frame.
private struct FrameCandidate: Sendable {
  var region: PixelRegion
  var picture: EncodablePicture
  var isBlended = false
  var disposesPrevious = false
  /// Whether the frame does not depend on others.
  var isComplete = false
}

/// An encoded frame.
private struct EncodedFrame: Sendable {
  var region: PixelRegion
  /// Milliseconds.
  var duration: Int
  var isBlended: Bool
  var isDisposed = false
  var picture: EncodedPicture

  /// The greatest number of bytes of ANMF besides the chunks of the picture.
  static let overhead = 8 + 16 + 1

  /// The start of the payload of ANMF, which the chunks of the picture follow.
  var fields: [UInt8] {
    var header = ByteWriter(.littleEndian)
    for value in [region.x / 2, region.y / 2, region.width - 1, region.height - 1, duration] {
      header.append(UInt64(value), byteCount: 3)
    }
    header.append(UInt8((isBlended ? 0 : 2) | (isDisposed ? 1 : 0)))
    return header.bytes
  }
}

/// Rounds delays so that errors do not accumulate.
private struct MillisecondClock: Sendable {
  private var elapsed = Duration.zero
  private var counted: Int64 = 0
  private static let greatest: Int64 = 0xFF_FFFF

  /// Returns the duration of a frame in milliseconds.
  mutating func milliseconds(after delay: Duration) -> Int {
    elapsed += max(.zero, min(delay, .milliseconds(Self.greatest)))
    let (seconds, attoseconds) = elapsed.components
    let total = seconds * 1000 + (attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000
    let duration = min(max(0, total - counted), Self.greatest)
    counted += duration
    return Int(duration)
  }
}

extension EncodablePicture {
  /// Returns the smallest region with even offsets that contains all differences from a picture of equal size; one pixel
  /// if there are none.
  fileprivate func changedRegion(from other: EncodablePicture) -> PixelRegion {
    let (width, height) = (size.width, size.height)
    let (new, old) = (pixels.span, other.pixels.span)
    var (top, bottom, left, right) = (height, -1, width, -1)
    for y in 0..<height {
      let start = y &* width
      var first = 0
      while first < width, new[start &+ first] == old[start &+ first] { first &+= 1 }
      if first == width { continue }
      var last = width &- 1
      while new[start &+ last] == old[start &+ last] { last &-= 1 }
      top = min(top, y)
      bottom = y
      left = min(left, first)
      right = max(right, last)
    }
    if bottom < 0 { return PixelRegion(x: 0, y: 0, width: 1, height: 1) }
    (left, top) = (left & ~1, top & ~1)
    return PixelRegion(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }

  /// Returns a region in which pixels equal to those of a canvas are transparent; `nil` if that draws something else,
  /// because a pixel that changes is not opaque, or if there is no such pixel.
  fileprivate func part(_ region: PixelRegion, leavingGapsOver canvas: EncodablePicture) -> EncodablePicture? {
    let width = size.width
    var part: [UInt32] = []
    part.reserveCapacity(region.width * region.height)
    var hasGaps = false
    for y in region.y..<region.y + region.height {
      for index in y * width + region.x..<y * width + region.x + region.width {
        let pixel = pixels[index]
        if pixel == canvas.pixels[index] {
          part.append(0)
          hasGaps = true
        } else {
          guard pixel >= 0xFF00_0000 else { return nil }
          part.append(pixel)
        }
      }
    }
    guard hasGaps else { return nil }
    return EncodablePicture(size: PixelSize(width: region.width, height: region.height), pixels: part)
  }

  /// Makes a region transparent.
  fileprivate mutating func clear(_ region: PixelRegion) {
    for y in region.y..<region.y + region.height {
      for index in y * size.width + region.x..<y * size.width + region.x + region.width { pixels[index] = 0 }
    }
  }
}
