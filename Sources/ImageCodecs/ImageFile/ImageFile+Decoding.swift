// Headers, metadata and pixels of an image.

internal import ISOMediaCodec
internal import JPEGCodec

extension ImageFile {
  /// Reads the headers, also of formats that are recognised but not decoded. Allocates no pixels.
  ///
  /// - Parameter indexesFrames: whether to scan the whole file, without decoding pixels, for the number of frames and
  ///   their durations if the headers do not state them.
  /// - Throws: the errors of the format's decoder for damaged headers.
  public func info(indexesFrames: Bool = false) throws(CodecError) -> ImageInfo {
    let reading = InfoOptions(limits: options.limits, indexesFrames: indexesFrames)
    return try spending { (budget) throws(CodecError) in
      try withBytes { (bytes) throws(CodecError) in try decoder.info(bytes, options: reading, budget: &budget) }
    }
  }

  /// Reads the EXIF, XMP and IPTC data, the ICC profile, texts and comments, wherever they are in the file. Decodes no
  /// pixels.
  ///
  /// - Throws: the errors of the format's decoder for damaged headers.
  public func metadata() throws(CodecError) -> ImageMetadata {
    let reading = InfoOptions(limits: options.limits)
    return try spending { (budget) throws(CodecError) in
      try withBytes { (bytes) throws(CodecError) in try decoder.metadata(bytes, options: reading, budget: &budget) }
    }
  }

  /// Decodes the image, with its metadata and diagnostics. An animation yields its still picture.
  ///
  /// - Throws: `CodecError.Kind.unsupported` for a format that is recognised but not decoded, and the errors of the
  ///   format's decoder.
  public func decode() throws(CodecError) -> DecodedImage {
    try spending { (budget) throws(CodecError) in try decode(budget: &budget) }
  }

  /// Decodes the image as a part of a call, whose budget holds the pixels and the metadata afterwards.
  package func decode(budget: inout ResourceBudget) throws(CodecError) -> DecodedImage {
    try withBytes { (bytes) throws(CodecError) in
      try decoder.decode(bytes, options, convertingColors: colorConversion, budget: &budget)
    }
  }

  /// Decodes the image and passes its rows to a sink, from top to bottom, as they become final. Formats that decode
  /// from top to bottom hold only a few rows. An animation yields its still picture. The rows are as stored:
  /// `DecodingDetails.info` states the orientation.
  ///
  /// - Throws: the errors of the format's decoder and those of the sink.
  public func decode(to sink: any ImageRowSink) throws(CodecError) -> DecodingDetails {
    try spending { (budget) throws(CodecError) in
      try withBytes { (bytes) throws(CodecError) in
        try decoder.decode(bytes, to: sink, options, convertingColors: colorConversion, budget: &budget)
      }
    }
  }

  /// Lists the key frames of a video: the times at which they are shown, from its start, in ascending order; `nil` if
  /// the file is not a video. `DecodingOptions.keyFrame` selects the one that is decoded. Decodes no pixels.
  ///
  /// - Throws: `CodecError.Kind.malformed` if the video has none; `CodecError.Kind.truncated` if one is not in the file
  ///   and decoding is strict; `CodecError.Kind.limitExceeded`.
  public func keyFrameTimes() throws(CodecError) -> [Duration]? {
    guard let decoder = decoder as? ISOMediaDecoder else { return nil }
    return try spending { (budget) throws(CodecError) in
      try withBytes { (bytes) throws(CodecError) in
        try decoder.keyFrameTimes(bytes, tolerance: options.tolerance, budget: &budget)
      }
    }
  }

  /// Opens the frames of an animation; `nil` for a still image and for a video.
  ///
  /// The limits apply to opening, and to each later call for a frame.
  /// - Throws: the errors of the format's decoder.
  public func animation() throws(CodecError) -> (any AnimatedImageSource)? {
    try animation(options)
  }

  /// Opens the frames of an animation as a part of a call: indexing the frames may cost what is left of its budget, and
  /// the file is charged; `nil` for a still image.
  package func animation(budget: inout ResourceBudget) throws(CodecError) -> (any AnimatedImageSource)? {
    // A video may be larger than memory.
    if type.isMovie { return nil }
    let heldByteCount = budget.heldByteCount
    try budget.allocate(try withBytes { $0.count })
    var options = options
    options.limits = budget.remainingLimits
    let animation = try animation(options)
    try budget.checkpoint()
    if animation == nil { budget.settle(heldByteCount: heldByteCount) }
    return animation
  }

  private func animation(_ options: DecodingOptions) throws(CodecError) -> (any AnimatedImageSource)? {
    if type.isMovie { return nil }
    let decoding = options.keepingFormat(if: colorConversion != .keep)
    let animation: (any AnimatedImageSource)?
    if case .bytes(let bytes) = source {
      animation = try decoder.animation(bytes, options: decoding)
    } else {
      animation = try withBytes { (bytes) throws(CodecError) in
        try decoder.animation(bytes, options: decoding)
      }
    }
    guard colorConversion != .keep, let animation else { return animation }
    return ColorConvertingAnimation(base: animation, options: options, conversion: colorConversion)
  }

  /// Decodes the thumbnail that cameras and editors embed in files: that of the EXIF block of any format, of the JFIF
  /// and JFXX segments of JPEG, or of the items of HEIF; `nil` if there is none, or it cannot be decoded. It has the
  /// orientation of the image.
  public func embeddedThumbnail() -> DecodedImage? {
    var search = ThumbnailSearch(options: options, colorConversion: colorConversion, formats: formats)
    return try? withBytes { search.next(in: $0, isComplete: true) }
  }

  /// Decodes the gain map of a JPEG or HEIF file; `nil` if it has none. The map keeps its own size and colours, and has
  /// the orientation of the picture.
  ///
  /// - Throws: the errors of decoding the map.
  public func gainMap() throws(CodecError) -> GainMap? {
    try spending { (budget) throws(CodecError) in
      try withBytes { (bytes) throws(CodecError) in try gainMap(bytes, &budget) }
    }
  }

  private func gainMap(_ bytes: Span<UInt8>, _ budget: inout ResourceBudget) throws(CodecError) -> GainMap? {
    var decoding = options
    decoding.pixelFormat = nil
    decoding.targetSize = nil
    decoding.region = nil
    if let decoder = decoder as? ISOMediaDecoder {
      guard let found = try decoder.gainMap(bytes, options: decoding, budget: &budget) else { return nil }
      let metadata = try found.metadata.map { (item) throws(CodecError) in try GainMapMetadata(toneMapItem: item) }
      return GainMap(bitmap: found.bitmap, metadata: metadata)
    }
    guard let decoder = decoder as? JPEGDecoder, let found = decoder.gainMap(in: bytes) else { return nil }
    decoding.orientation = .report
    var bitmap = Bitmap()
    _ = try decoder.decode(bytes.extracting(found.byteRange), into: &bitmap, options: decoding, budget: &budget)
    // The map is stored in the orientation of the picture.
    let reading = InfoOptions(limits: options.limits)
    if let info = try? decoder.info(bytes, options: reading, budget: &budget) {
      bitmap.orientation = info.orientation
      try bitmap.applyOrientation(options.orientation, budget: &budget)
    }
    return GainMap(bitmap: bitmap, metadata: found.metadata)
  }
}
