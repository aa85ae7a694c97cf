// Which previews a pipeline asks its decoder for.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Which previews a decoder gives while data arrives.
public enum ImagePreviewPolicy: Hashable, Sendable {
  /// Whenever more of the image can be shown.
  case incremental
  /// The thumbnail that is embedded in the file, once.
  case thumbnail
  /// None.
  case disabled

  /// What suits the data: ``incremental`` for progressive JPEG and for GIF, ``disabled`` for everything else.
  ///
  /// - Parameter data: the data so far. A JPEG whose frame header has not arrived is not known to be progressive.
  public static func `default`(for data: Data) -> ImagePreviewPolicy {
    switch AssetType(data) {
    case .some(.gif): .incremental
    case .some(.jpeg): JPEGDecoder().isProgressive(data.span) == true ? .incremental : .disabled
    default: .disabled
    }
  }
}
