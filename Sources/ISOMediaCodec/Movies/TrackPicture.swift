// Pictures of a track: its first entry point, or any sample that is coded without reference to others.

internal import ImageCoding
internal import MetadataFormats
internal import PixelPlanes

/// Decodes single samples of a video track or an image sequence.
struct TrackPicture: Sendable {
  private(set) var track: VideoAssetInfo.Track
  let type: AssetType
  let decoders: ConfiguredDecoders
  /// The decoders of samples that are images of another format.
  let imageDecoders: [AssetType: AnyImageFormatDecoder]
  /// Names the package trait of a coding without a decoder.
  let traits: [String: String]

  /// The work units for decoding a sample, in addition to its bytes and pixels.
  private static let workPerSample = 20_000
  /// The number of rows from which a video without a stated matrix is converted as BT.709 instead of BT.601.
  private static let highDefinitionHeight = 720

  private var imageDecoder: AnyImageFormatDecoder? { track.imageType.flatMap { imageDecoders[$0] } }

  /// Whether there is a decoder for the coding of the track.
  var canDecode: Bool { isPlanar || imageDecoder != nil }

  /// Whether the samples are coded as planes.
  var isPlanar: Bool { decoders.canDecode(track.coding) }

  /// Returns the pictures of the samples that share a description.
  ///
  /// - Parameter index: the index of the sample entry, counted from 0.
  /// - Throws: `CodecError.Kind.malformed` if there is no such entry; `CodecError.Kind.unsupported`, naming the
  ///   coding, if there is no decoder for it; errors of `budget`.
  func describing(
    _ index: Int, _ bytes: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> TrackPicture {
    guard index != track.samples.firstDescription(bytes) else { return self }
    var picture = self
    picture.track = try track.describing(index, bytes, type: type, budget: &budget)
    guard picture.canDecode else { throw picture.unsupported }
    return picture
  }

  /// Returns the decoder of the samples, whose configuration is read once.
  ///
  /// - Throws: `CodecError.Kind.unsupported`, naming the coding, if there is no decoder for it.
  func decoder(
    _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> AnyConfiguredPictureDecoder {
    let configuration = track.description.configuration
    guard configuration.upperBound <= bytes.count else {
      throw CodecError(.malformed, "the decoder configuration is not in the file", format: type)
    }
    guard
      let decoder = try decoders.decoder(of: track.coding, configuredBy: configuration, in: bytes, &budget)
    else { throw unsupported }
    return decoder
  }

  /// Returns the decoder of a sample, with the parameter sets of the entry point before it.
  func decoder(
    of sample: TrackSample, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> AnyConfiguredPictureDecoder {
    let decoder = try decoder(bytes, &budget)
    guard !sample.isEntryPoint, !sample.entryPointRange.isEmpty else { return decoder }
    return try decoder.following(bytes.extracting(sample.entryPointRange), budget: &budget)
  }

  /// Reads the configuration of the samples in advance. If it is damaged, each sample fails.
  func prepare(_ bytes: Span<UInt8>, _ budget: inout ResourceBudget) throws(CodecError) {
    guard isPlanar else { return }
    do throws(CodecError) {
      _ = try decoder(bytes, &budget)
    } catch {
      guard error.isDamage || error.kind == .unsupported else { throw error }
    }
  }

  /// The colour space that the track states.
  func colorSpace(_ bytes: Span<UInt8>, budget: inout ResourceBudget) -> ColorSpace {
    var space = ColorSpace()
    space.codePoints = track.codePoints
    let profile = track.description.profile
    if !profile.isEmpty, profile.upperBound <= bytes.count, budget.admitMetadata(profile.count) {
      space.iccProfile = Array(copying: bytes.extracting(profile))
    }
    return space
  }

  /// Returns the location of the first entry point that is shown. In files with movie fragments, it is in one of them.
  ///
  /// - Throws: `CodecError.Kind.truncated` with the needed byte count; `CodecError.Kind.malformed` if there is none.
  func firstEntryPoint(
    _ bytes: Span<UInt8>, fragments: [FragmentDefaults], budget: inout ResourceBudget
  ) throws(CodecError) -> SampleLocation {
    var location: SampleLocation?
    if let sample = try track.samples.firstEntryPoint(from: track.edits.start, bytes, budget: &budget) {
      location = try track.samples.location(ofSample: sample, bytes, budget: &budget)
    } else if let fragments = FragmentSamples(bytes, ofTrack: track.id, fragments) {
      location = try fragments.firstEntryPoint(from: track.edits.start, type: type, budget: &budget)
    }
    guard let location, !location.range.isEmpty else {
      throw CodecError(.malformed, "the track has no samples", format: type)
    }
    return location
  }

  private func sample(
    _ range: Range<Int>, _ bytes: Span<UInt8>, isStrict: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Range<Int> {
    try budget.chargeWork(Self.workPerSample)
    if range.upperBound <= bytes.count { return range }
    guard !isStrict, range.lowerBound < bytes.count else {
      throw CodecError(
        .truncated, "the file ends before the end of a sample", format: type, byteOffset: bytes.count,
        neededByteCount: range.upperBound)
    }
    return range.lowerBound..<bytes.count
  }

  /// Decodes a sample into planes. Their memory remains charged.
  ///
  /// - Parameter decoder: the decoder of the sample; `nil` for that of the track.
  /// - Throws: `CodecError.Kind.unsupported`, naming the coding, if there is no decoder for it.
  func planes(
    ofSample range: Range<Int>, by decoder: AnyConfiguredPictureDecoder? = nil, _ bytes: Span<UInt8>,
    _ context: inout DecodingContext
  ) throws(CodecError) -> PlanarPicture {
    var picture = try codedPlanes(ofSample: range, by: decoder, bytes, &context)
    if let codePoints = track.codePoints {
      // 2 is unspecified: the bitstream decides.
      if codePoints.matrixCoefficients != 2 {
        picture.coding.matrix = MatrixCoefficients(rawValue: codePoints.matrixCoefficients)
      }
      if track.description.statesRange { picture.coding.range = codePoints.isFullRange ? .full : .limited }
      if codePoints.colorPrimaries != 2 { picture.colorSpace = .codePoints(codePoints) }
    }
    // Where neither states it, browsers decide by the size, as video has done since high definition.
    if track.handler == "vide", picture.coding.matrix == .unspecified, picture.height >= Self.highDefinitionHeight {
      picture.coding.matrix = .bt709
    }
    return picture
  }

  /// Decodes a sample into planes, interpreted as their bitstream says. Their memory remains charged.
  func codedPlanes(
    ofSample range: Range<Int>, by decoder: AnyConfiguredPictureDecoder?, _ bytes: Span<UInt8>,
    _ context: inout DecodingContext
  ) throws(CodecError) -> PlanarPicture {
    guard isPlanar else { throw unsupported }
    let range = try sample(range, bytes, isStrict: context.isStrict, &context.budget)
    let decoder = if let decoder { decoder } else { try self.decoder(bytes, &context.budget) }
    return try context.decodePart { (context) throws(CodecError) in
      try decoder.decode(bytes.extracting(range), context: &context).picture
    }
  }

  /// Decodes a sample into pixels as stored. They are charged to the budget.
  ///
  /// - Parameters:
  ///   - decoder: the decoder of the sample; `nil` for that of the track.
  ///   - alpha: the alpha plane of the sample.
  /// - Throws: `CodecError.Kind.unsupported`, naming the coding, if there is no decoder for it.
  func bitmap(
    ofSample range: Range<Int>, by decoder: AnyConfiguredPictureDecoder? = nil, alpha: SamplePlane? = nil,
    format: PixelFormat? = nil, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    if !isPlanar, let imageDecoder {
      return try image(range, imageDecoder, format: format, bytes, &context)
    }
    var picture = try planes(ofSample: range, by: decoder, bytes, &context)
    if let alpha, alpha.width == picture.width, alpha.height == picture.height { try picture.setAlpha(alpha) }
    let depth = picture.bitDepth
    var bitmap = try picture.bitmap(
      format: format, parallelism: context.options.parallelism, budget: &context.budget)
    let planesByteCount = picture.rawPlanesByteCount
    _ = consume picture
    context.budget.release(planesByteCount)
    if format == nil, depth > 8, depth < 16 { bitmap.significantBits = depth }
    if let aperture = track.description.cleanAperture, bitmap.pixelSize == track.codedSize {
      try bitmap.reduce(to: aperture, budget: &context.budget)
    }
    return bitmap
  }

  private func image(
    _ range: Range<Int>, _ decoder: AnyImageFormatDecoder, format: PixelFormat?, _ bytes: Span<UInt8>,
    _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    let range = try sample(range, bytes, isStrict: context.isStrict, &context.budget)
    var options = context.options
    options.pixelFormat = format
    options.orientation = .report
    (options.targetSize, options.region, options.imageIndex, options.keyFrame) = (nil, nil, nil, nil)
    let held = context.budget.heldByteCount
    var bitmap = Bitmap()
    try context.budget.descend()
    defer { context.budget.ascend() }
    let details: DecodingDetails
    if track.imageType == ISOMediaDecoder.jpeg2000 {
      let configuration = track.description.configuration
      let header = configuration.upperBound <= bytes.count ? configuration : 0..<0
      let file = try JP2Wrapping.file(
        header: bytes.extracting(header), bytes.extracting(range), budget: &context.budget)
      details = try decoder.decode(file.span, into: &bitmap, options: options, budget: &context.budget)
    } else {
      details = try decoder.decode(
        bytes.extracting(range), into: &bitmap, options: options, budget: &context.budget)
    }
    context.budget.settle(heldByteCount: held + bitmap.byteCount)
    context.note(details.diagnostics.map { ImageDiagnostic($0.severity, $0.reason) })
    bitmap.orientation = .up
    return bitmap
  }

  /// The error that names the coding.
  var unsupported: CodecError {
    CodecError(.unsupported, unsupportedReason("video frames", track.coding, traits), format: type)
  }
}

/// Returns why images of a coding are not decoded.
func unsupportedReason(_ subject: String, _ coding: String, _ traits: [String: String]) -> String {
  if let trait = traits[coding] { return "\(subject) coded as '\(coding)' need the package trait \(trait)" }
  return "\(subject) coded as '\(coding)' are identified but not decoded"
}
