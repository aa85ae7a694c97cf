// Comparison of the contents of camera raw files with references: embedded pictures, facts about the camera, samples.

import ConformanceKit
import ImageCodecs
import ImageCoding
import MetadataFormats
import RawCodec

/// Evaluates one camera raw file.
struct RawEvaluator {
  private let decoder: RawDecoder
  private let bytes: [UInt8]

  init(_ decoder: RawDecoder, _ bytes: [UInt8]) {
    (self.decoder, self.bytes) = (decoder, bytes)
  }

  /// Returns the first difference from the references of a case; `nil` if there is none.
  func difference(from test: ConformanceCase) throws(CodecError) -> String? {
    if let reason = try previewDifference(from: test.previews) { return reason }
    guard let expected = test.camera else { return nil }
    if let reason = try facts().difference(from: expected) { return reason }
    guard let hash = expected.sampleHash else { return nil }
    let samples = try decoder.sensorFrame(bytes.span).rawSamples()
    return SHA256.hexDigest(of: samples.span) == hash ? nil : "the hash of the samples differs"
  }

  private func previewDifference(from expected: [ExpectedPreview]) throws(CodecError) -> String? {
    guard !expected.isEmpty else { return nil }
    let found = try ImageFile(bytes).info().thumbnails
    for preview in expected {
      let place = "at \(preview.range.lowerBound)"
      guard let ours = found.first(where: { $0.range == preview.range }) else {
        return "the picture \(place) is not listed"
      }
      guard ours.size == PixelSize(width: preview.width, height: preview.height) else {
        return "the picture \(place): \(ours.size), reference \(preview.width)x\(preview.height)"
      }
      guard SHA256.hexDigest(of: bytes.span.extracting(ours.range)) == preview.hash else {
        return "the hash of the picture \(place) differs"
      }
    }
    return nil
  }

  private func facts() throws(CodecError) -> CameraFacts {
    let file = try ImageFile(bytes)
    let exif = try file.metadata().exif.flatMap { try? EXIFMetadata($0) }
    func text(_ directory: EXIFMetadata.Directory, _ tag: UInt16) -> String? {
      guard case .text(let text)? = exif?[directory, EXIFTag(rawValue: tag)] else { return nil }
      return text
    }
    let original = text(.exif, 0x9003)
    let changed = text(.image, 0x0132)
    return CameraFacts(
      make: text(.image, 0x010F), model: text(.image, 0x0110), orientation: Int(try file.info().orientation.rawValue),
      dates: [original, changed].compactMap { $0 })
  }
}
