// Formats whose headers are read but whose pixels are not decoded.

/// Reads only the headers of a format. Decoding throws ``CodecError/Kind/unsupported``.
protocol HeaderProbe: ImageFormatDecoder {}

extension HeaderProbe {
  /// Throws an error that names the format.
  func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    throw CodecError.notDecoded(types[0])
  }
}

extension CodecError {
  /// Returns the error for a format that is recognised but not decoded.
  static func notDecoded(_ type: AssetType) -> CodecError {
    CodecError(.unsupported, "\(type.formatName) images are identified but not decoded", format: type)
  }
}
