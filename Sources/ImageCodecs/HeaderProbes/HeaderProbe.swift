// Formats that are identified and measured, but whose pixels are not decoded here.

/// Reads a format's headers only. Its decode throws ``DecodeError/Kind/unsupported``.
protocol HeaderProbe: ImageFormatDecoder {}

extension HeaderProbe {
  /// Looks at the signature.
  func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    let result = AssetType.probe(prefix)
    if case .yes(let type) = result, !types.contains(type) { return .no }
    return result
  }

  /// Throws, naming the format.
  func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions
  ) throws(DecodeError) -> DecodingDetails {
    throw DecodeError.notDecoded(AssetType(bytes) ?? types[0])
  }
}

extension DecodeError {
  /// The error for a format that is known by its signature only.
  static func notDecoded(_ type: AssetType) -> DecodeError {
    DecodeError(.unsupported, "\(type.formatName) images are identified but not decoded", format: type)
  }
}
