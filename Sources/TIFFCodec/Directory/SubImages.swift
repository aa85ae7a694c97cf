// Images of reduced resolution: in subdirectories (Technical Note 1), and as further pages.

internal import ImageCoding
internal import MetadataFormats

extension TIFFContainer {
  /// The maximum number of subdirectories and of pages that are examined.
  private static let maximumSubImageCount = 16

  /// Returns the images in the subdirectories of this one, as far as they are valid.
  func subImages(
    _ bytes: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> [TIFFContainer] {
    let offsets = DirectoryValues(directory, in: bytes, header: header)
      .integers(.subDirectories, maximumCount: Self.maximumSubImageCount)
    var images: [TIFFContainer] = []
    for offset in offsets where offset > 0 {
      do throws(CodecError) {
        images.append(try TIFFContainer(bytes, at: UInt64(offset), header: header, budget: &budget))
      } catch {
        if error.kind != .malformed, error.kind != .truncated { throw error }
      }
    }
    return images
  }

  private var isDecodable: Bool {
    Compression(code: compression) != nil && photometricInterpretation.map { Photometric(code: $0) != nil } ?? true
  }

  /// Returns the version of this image to decode: one of reduced resolution if that suffices.
  func version(
    for options: DecodingOptions, _ bytes: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> TIFFContainer {
    guard let target = options.targetSize, options.region == nil else { return self }
    return try reduced(for: target, bytes, budget: &budget) ?? self
  }

  /// Returns the smallest version of this image that is at least as large as `target`; `nil` if there is none, or only
  /// this one.
  ///
  /// - Parameter target: the size of the upright image.
  func reduced(
    for target: PixelSize, _ bytes: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> TIFFContainer? {
    let needed = orientation.swapsAxes ? target.transposed : target
    return try reducedVersions(bytes, budget: &budget).filter {
      $0.size.width >= needed.width && $0.size.height >= needed.height
    }.min { $0.size.width < $1.size.width }
  }

  /// Returns the versions of this image with reduced resolution that can be decoded.
  func reducedVersions(_ bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> [TIFFContainer] {
    var candidates = try subImages(bytes, budget: &budget)
    for offset in try furtherPages(bytes, budget: &budget) {
      if let page = try? TIFFContainer(bytes, at: offset, header: header, budget: &budget) { candidates.append(page) }
    }
    return candidates.filter { image in
      let kind = DirectoryValues(image.directory, in: bytes, header: header).integer(.newSubfileType) ?? 0
      // Bit 0 is reduced resolution, bit 2 a transparency mask.
      return kind & 5 == 1 && image.isDecodable && image.size.width < size.width && image.size.height < size.height
        && hasShape(of: image)
    }
  }

  private func furtherPages(_ bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> [UInt64] {
    Array(
      try PageChain.offsets(bytes, header: header, maximumCount: Self.maximumSubImageCount, budget: &budget)
        .dropFirst())
  }

  /// Returns the position of the JPEG stream to which a further page or a subdirectory refers, as in EXIF.
  func jpegThumbnail(_ bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> Range<Int>? {
    let offsets =
      try furtherPages(bytes, budget: &budget)
      + DirectoryValues(directory, in: bytes, header: header)
      .integers(.subDirectories, maximumCount: Self.maximumSubImageCount).compactMap { UInt64(exactly: $0) }
    for offset in offsets {
      guard let page = try? TIFFDirectory(bytes, at: offset, header: header, budget: &budget) else { continue }
      let values = DirectoryValues(page, in: bytes, header: header)
      guard let start = values.integer(.thumbnailOffset), let count = values.integer(.thumbnailByteCount), start > 0,
        count > 2, start <= bytes.count, count <= bytes.count - start, bytes[start] == 0xFF, bytes[start + 1] == 0xD8
      else { continue }
      return start..<start + count
    }
    return nil
  }

  /// Whether the ratio of the sides agrees to within a pixel.
  private func hasShape(of image: TIFFContainer) -> Bool {
    let expected = Double(size.height) * Double(image.size.width) / Double(size.width)
    return abs(expected - Double(image.size.height)) <= 1
  }
}
