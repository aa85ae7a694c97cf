// The request for a thumbnail: everything but the file.

/// A request for a small version of an image.
///
/// `ImageFile.thumbnail(_:)` makes it. The image is decoded at a reduced size if its format allows that, its rows
/// are resized as they are decoded, and orientation, colour and background are applied to the result. The image is held
/// in memory only if it cannot be decoded from top to bottom.
public struct Thumbnail: Hashable, Sendable {
  /// The fitting of an image to a size of another aspect ratio.
  public enum Fit: Hashable, Sendable {
    /// The whole image, as large as the size allows.
    case inside
    /// The whole image, as small as covers the size. It is not cropped.
    case outside
    /// The size exactly: the image covers it, and what exceeds it is cropped before the rest is resized. Edges of the
    /// crop may be within pixels.
    case cover(Gravity)
    /// The size exactly: the whole image, as large as the size allows, is placed on the background, which is transparent
    /// if the request has no colour.
    case padded(Gravity)
    /// The size exactly: the image is stretched.
    case exact

    /// As ``cover(_:)``, cropped equally on both sides.
    public static let cover = Fit.cover(.center)
    /// As ``padded(_:)``, with the same space on both sides.
    public static let padded = Fit.padded(.center)
  }

  /// The part of an image that is kept if it is cropped, and its place if it is padded.
  public enum Gravity: String, Hashable, Sendable, CaseIterable {
    /// The middle.
    case center
    /// The middle of the top edge.
    case top
    /// The top right corner.
    case topRight
    /// The middle of the right edge.
    case right
    /// The bottom right corner.
    case bottomRight
    /// The middle of the bottom edge.
    case bottom
    /// The bottom left corner.
    case bottomLeft
    /// The middle of the left edge.
    case left
    /// The top left corner.
    case topLeft
  }

  /// The colour space and sample format of the result.
  public enum Color: String, Hashable, Sendable, CaseIterable {
    /// sRGB, or gray without a profile, in samples of 8 bits, which all viewers show alike.
    case sRGB
    /// As in the file, with the same tag.
    case source
  }

  /// The frames of an animation.
  public enum Frames: String, Hashable, Sendable, CaseIterable {
    /// The still picture: the first frame, or the one that the file provides for viewers that do not play animations.
    case first
    /// All frames, with their durations and the loop count, if the format to encode to has animations.
    case all
  }

  /// The width of the size in pixels; `nil` if it does not limit the image.
  public var width: Int?
  /// The height of the size in pixels; `nil` if it does not limit the image.
  public var height: Int?
  /// The fitting of an image of another aspect ratio to the size.
  public var fit: Fit
  /// Whether images smaller than the size are enlarged. The default is `false`. Drawings always fill the size.
  public var enlarges: Bool
  /// The filter that computes new pixels.
  public var filter: ResamplingFilter
  /// Whether colour is averaged as stored or as linear light.
  public var light: ResamplingLight
  /// The colour space and sample format of the result.
  public var color: Color
  /// The colour onto which transparency is flattened; `nil` keeps it. Formats without transparency use their own colour
  /// then, which is white for JPEG.
  public var background: RGBA8?
  /// The amount of sharpening after resizing, 0 (none, the default) to 4. The difference to the average of
  /// the neighbourhood is multiplied by it and added.
  public var sharpening: Double
  /// The frames of an animation that are encoded. The default is the first.
  public var frames: Frames
  /// Whether a JPEG file has the gain map of the original, resized and cropped with it. The default is `false`.
  ///
  /// Maps of ISO 21496-1, Ultra HDR and Apple in JPEG and HEIF files are kept, and described by ISO 21496-1 and by the
  /// properties of Ultra HDR. Files with a map that cannot be kept have none, and a diagnostic says why.
  public var keepsGainMap: Bool

  /// Creates a request. By default the whole image fits inside the size, only shrinks, is resized by Lanczos's filter
  /// and converted to sRGB.
  ///
  /// - Parameters:
  ///   - width: the width in pixels; `nil` if only the height limits the image.
  ///   - height: the height in pixels; `nil` if only the width limits the image. If both are `nil`, the size is kept.
  ///   - fit: how the image fits into the width and height.
  ///   - enlarges: whether images that are smaller are enlarged.
  ///   - filter: the filter of the resampling.
  ///   - light: whether encoded or linear values are averaged.
  ///   - color: the colours of the result.
  ///   - background: what is shown behind transparent pixels and as padding; `nil` keeps them transparent.
  ///   - sharpening: the strength of an unsharp mask after resizing, 0…4.
  ///   - frames: the first frame, or all frames of an animation.
  ///   - keepsGainMap: whether a JPEG keeps the gain map of the original.
  public init(
    width: Int? = nil, height: Int? = nil, fit: Fit = .inside, enlarges: Bool = false,
    filter: ResamplingFilter = .lanczos3, light: ResamplingLight = .encoded, color: Color = .sRGB,
    background: RGBA8? = nil, sharpening: Double = 0, frames: Frames = .first,
    keepsGainMap: Bool = false
  ) {
    self.width = width
    self.height = height
    self.fit = fit
    self.enlarges = enlarges
    self.filter = filter
    self.light = light
    self.color = color
    self.background = background
    self.sharpening = sharpening
    self.frames = frames
    self.keepsGainMap = keepsGainMap
  }

  /// Checks the values that types do not.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument`.
  func validate() throws(CodecError) {
    guard width ?? 1 > 0, height ?? 1 > 0 else {
      throw CodecError(.invalidArgument, "the size of the thumbnail is not positive")
    }
    guard (0...4).contains(sharpening) else {
      throw CodecError(.invalidArgument, "the sharpening of \(sharpening) is not 0…4")
    }
  }
}
