// The small version of a picture that a HEIF file brings along.

public import ImageCore

extension ISOMediaDecoder {
  /// Decodes the largest JPEG-coded thumbnail of the primary image, turned as its own properties say; `nil` where there
  /// is none.
  ///
  /// - Throws: what the JPEG decoder throws; ``DecodeError/Kind/truncated`` where the thumbnail has not arrived.
  public func thumbnail(_ bytes: Span<UInt8>, options: DecodingOptions) throws(DecodeError) -> Bitmap? {
    let container = try HEIFContainer(parsing: bytes, limits: options.limits)
    let candidates = container.thumbnails.filter { $0.coding == "jpeg" }
    guard jpegDecoder != nil, let largest = candidates.max(by: { $0.codedSize.width < $1.codedSize.width }) else {
      return nil
    }
    return try ItemAssembly(container: container, jpegDecoder: jpegDecoder, options: options).thumbnail(largest, bytes)
  }
}
