// How a decoder is asked for previews of a download: with its new bytes, or with all data received so far.

internal import Foundation

/// The requests for previews that the decoder of a download receives.
struct PreviewRequests {
  /// The reciprocal of the fraction by which data must grow before it is decoded again.
  private static let minimumGrowthDivisor = 64

  /// The number of bytes that were last decoded by a decoder that needs all data.
  private var decodedByteCount = 0

  /// Returns the work to do with new data, or `nil` if the decoder needs none of it yet.
  ///
  /// - Parameters:
  ///   - data: all data received so far.
  ///   - isDue: whether enough time has passed for a preview. A decoder that takes chunks decodes them meanwhile.
  mutating func next(
    of decoder: any ImageDecoding, with data: Data, isDue: Bool
  ) -> (@Sendable () -> ImageContainer?)? {
    if let decoder = decoder as? any ChunkDecoding, let received = decoder.receivedByteCount {
      guard data.count > received else { return nil }
      // A copy of the new bytes, so that the download can grow in place.
      let chunk = Data(data.dropFirst(received))
      return { decoder.receive(chunk, wantsPreview: isDue) }
    }
    // The data that a decoder uses is copied if more arrives meanwhile. With this, all copies together are linear.
    guard isDue, data.count - decodedByteCount >= decodedByteCount / Self.minimumGrowthDivisor else { return nil }
    decodedByteCount = data.count
    return { decoder.decodePartiallyDownloadedData(data) }
  }
}
