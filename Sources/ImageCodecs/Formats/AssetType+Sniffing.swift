// From the first bytes of a file to its format, as the decoders of the shared registry tell it.

extension AssetType {
  /// The format that bytes start like; `nil` when they are too few or of no known format.
  public init?(_ bytes: [UInt8]) {
    self.init(bytes.span)
  }

  /// The format that bytes start like; `nil` when they are too few or of no known format.
  ///
  /// The decoders of ``ImageFormatRegistry/shared`` are asked in their order, so registered formats are known too.
  public init?(_ bytes: Span<UInt8>) {
    guard let type = ImageFormatRegistry.shared.type(of: bytes) else { return nil }
    self = type
  }

  /// The format that a prefix of a file starts like, or how many bytes would tell.
  public static func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    ImageFormatRegistry.shared.probe(prefix)
  }
}
