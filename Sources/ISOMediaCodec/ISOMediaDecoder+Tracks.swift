// Pictures of movies and of image sequences without a still image: the first entry point that is shown, or another one
// that the options select.

public import ImageCoding
internal import PixelPlanes

/// A track to decode and where its picture is.
private struct TrackSelection {
  let info: ImageInfo
  let picture: TrackPicture
  let range: Range<Int>
}

extension ISOMediaDecoder {
  func trackPicture(_ track: VideoAssetInfo.Track, type: AssetType) -> TrackPicture {
    var imageDecoders: [AssetType: AnyImageFormatDecoder] = [:]
    imageDecoders[Self.jpeg] = jpegDecoder
    imageDecoders[Self.png] = pngDecoder
    imageDecoders[Self.jpeg2000] = jpeg2000Decoder
    return TrackPicture(
      track: track, type: type, decoders: ConfiguredDecoders(pictureDecoders), imageDecoders: imageDecoders,
      traits: traitsOfMissingCodings)
  }

  /// Selects the first video track whose coding is known.
  ///
  /// - Throws: `CodecError.Kind.unsupported` if there is none, naming the coding of the first track.
  private func selection(
    _ bytes: Span<UInt8>, type: AssetType, _ context: inout DecodingContext
  ) throws(CodecError) -> TrackSelection {
    try context.options.checkImageIndex(format: type)
    let movie = try VideoAssetInfo(parsing: bytes, budget: &context.budget)
    let track = try shownTrack(of: movie, type: type)
    var picture = trackPicture(track, type: type)
    guard picture.canDecode else { throw picture.unsupported }
    let location: SampleLocation
    if let keyFrame = context.options.keyFrame {
      location = try self.location(of: keyFrame, bytes, movie, track, type: type, &context)
    } else {
      location = try picture.firstEntryPoint(bytes, fragments: movie.fragmentDefaults, budget: &context.budget)
    }
    picture = try picture.describing(location.description, bytes, budget: &context.budget)
    return TrackSelection(
      info: try movie.info(of: picture.track, type: type), picture: picture, range: location.range)
  }

  /// Returns the location of a key frame.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` if there is none with its index.
  private func location(
    of keyFrame: DecodingOptions.KeyFrame, _ bytes: Span<UInt8>, _ movie: VideoAssetInfo,
    _ track: VideoAssetInfo.Track, type: AssetType, _ context: inout DecodingContext
  ) throws(CodecError) -> SampleLocation {
    let heldByteCount = context.budget.heldByteCount
    let list = KeyFrameList(bytes, movie, track, type: type, isStrict: context.isStrict)
    let frames = try list.frames(&context.budget)
    defer { context.budget.settle(heldByteCount: heldByteCount) }
    switch keyFrame {
    case .index(let index):
      guard frames.indices.contains(index) else {
        throw CodecError(
          .invalidArgument, "there is no key frame \(index); the video has \(frames.count)", format: type)
      }
      return frames[index].location
    case .time(let time):
      return (frames.last { $0.time <= time } ?? frames[0]).location
    }
  }

  /// Returns the times at which the key frames of a video are shown, from its start; `nil` for files that are not
  /// videos. Decodes no pixels.
  ///
  /// - Parameter tolerance: whether frames that are not in the file are left out or an error.
  /// - Throws: `CodecError.Kind.malformed` if there is no key frame; `CodecError.Kind.truncated` with the needed byte
  ///   count; `CodecError.Kind.limitExceeded`.
  package func keyFrameTimes(
    _ bytes: Span<UInt8>, tolerance: DecodingOptions.Tolerance, budget: inout ResourceBudget
  ) throws(CodecError) -> [Duration]? {
    let type = try sniffedType(bytes)
    guard isVideo(type) else { return nil }
    let heldByteCount = budget.heldByteCount
    let movie = try VideoAssetInfo(parsing: bytes, budget: &budget)
    let track = try shownTrack(of: movie, type: type)
    let list = KeyFrameList(bytes, movie, track, type: type, isStrict: tolerance == .strict)
    let frames = try list.frames(&budget)
    try budget.allocate(count: frames.count, bytesEach: MemoryLayout<Duration>.stride)
    budget.settle(heldByteCount: heldByteCount + frames.count * MemoryLayout<Duration>.stride)
    return frames.map { $0.time }
  }

  /// Returns the first video track whose coding is known, or else the first one.
  private func shownTrack(of movie: VideoAssetInfo, type: AssetType) throws(CodecError) -> VideoAssetInfo.Track {
    let tracks = movie.shownTracks
    guard let first = tracks.first else {
      throw CodecError(.malformed, "there is no track of video or pictures", format: type)
    }
    return tracks.first { trackPicture($0, type: type).canDecode } ?? first
  }

  /// Returns the end of the frame that is decoded.
  func endOfFrame(
    _ bytes: Span<UInt8>, type: AssetType, _ context: inout DecodingContext
  ) throws(CodecError) -> Int {
    let heldByteCount = context.budget.heldByteCount
    defer { context.budget.settle(heldByteCount: heldByteCount) }
    return try selection(bytes, type: type, &context).range.upperBound
  }

  /// Decodes the first entry point that is shown. Its memory remains charged.
  func decodeTrack(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, type: AssetType, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    let selection = try selection(bytes, type: type, &context)
    let track = selection.picture.track
    bitmap = try selection.picture.bitmap(
      ofSample: selection.range, format: context.options.pixelFormat, bytes, &context)
    bitmap.colorSpace = selection.picture.colorSpace(bytes, budget: &context.budget)
    bitmap.orientation = track.orientation
    try bitmap.applyOrientation(context.options.orientation, budget: &context.budget)
    try context.options.crop(&bitmap, budget: &context.budget)
    var metadata = ImageMetadata()
    metadata.colorSpace.codePoints = track.codePoints
    metadata.colorSpace.iccProfile = bitmap.colorSpace.iccProfile
    if let shape = track.pixelShape, shape.width != shape.height {
      // The wider a pixel, the fewer there are in a unit of length.
      metadata.density = ImageMetadata.PixelDensity(
        x: Double(shape.height), y: Double(shape.width), unit: .aspectRatio)
    }
    var info = selection.info
    info.colorSpace = bitmap.colorSpace
    return DecodingDetails(
      info: info, metadata: metadata, isComplete: !context.foundDamage)
  }

  /// Decodes the planes of the first entry point that is shown.
  func planesOfTrack(
    _ bytes: Span<UInt8>, type: AssetType, _ context: inout DecodingContext
  ) throws(CodecError) -> PlanarPicture {
    let selection = try selection(bytes, type: type, &context)
    return try selection.picture.planes(ofSample: selection.range, bytes, &context)
  }

  /// Opens the frames of an image sequence. All of them are listed. Those that are coded with reference to others are
  /// `CodecError.Kind.unsupported` errors when they are requested. Returns `nil` for files without a sequence, and
  /// for videos.
  ///
  /// - Throws: `CodecError.Kind.unsupported`, naming the coding, if there is no decoder for it.
  public func animation(
    _ bytes: [UInt8], options: DecodingOptions
  ) throws(CodecError) -> (any AnimatedImageSource)? {
    guard let type = try? sniffedType(bytes.span), !isVideo(type),
      let brands = try? ISOBrands(parsing: bytes.span), brands.announcesSequence
    else { return nil }
    var context = DecodingContext(options, format: type)
    let movie: VideoAssetInfo
    do throws(CodecError) {
      movie = try VideoAssetInfo(parsing: bytes.span, budget: &context.budget)
    } catch {
      // A brand may announce a sequence that the file does not contain.
      guard error.isDamage else { throw error }
      return nil
    }
    guard let track = movie.primaryTrack, track.samples.sampleCount > 0 else { return nil }
    let picture = trackPicture(track, type: type)
    guard picture.canDecode else { throw picture.unsupported }
    let alpha = movie.alphaTrack(of: track).map { trackPicture($0, type: type) }
    let sequence = try ImageSequence(bytes, picture, alpha: alpha, &context)
    return try ComposedAnimation(sequence)
  }
}
