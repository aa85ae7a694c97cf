// The previews that a pipeline requests from its decoder.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The previews that a decoder returns while data arrives.
public enum ImagePreviewPolicy: Hashable, Sendable {
  /// A preview whenever more of the image can be shown.
  case incremental
  /// The thumbnail that is embedded in the file, once.
  case thumbnail
  /// No previews.
  case disabled

  /// Returns the policy that suits the data: ``incremental`` for progressive JPEG and GIF, ``disabled`` for everything
  /// else.
  ///
  /// - Parameter data: the data received so far. A JPEG is not known to be progressive until its frame header arrives.
  public static func `default`(for data: Data) -> ImagePreviewPolicy {
    switch AssetType(data) {
    case .some(.gif): .incremental
    case .some(.jpeg): JPEGDecoder().isProgressive(data.span) == true ? .incremental : .disabled
    default: .disabled
    }
  }
}
