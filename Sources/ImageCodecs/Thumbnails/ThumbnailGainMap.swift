// Gain maps of JPEG thumbnails: found in the original, resized along with it and attached to the file.

internal import ColorManagement
internal import ISOMediaCodec
internal import ImageCoding
internal import JPEGCodec
internal import MetadataFormats

/// A gain map for a thumbnail, or why there is none.
struct ThumbnailGainMap {
  /// A JPEG file.
  private var file: [UInt8] = []
  private var metadata: GainMapMetadata?
  /// Says why a map of the original is not kept.
  private(set) var diagnostic: ImageDiagnostic?

  /// The bytes of a file of a thumbnail that are not those of the picture: the map, and about 1 KiB that describe it.
  var byteCount: Int { metadata == nil ? 0 : file.count + 1024 }

  /// Returns the file of a thumbnail with the map, if there is one.
  func attached(
    to picture: [UInt8], _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    guard let metadata else { return picture }
    try budget.allocate(file.count + picture.count)
    guard let result = JPEGEncoder.attach(gainMap: file, metadata: metadata, to: picture) else {
      throw CodecError(.encodingFailed, "the gain map cannot be attached", format: .jpeg)
    }
    budget.release(file.count + picture.count)
    return result
  }
}

extension ThumbnailGainMap {
  /// Finds, resizes and encodes the map of an image.
  ///
  /// A map that cannot be decoded is left out in lenient mode.
  init(
    for maker: ThumbnailMaker, of bytes: Span<UInt8>, _ decoder: any ImageFormatDecoder, encoder: JPEGEncoder,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let heldByteCount = budget.heldByteCount
    do throws(CodecError) {
      try budget.descend()
      defer { budget.ascend() }
      guard let map = try Self.map(for: maker, of: bytes, decoder, &budget) else { return }
      var mapMetadata = ImageMetadata()
      mapMetadata.xmp = map.metadata?.xmpPacket
      var encoder = encoder
      encoder.options.maximumByteCount = nil
      file = try encoder.encode(map.bitmap, metadata: mapMetadata, budget: &budget)
      metadata = map.metadata
      budget.settle(heldByteCount: heldByteCount + file.count)
    } catch {
      budget.settle(heldByteCount: heldByteCount)
      if error.isInterruption || maker.options.tolerance == .strict { throw error }
      diagnostic = ImageDiagnostic(.warning, "the gain map is left out: \(error.reason)", byteOffset: error.byteOffset)
    }
  }

  /// Returns the map in the size and orientation of the thumbnail; `nil` if there is none.
  ///
  /// - Throws: `CodecError.Kind.unsupported` if there is a map that does not apply to the thumbnail.
  private static func map(
    for maker: ThumbnailMaker, of bytes: Span<UInt8>, _ decoder: any ImageFormatDecoder,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> GainMap? {
    let options = maker.options
    var decoding = maker.decodingOptions
    decoding.targetSize = nil
    let info = try decoder.info(bytes, options: maker.headerOptions, budget: &budget)
    let resizing = Resizing(maker: maker, info: info)
    var map: GainMap
    if decoder is JPEGDecoder {
      let jpeg = JPEGDecoder()
      guard let found = jpeg.gainMap(in: bytes) else { return nil }
      try resizing.checkRegion()
      let part = bytes.extracting(found.byteRange)
      let size = try jpeg.info(part, options: maker.headerOptions, budget: &budget).size
      let sink = resizing.sink(forMapOf: size, orientation: info.orientation)
      _ = try jpeg.decode(part, to: sink, options: decoding, budget: &budget)
      map = GainMap(bitmap: try sink.finish(budget: &budget).bitmap, metadata: found.metadata)
      map.bitmap.orientation = info.orientation
      try map.bitmap.applyOrientation(options.orientation, budget: &budget)
    } else if let decoder = decoder as? ISOMediaDecoder {
      guard let found = try decoder.gainMap(bytes, options: decoding, budget: &budget) else { return nil }
      try resizing.checkRegion()
      // HEIF applies rotations to the picture and to the map.
      let sink = resizing.sink(forMapOf: found.bitmap.pixelSize, orientation: .up)
      try sink.begin(
        StreamedImage(width: found.bitmap.width, height: found.bitmap.height, format: found.bitmap.format),
        budget: &budget)
      for y in 0..<found.bitmap.height { try sink.append(found.bitmap.row(y), budget: &budget) }
      map = GainMap(bitmap: try sink.finish(budget: &budget).bitmap, metadata: nil)
      if let parameters = found.metadata { map.metadata = try GainMapMetadata(toneMapItem: parameters) }
    } else {
      return nil
    }
    map.bitmap.orientation = .up
    if map.metadata == nil {
      let reading = InfoOptions(limits: options.limits)
      let exif = try decoder.metadata(bytes, options: reading, budget: &budget).exif
      guard let exif, let note = AppleMakerNote(exif: exif, budget: &budget), note.headroom > 0 else {
        throw CodecError(.unsupported, "its parameters are not in the file")
      }
      map = map.describedByISO21496(headroom: note.headroom)
    }
    try resizing.checkColors(of: map, &budget)
    return map
  }

  /// The resizing of the map that corresponds to that of the picture.
  private struct Resizing {
    let maker: ThumbnailMaker
    let info: ImageInfo

    private var request: Thumbnail { maker.requests[0] }

    /// Returns the stages that make a map cover the same part of the scene as the thumbnail. The map keeps its size if
    /// that is smaller, unless the thumbnail is cropped.
    func sink(forMapOf size: PixelSize, orientation: ImageOrientation) -> ThumbnailSink {
      let upright = info.orientation.swapsAxes ? info.size.transposed : info.size
      var geometry = request.geometry(of: upright, isDrawing: false).stored(as: orientation)
      if geometry.part.isWhole {
        let wanted = geometry.size
        geometry.size = PixelSize(width: min(wanted.width, size.width), height: min(wanted.height, size.height))
      }
      var mapRequest = Thumbnail(color: .source)
      mapRequest.filter = request.filter
      return ThumbnailSink(
        mapRequest, of: size, orientation: orientation, geometry: geometry)
    }

    func checkRegion() throws(CodecError) {
      if case .padded = request.fit { throw CodecError(.unsupported, "it is not padded along with the picture") }
      guard maker.options.region != nil else { return }
      throw CodecError(.unsupported, "it is not cropped to a region of the original")
    }

    /// A factor for all components applies in any RGB space; factors for each component apply in that of the picture.
    func checkColors(of map: GainMap, _ budget: inout ResourceBudget) throws(CodecError) {
      guard let metadata = map.metadata else { return }
      let isReversed = metadata.alternateHeadroom < metadata.baseHeadroom
      let hasChannels = map.bitmap.format.colorModel != .gray || Set(metadata.components).count > 1
      guard isReversed || hasChannels, try convertsColors(&budget) else { return }
      throw CodecError(.unsupported, "it applies to the colours of the original, which are converted")
    }

    /// Whether colours change by more than the rounding of the numbers in profiles for sRGB.
    private func convertsColors(_ budget: inout ResourceBudget) throws(CodecError) -> Bool {
      guard request.color == .sRGB else { return maker.colorConversion != .keep }
      let heldByteCount = budget.heldByteCount
      defer { budget.release(budget.heldByteCount - heldByteCount) }
      let transform = try ColorTransform.ignoringBrokenProfile(
        from: info.colorSpace, format: .rgb8, to: .sRGB, budget: &budget
      ).transform
      var colors: [UInt8] = []
      for red: UInt8 in [0, 128, 255] {
        for green: UInt8 in [0, 128, 255] {
          for blue: UInt8 in [0, 128, 255] { colors += [red, green, blue] }
        }
      }
      var converted = [UInt8](repeating: 0, count: colors.count)
      var row = converted.mutableSpan
      transform.convert(colors.span, into: &row)
      return zip(colors, converted).contains { abs(Int($0) - Int($1)) > Self.toleratedDifference }
    }

    /// In levels of 8 bits.
    private static let toleratedDifference = 4
  }
}
