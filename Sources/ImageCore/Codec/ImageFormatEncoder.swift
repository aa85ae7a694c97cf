// The interface of all encoders.

/// An encoder for one format. A value holds the format's options.
public protocol ImageFormatEncoder: Sendable {
  /// The type that this encoder writes.
  var type: AssetType { get }

  /// Encodes a bitmap.
  ///
  /// The bitmap's orientation and colour space are written if the format can store them.
  /// - Parameter metadata: the metadata to write; `nil` for none.
  /// - Throws: ``CodecError/Kind/encodingFailed`` if the format cannot represent the image.
  func encode(_ bitmap: Bitmap, metadata: ImageMetadata?) throws(CodecError) -> [UInt8]

  /// Encodes a bitmap within a budget. The encoders of this package check for cancellation row by row; the default
  /// implementation does so once.
  ///
  /// - Throws: the errors of ``encode(_:metadata:)``, and ``CodecError/Kind/cancelled``,
  ///   ``CodecError/Kind/deadlineExceeded`` or ``CodecError/Kind/limitExceeded``.
  func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata?, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8]
}

extension ImageFormatEncoder {
  /// Encodes a bitmap after a check for cancellation.
  public func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata?, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    try budget.checkpoint()
    return try encode(bitmap, metadata: metadata)
  }

  /// Encodes a bitmap without metadata.
  public func encode(_ bitmap: Bitmap) throws(CodecError) -> [UInt8] {
    try encode(bitmap, metadata: nil)
  }
}
