// Detection of a file's format from its first bytes by the decoders of the shared registry.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AssetType {
  /// Detects the format of a file from its first bytes. `nil` if they are too few or of no known format.
  public init?(_ bytes: [UInt8]) {
    self.init(bytes.span)
  }

  /// Detects the format of a file from its first bytes. `nil` if they are too few or of no known format.
  public init?(_ data: Data) {
    self.init(data.span)
  }

  /// Detects the format of a file from its first bytes. `nil` if they are too few or of no known format.
  ///
  /// The decoders of ``ImageFormatRegistry/shared`` are tried in their order, so registered formats are recognised too.
  /// The four bytes with which icons start are taken for one, as Nuke does, although the decoder waits for eight.
  public init?(_ bytes: Span<UInt8>) {
    if let type = ImageFormatRegistry.shared.type(of: bytes) {
      self = type
    } else if (4..<8).contains(bytes.count), bytes[0] == 0, bytes[1] == 0, bytes[2] == 1, bytes[3] == 0 {
      self = .ico
    } else {
      return nil
    }
  }
}
