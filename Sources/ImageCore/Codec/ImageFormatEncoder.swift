// The contract of everything that writes a format.

/// Writes one format. A value holds the format's options.
public protocol ImageFormatEncoder: Sendable {
  /// The type that this encoder writes.
  var type: AssetType { get }

  /// Encodes a bitmap.
  ///
  /// Orientation and colour space of the bitmap are written as the format allows.
  /// - Parameter metadata: what to carry along; `nil` for none.
  /// - Throws: ``DecodeError/Kind/encodingFailed`` when the format cannot hold the image.
  func encode(_ bitmap: Bitmap, metadata: ImageMetadata?) throws(DecodeError) -> [UInt8]
}

extension ImageFormatEncoder {
  /// Encodes a bitmap without metadata.
  public func encode(_ bitmap: Bitmap) throws(DecodeError) -> [UInt8] {
    try encode(bitmap, metadata: nil)
  }
}
