// Formats whose headers are read but whose pixels are not decoded.

/// Reads only the headers of a format. Decoding throws `CodecError.Kind.unsupported`.
protocol HeaderProbe: ImageFormatDecoder {
  /// The package trait that enables a decoder of the format; `nil` if there is none.
  var trait: String? { get }
}

extension HeaderProbe {
  var trait: String? { nil }

  /// Throws an error that names the format.
  func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    let reason = trait.map { "need the package trait \($0)" } ?? "are identified but not decoded"
    throw CodecError(.unsupported, "\(types[0].formatName) images \(reason)", format: types[0])
  }
}
