// The shortest ways from a file to pixels and back.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Bitmap {
  /// Decodes an image of any known format; see `ImageFile.decode()`.
  ///
  /// - Throws: `CodecError.Kind.unrecognizedFormat`, `CodecError.Kind.unsupported` for a format that is recognised
  ///   but not decoded, and the errors of the format's decoder.
  public init(decoding bytes: [UInt8], options: DecodingOptions = DecodingOptions()) throws(CodecError) {
    self = try ImageFile(bytes, options: options).decode().bitmap
  }

  /// Decodes an image of any known format. Throws the same errors as the initialiser for arrays.
  public init(decoding data: Data, options: DecodingOptions = DecodingOptions()) throws(CodecError) {
    self = try ImageFile(data, options: options).decode().bitmap
  }

  /// Decodes an image file of any known format; see
  /// ``ImageFile/init(contentsOf:accepting:options:colorConversion:formats:)``.
  ///
  /// - Throws: `CodecError.Kind.fileAccessFailed` if the file cannot be read, and the errors of the initialiser for
  ///   arrays.
  public init(contentsOf url: URL, options: DecodingOptions = DecodingOptions()) throws(CodecError) {
    self = try ImageFile(contentsOf: url, options: options).decode().bitmap
  }

  /// Decodes the image file at a path. Throws the same errors as the initialiser for URLs.
  public init(contentsOfFile path: String, options: DecodingOptions = DecodingOptions()) throws(CodecError) {
    self = try ImageFile(contentsOfFile: path, options: options).decode().bitmap
  }

  /// Encodes the image and writes it to a file. After an error an existing file is unchanged.
  ///
  /// - Parameters:
  ///   - url: the file to write. It is replaced once the image is complete.
  ///   - format: the format; `nil` selects the format of the file name extension.
  ///   - metadata: the metadata to write; `nil` for none.
  /// - Throws: `CodecError.Kind.unsupported` if the extension is not that of a format with an encoder,
  ///   `CodecError.Kind.encodingFailed` if the format cannot represent the image,
  ///   `CodecError.Kind.fileAccessFailed` if the file cannot be written.
  public func write(to url: URL, as format: EncodingFormat? = nil, metadata: ImageMetadata? = nil) throws(CodecError) {
    try FileAccess.checkIsFile(url)
    let chosen: EncodingFormat
    if let format { chosen = format } else { chosen = try EncodingFormat(filenameExtension: url.pathExtension) }
    try FileAccess.write(try encoded(as: chosen, metadata: metadata), to: url)
  }

  /// Encodes the image and writes it to the file at a path. After an error an existing file is unchanged. Throws the
  /// same errors as ``write(to:as:metadata:)``.
  public func write(
    toFile path: String, as format: EncodingFormat? = nil, metadata: ImageMetadata? = nil
  ) throws(CodecError) {
    try write(to: URL(fileURLWithPath: path), as: format, metadata: metadata)
  }
}
