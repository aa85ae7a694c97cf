// The pictures that cameras store in addition to the data of the sensor, as values.

/// A picture in a raw file that is ready for display. Its orientation is that of the file, whatever its own metadata says.
public struct EmbeddedPicture: Hashable, Codable, Sendable {
  /// The purpose of a picture.
  public enum Kind: String, Hashable, Codable, Sendable {
    /// The picture as the camera would have stored it in place of the raw file.
    case fullSize
    /// A picture for a screen.
    case preview
    /// A picture for a list of files.
    case thumbnail
  }

  /// The coding of a picture.
  public enum Coding: Hashable, Codable, Sendable {
    /// A JPEG file.
    case jpeg
    /// Rows of red, green and blue samples of 8 bits.
    case rgb8
    /// Rows of red, green and blue samples of 16 bits.
    case rgb16(isBigEndian: Bool)

    /// The number of bytes of a pixel; `nil` if pixels are compressed.
    package var bytesPerPixel: Int? {
      switch self {
      case .jpeg: nil
      case .rgb8: 3
      case .rgb16: 6
      }
    }
  }

  /// The purpose.
  public let kind: Kind
  /// The size in pixels, as stored.
  public let size: PixelSize
  /// The position in the file, in bytes.
  public let range: Range<Int>
  /// The coding.
  public let coding: Coding

  /// Creates the description of a picture.
  package init(kind: Kind, size: PixelSize, range: Range<Int>, coding: Coding) {
    (self.kind, self.size, self.range, self.coding) = (kind, size, range, coding)
  }
}
