// Detection of a file's format from its first bytes by the decoders of the shared registry.

extension AssetType {
  /// Detects the format of a file from its first bytes. `nil` if they are too few or of no known format.
  public init?(_ bytes: [UInt8]) {
    self.init(bytes.span)
  }

  /// Detects the format of a file from its first bytes. `nil` if they are too few or of no known format.
  ///
  /// The decoders of ``ImageFormatRegistry/shared`` are tried in their order, so registered formats are recognised too.
  public init?(_ bytes: Span<UInt8>) {
    guard let type = ImageFormatRegistry.shared.type(of: bytes) else { return nil }
    self = type
  }

  /// Returns the format of a file with this prefix, or the number of bytes needed to detect it.
  public static func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    ImageFormatRegistry.shared.probe(prefix)
  }
}
