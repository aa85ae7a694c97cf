// Writing an image to a file that is either the new one or, if anything fails, the old one.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Bitmap {
  /// Encodes the image and writes it to a file, which is replaced as a whole once all bytes are written. If that fails,
  /// a file that was there before stays as it was.
  ///
  /// - Parameter metadata: what to carry along; `nil` for none.
  /// - Throws: ``CodecError`` when the image cannot be encoded, and Foundation's error when the file cannot be written.
  public func write(to url: URL, as format: EncodingFormat, metadata: ImageMetadata? = nil) throws {
    try Data(encoded(as: format, metadata: metadata)).write(to: url, options: .atomic)
  }
}
