// What the server accepts. Everything that a stranger can vary is limited here.

import ImageCodecs

/// The limits of an upload and the pictures that are made of it.
public struct UploadPolicy: Sendable {
  /// The formats that are accepted.
  public var types: Set<AssetType> = [.jpeg, .png, .gif, .webp, .heic, .avif]
  /// The largest body in bytes.
  public var maximumByteCount = 20 << 20
  /// The time in which the body must arrive.
  public var maximumDuration = Duration.seconds(30)
  /// The longer sides of the thumbnails.
  public var thumbnailSides = [1200, 320]

  /// The policy of the fields' defaults.
  public init() {}

  /// A damaged picture is refused, so decoding is strict.
  var options: DecodingOptions { DecodingOptions(tolerance: .strict, limits: .server) }

  var thumbnails: [Thumbnail] { thumbnailSides.map { Thumbnail(width: $0, height: $0) } }
}
