// The error as a localised error of Foundation.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension CodecError: LocalizedError {
  /// The description of the error as a sentence: the format, if known, and the reason.
  public var errorDescription: String? {
    guard let format else { return "The image cannot be processed: \(reason)." }
    return "The \(format.formatName) image cannot be processed: \(reason)."
  }

  /// The reason in the terms of the format's specification.
  public var failureReason: String? { reason }
}
