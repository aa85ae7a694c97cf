// Images in files: read and written by URL or path.
//
// Files are mapped into memory, and their size is limited by ``DecodingLimits/maximumByteCount``. A file that another
// process truncates while it is being read ends the process, as with any mapped file.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension DecodedImage {
  /// Decodes an image file of any known format, with its metadata and diagnostics.
  ///
  /// - Throws: ``CodecError/Kind/fileAccessFailed`` if the file cannot be read, and the errors of
  ///   ``init(decoding:options:formats:)``.
  public init(
    contentsOf url: URL, options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    let data = try FileAccess.read(url, limits: options.limits)
    try self.init(decoding: data.span, options: options, formats: formats)
  }
}

extension Bitmap {
  /// Decodes an image file of any known format. For an animation, decodes the still image.
  ///
  /// - Throws: ``CodecError/Kind/fileAccessFailed`` if the file cannot be read, and the errors of
  ///   ``init(decoding:options:formats:)``.
  public init(
    contentsOf url: URL, options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    self = try DecodedImage(contentsOf: url, options: options, formats: formats).bitmap
  }

  /// Decodes the image file at a path. For an animation, decodes the still image. Throws the same errors as
  /// ``init(contentsOf:options:formats:)``.
  public init(
    contentsOfFile path: String, options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try self.init(contentsOf: URL(fileURLWithPath: path), options: options, formats: formats)
  }

  /// Encodes the image and writes it to a file. After an error an existing file is unchanged.
  ///
  /// - Parameters:
  ///   - format: the format; `nil` selects the format of the file name extension.
  ///   - metadata: the metadata to write; `nil` for none.
  /// - Throws: ``CodecError/Kind/unsupported`` if the extension is not that of a format with an encoder,
  ///   ``CodecError/Kind/encodingFailed`` if the format cannot represent the image,
  ///   ``CodecError/Kind/fileAccessFailed`` if the file cannot be written.
  public func write(to url: URL, as format: EncodingFormat? = nil, metadata: ImageMetadata? = nil) throws(CodecError) {
    let chosen: EncodingFormat
    if let format { chosen = format } else { chosen = try EncodingFormat(fileExtension: url.pathExtension) }
    try FileAccess.write(try encoded(as: chosen, metadata: metadata), to: url)
  }

  /// Encodes the image and writes it to the file at a path. After an error an existing file is unchanged. Throws the same
  /// errors as ``write(to:as:metadata:)``.
  public func write(
    toFile path: String, as format: EncodingFormat? = nil, metadata: ImageMetadata? = nil
  ) throws(CodecError) {
    try write(to: URL(fileURLWithPath: path), as: format, metadata: metadata)
  }
}

extension EncodingFormat {
  /// Selects the built-in format for a file name extension, such as `"jpg"`, with default options.
  ///
  /// - Throws: ``CodecError/Kind/unsupported`` if the extension has no encoder.
  public init(fileExtension: String) throws(CodecError) {
    let type = AssetType(filenameExtension: fileExtension)
    guard let type, let format = try EncodingFormat(type: type) else {
      throw CodecError(.unsupported, "there is no encoder for the file name extension '\(fileExtension)'", format: type)
    }
    self = format
  }
}

extension ImageInfo {
  /// Reads the headers of an image file of any known format, including formats that are not decoded. Allocates no
  /// pixels.
  ///
  /// - Throws: ``CodecError/Kind/fileAccessFailed`` if the file cannot be read, and the errors of
  ///   ``init(reading:options:formats:)``.
  public init(
    contentsOf url: URL, options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    let data = try FileAccess.read(url, limits: options.limits)
    try self.init(reading: data.span, options: options, formats: formats)
  }

  /// Reads the headers of the image file at a path. Allocates no pixels. Throws the same errors as
  /// ``init(contentsOf:options:formats:)``.
  public init(
    contentsOfFile path: String, options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try self.init(contentsOf: URL(fileURLWithPath: path), options: options, formats: formats)
  }
}

extension ImageMetadata {
  /// Reads the metadata of an image file of any known format. Decodes no pixels.
  ///
  /// - Throws: ``CodecError/Kind/fileAccessFailed`` if the file cannot be read, and the errors of
  ///   ``init(reading:options:formats:)``.
  public init(
    contentsOf url: URL, options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    let data = try FileAccess.read(url, limits: options.limits)
    try self.init(reading: data.span, options: options, formats: formats)
  }

  /// Reads the metadata of the image file at a path. Decodes no pixels. Throws the same errors as
  /// ``init(contentsOf:options:formats:)``.
  public init(
    contentsOfFile path: String, options: InfoOptions = InfoOptions(), formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try self.init(contentsOf: URL(fileURLWithPath: path), options: options, formats: formats)
  }
}
