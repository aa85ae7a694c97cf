// The decoder for videos: it describes the container and shows a still image of it.

internal import Threading

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ImageDecoders {
  /// Returns a video's data with an image to show in its place: the result of the caller's closure, else the cover art,
  /// else the first key frame if its coding is known (H.264, HEVC, AV1, JPEG, PNG), else a transparent placeholder of
  /// the video's size.
  ///
  /// Not registered by default: `registry.register(ImageDecoders.Video.init)`.
  public final class Video: ImageDecoding {
    /// Makes an image from a video's data, or returns `nil` to leave it to the decoder.
    public typealias MakePreview = @Sendable (Data) -> PlatformImage?

    private let type: AssetType
    private let formats: ImageFormatRegistry
    private let scale: Double
    private let makePreview: MakePreview?
    /// Whether a preview has been returned or is being made.
    private let hasShownPreview = Mutex(false)

    /// Creates a decoder for the video of a context. Returns `nil` unless the data is MP4, M4V or QuickTime.
    public convenience init?(context: ImageDecodingContext) {
      self.init(context: context, makePreview: nil)
    }

    /// Creates a decoder for the video of a context. Returns `nil` unless the data is MP4, M4V or QuickTime.
    ///
    /// - Parameters:
    ///   - context: the request and the type of the data.
    ///   - makePreview: makes the image, for example with a service that decodes video.
    ///   - formats: the registry that recognises the data.
    public init?(
      context: ImageDecodingContext, makePreview: MakePreview?, formats: ImageFormatRegistry = .shared
    ) {
      guard let type = formats.type(of: context.data.span), type.isMovie else { return nil }
      self.type = type
      self.formats = formats
      self.makePreview = makePreview
      scale = Double(context.request.scale)
    }

    /// Returns the image with the data attached. ``ImageContainer/UserInfoKey/videoAssetKey`` describes the video.
    public func decode(_ data: Data) throws -> ImageContainer {
      let info = try? VideoAssetInfo(parsing: data.span)
      var image = picture(of: data, info: info, isComplete: true) ?? placeholder(for: info)
      image.scale = scale
      var container = ImageContainer(image: image, type: type, data: data)
      container.userInfo[.videoAssetKey] = info
      return container
    }

    /// Returns the image as a preview, once, as soon as it can be made.
    public func decodePartiallyDownloadedData(_ data: Data) -> ImageContainer? {
      // Claimed before the image is made: the closure may call this decoder again or take a long time.
      let isClaimed = hasShownPreview.withLock { hasShown in
        defer { hasShown = true }
        return !hasShown
      }
      guard isClaimed else { return nil }
      let info = try? VideoAssetInfo(parsing: data.span)
      guard var image = picture(of: data, info: info, isComplete: false) else {
        hasShownPreview.withLock { $0 = false }
        return nil
      }
      image.scale = scale
      var container = ImageContainer(image: image, type: type, isPreview: true, data: data)
      container.userInfo[.videoAssetKey] = info
      return container
    }

    private func picture(of data: Data, info: VideoAssetInfo?, isComplete: Bool) -> PlatformImage? {
      if let image = makePreview?(data) { return image }
      let bytes = data.span
      if let cover = info?.coverArtRange, let image = nestedPicture(in: cover, of: bytes) { return image }
      // A frame that is cut off may arrive later.
      let options = DecodingOptions(tolerance: isComplete ? .lenient : .strict)
      return (try? formats.decoder(for: bytes).decode(bytes, options: options))?.bitmap
    }

    private func nestedPicture(in place: Range<Int>, of bytes: Span<UInt8>) -> PlatformImage? {
      var budget = ResourceBudget(DecodingLimits.default)
      guard (try? budget.descend()) != nil else { return nil }
      guard place.upperBound <= bytes.count else { return nil }
      var image = Bitmap()
      let decoder = NestedPictureDecoder(formats: formats)
      let options = DecodingOptions()
      guard
        (try? decoder.decode(bytes.extracting(place), into: &image, options: options, budget: &budget)) != nil
      else { return nil }
      return image
    }

    /// Returns transparent pixels of the video's size after rotation, or an empty image if the size is unknown or
    /// exceeds the limits.
    private func placeholder(for info: VideoAssetInfo?) -> PlatformImage {
      guard let track = info?.primaryTrack, var size = track.codedSize else { return PlatformImage() }
      if track.orientation.swapsAxes { size = size.transposed }
      return (try? Bitmap(width: size.width, height: size.height, format: .rgba8)) ?? PlatformImage()
    }
  }
}

extension ImageContainer.UserInfoKey {
  /// `VideoAssetInfo`: the description of a video from its container.
  public static let videoAssetKey: ImageContainer.UserInfoKey = "com.github/kean/nuke/video-asset"
}
