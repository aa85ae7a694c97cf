// Formats that are identified and measured, but whose pixels are not decoded here.

/// Reads a format's headers only. Its decode throws ``CodecError/Kind/unsupported``.
protocol HeaderProbe: ImageFormatDecoder {}

extension HeaderProbe {
  /// Throws, naming the format.
  func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    throw CodecError.notDecoded(types[0])
  }
}

extension CodecError {
  /// The error for a format that is known by its signature only.
  static func notDecoded(_ type: AssetType) -> CodecError {
    CodecError(.unsupported, "\(type.formatName) images are identified but not decoded", format: type)
  }
}
