// The interface of all encoders.

public import ImageCore

/// An encoder for one format. A value holds the format's options.
public protocol ImageFormatEncoder: Sendable {
  /// The type that this encoder writes.
  var type: AssetType { get }

  /// Encodes a bitmap.
  ///
  /// The bitmap's orientation and colour space are written if the format can store them.
  /// - Parameters:
  ///   - bitmap: the image.
  ///   - metadata: the metadata to write; `nil` for none.
  ///   - budget: charged for memory and work before they are spent. Encoders that take long charge row by row, so that
  ///     they notice a deadline and their cancellation.
  /// - Throws: `CodecError.Kind.encodingFailed` if the format cannot represent the image;
  ///   `CodecError.Kind.limitExceeded`, `CodecError.Kind.cancelled` or `CodecError.Kind.deadlineExceeded`.
  func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata?, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8]
}

extension ImageFormatEncoder {
  /// Encodes a bitmap within limits in proportion to its size, which encoders of this package do not reach.
  ///
  /// - Throws: the errors of ``encode(_:metadata:budget:)``.
  public func encode(_ bitmap: Bitmap, metadata: ImageMetadata?) throws(CodecError) -> [UInt8] {
    var budget = ResourceBudget(encoding: [bitmap.pixelSize], format: type)
    return try encode(bitmap, metadata: metadata, budget: &budget)
  }

  /// Encodes a bitmap without metadata.
  public func encode(_ bitmap: Bitmap) throws(CodecError) -> [UInt8] {
    try encode(bitmap, metadata: nil)
  }
}
