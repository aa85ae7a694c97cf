// The decoder for videos: no frame is decoded, but the container says what is inside, and a picture may be found.

internal import Threading

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ImageDecoders {
  /// Gives a video's data with a picture to show in its place: what a caller's closure makes of it, else the cover art,
  /// else the first frame where frames are JPEG or PNG files, else a transparent placeholder of the video's size.
  ///
  /// Not registered by default: `registry.register(ImageDecoders.Video.init)`.
  public final class Video: ImageDecoding {
    /// Makes a picture of a video's data; `nil` to leave it to the decoder.
    public typealias MakePreview = @Sendable (Data) -> PlatformImage?

    private let type: AssetType
    private let formats: ImageFormatRegistry
    private let scale: Double
    private let makePreview: MakePreview?
    /// Whether a preview was returned, or is being made.
    private let hasShownPreview = Mutex(false)

    /// Creates a decoder for the video of a context; `nil` unless its data starts like MP4, M4V or QuickTime.
    public convenience init?(context: ImageDecodingContext) {
      self.init(context: context, makePreview: nil)
    }

    /// Creates a decoder for the video of a context; `nil` unless its data starts like MP4, M4V or QuickTime.
    ///
    /// - Parameter makePreview: makes the picture, such as with a service that decodes video.
    public init?(
      context: ImageDecodingContext, makePreview: MakePreview?, formats: ImageFormatRegistry = .shared
    ) {
      guard let type = formats.type(of: context.data.span), type.isVideo else { return nil }
      self.type = type
      self.formats = formats
      self.makePreview = makePreview
      scale = Double(context.request.scale)
    }

    /// The picture with the data attached. ``ImageContainer/UserInfoKey/videoAssetKey`` tells about the video.
    public func decode(_ data: Data) throws -> ImageContainer {
      let info = try? VideoAssetInfo(parsing: data.span)
      var image = picture(of: data, info: info) ?? placeholder(for: info)
      image.scale = scale
      var container = ImageContainer(image: image, type: type, data: data)
      container.userInfo[.videoAssetKey] = info
      return container
    }

    /// The picture as a preview, once, as soon as it can be made.
    public func decodePartiallyDownloadedData(_ data: Data) -> ImageContainer? {
      // Claimed before the picture is made: the closure may call this decoder again, or take its time.
      let isClaimed = hasShownPreview.withLock { hasShown in
        defer { hasShown = true }
        return !hasShown
      }
      guard isClaimed else { return nil }
      let info = try? VideoAssetInfo(parsing: data.span)
      guard var image = picture(of: data, info: info) else {
        hasShownPreview.withLock { $0 = false }
        return nil
      }
      image.scale = scale
      var container = ImageContainer(image: image, type: type, isPreview: true, data: data)
      container.userInfo[.videoAssetKey] = info
      return container
    }

    private func picture(of data: Data, info: VideoAssetInfo?) -> PlatformImage? {
      if let image = makePreview?(data) { return image }
      let bytes = data.span
      var places: [Range<Int>] = []
      if let cover = info?.coverArtRange { places.append(cover) }
      if let track = info?.primaryTrack, track.imageType != nil, let frame = track.firstSampleRange {
        places.append(frame)
      }
      var budget = ResourceBudget(DecodingLimits.default)
      guard (try? budget.descend()) != nil else { return nil }
      let decoder = NestedPictureDecoder(formats: formats)
      for place in places where place.upperBound <= bytes.count {
        var image = Bitmap()
        let options = DecodingOptions()
        if (try? decoder.decode(bytes.extracting(place), into: &image, options: options, budget: &budget)) != nil {
          return image
        }
      }
      return nil
    }

    /// Transparent pixels of the video's size, turned; an empty image where the size is not known or beyond the limits.
    private func placeholder(for info: VideoAssetInfo?) -> PlatformImage {
      guard let track = info?.primaryTrack, var size = track.codedSize else { return PlatformImage() }
      if track.orientation.swapsAxes { size = size.transposed }
      return (try? Bitmap(width: size.width, height: size.height, format: .rgba8)) ?? PlatformImage()
    }
  }
}

extension ImageContainer.UserInfoKey {
  /// ``VideoAssetInfo``: what a video's container says of it.
  public static let videoAssetKey: ImageContainer.UserInfoKey = "com.github/kean/nuke/video-asset"
}
