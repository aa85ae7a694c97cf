// Removes the metadata of a file and compares the result with the file: both must show the same pictures, or the removal
// must be refused with a typed error. Runs in a child process.

import ConformanceKit
import ImageCodecs
import ImageCoding

/// Examines one file.
struct StrippedExaminer {
  /// The reason for which a file is a failure.
  private struct Finding: Error {
    var reason: String
  }

  /// The remarks of files that pass.
  enum Remark {
    static let samePictures = "same pictures"
    static let noPicture = "no picture"
    static let refused = "refused: "
  }

  /// The number of images and of frames that are compared.
  private static let comparedCount = 12
  /// The number of pixels of all compared frames.
  private static let comparedPixelCount = 20_000_000

  private let bytes: [UInt8]
  private let stripped: [UInt8]

  /// Returns the outcome of the file at a path.
  static func examine(_ path: String) -> CaseResult {
    guard let bytes = try? readFile(path) else { return CaseResult(.failed("the file cannot be read")) }
    guard let decoder = Decoders.recognizing(bytes) else { return CaseResult(.unsupported("no decoder")) }
    let stripped: [UInt8]
    do throws(CodecError) {
      stripped = try ImageFile(bytes).stripped()
    } catch {
      if error.kind == .unsupported { return CaseResult(.unsupported("\(error)")) }
      let hasPicture = (try? decoder.decode(bytes.span, options: .asStored)) != nil
      return CaseResult(.passed, remark: hasPicture ? Remark.refused + "\(error)" : Remark.noPicture)
    }
    do {
      return CaseResult(.passed, remark: try StrippedExaminer(bytes: bytes, stripped: stripped).examine())
    } catch {
      return CaseResult(.failed(error.reason))
    }
  }

  private func examine() throws(Finding) -> String {
    guard let decoder = Decoders.recognizing(bytes), let after = Decoders.recognizing(stripped) else {
      throw Finding(reason: "the stripped file is of no known format")
    }
    let hasPicture = try compareImages(decoder, after)
    guard hasPicture else { return Remark.noPicture }
    try compareAnimations(decoder, after)
    try checkMetadata(after)
    let again = Result { () throws(CodecError) in try ImageFile(stripped).stripped() }
    guard case .success(let again) = again else { throw Finding(reason: "the stripped file cannot be stripped") }
    guard again == stripped else { throw Finding(reason: "the stripped file changes when it is stripped again") }
    return Remark.samePictures
  }

  /// Compares the image that is shown, and the others of a file with several. Returns whether there is an image.
  private func compareImages(
    _ decoder: any ImageFormatDecoder, _ after: any ImageFormatDecoder
  ) throws(Finding) -> Bool {
    let options = InfoOptions(indexesFrames: true)
    let count = (try? decoder.info(bytes.span, options: options))?.imageCount ?? 1
    let hasPicture = try compareImage(at: nil, decoder, after)
    guard count > 1 else { return hasPicture }
    let countAfter = (try? after.info(stripped.span, options: options))?.imageCount ?? 1
    guard countAfter == count else { throw Finding(reason: "\(countAfter) images of \(count) are left") }
    for index in 0..<min(count, Self.comparedCount) { _ = try compareImage(at: index, decoder, after) }
    return hasPicture
  }

  private func compareImage(
    at index: Int?, _ decoder: any ImageFormatDecoder, _ after: any ImageFormatDecoder
  ) throws(Finding) -> Bool {
    let place = index.map { "image \($0): " } ?? ""
    var options = DecodingOptions.asStored
    options.imageIndex = index
    guard let expected = try? decoder.decode(bytes.span, options: options) else { return false }
    let result: DecodedImage
    do throws(CodecError) {
      result = try after.decode(stripped.span, options: options)
    } catch {
      throw Finding(reason: "\(place)the stripped file does not decode: \(error)")
    }
    guard result.bitmap.orientation == expected.bitmap.orientation else {
      let (was, now) = (expected.bitmap.orientation, result.bitmap.orientation)
      throw Finding(reason: "\(place)the orientation was \(was) and is \(now)")
    }
    guard result.bitmap == expected.bitmap else {
      let (was, now) = (expected.bitmap, result.bitmap)
      throw Finding(
        reason: "\(place)the picture differs: \(was.width) × \(was.height) \(was.format), "
          + "\(now.width) × \(now.height) \(now.format)")
    }
    return true
  }

  private func compareAnimations(
    _ decoder: any ImageFormatDecoder, _ after: any ImageFormatDecoder
  ) throws(Finding) {
    guard let expected = try? decoder.animation(bytes, options: .asStored) else { return }
    guard let result = try? after.animation(stripped, options: .asStored) else {
      throw Finding(reason: "the stripped file is no animation")
    }
    guard result.frameCount == expected.frameCount, result.loopCount == expected.loopCount else {
      throw Finding(
        reason: "\(result.frameCount) frames of \(expected.frameCount), played \(result.loopCount) instead of "
          + "\(expected.loopCount)")
    }
    let canvas = max(1, expected.canvasSize.width * expected.canvasSize.height)
    var before = expected.makeCursor()
    var now = result.makeCursor()
    for index in 0..<min(Self.comparedCount, expected.frameCount, max(1, Self.comparedPixelCount / canvas)) {
      guard result.frameInfo(at: index) == expected.frameInfo(at: index) else {
        throw Finding(reason: "the region, delay or disposal of frame \(index) differs")
      }
      guard let frame = try? before.next() else { return }
      guard (try? now.next()) == frame else { throw Finding(reason: "frame \(index) differs") }
    }
  }

  /// Checks that only the orientation is left of EXIF, and nothing of other metadata. SVG keeps what viewers show.
  private func checkMetadata(_ decoder: any ImageFormatDecoder) throws(Finding) {
    guard let metadata = try? decoder.metadata(stripped.span, options: InfoOptions()) else { return }
    guard metadata.xmp == nil, metadata.iptc == nil, metadata.comments.isEmpty, metadata.texts.isEmpty else {
      throw Finding(reason: "XMP, IPTC, comments or texts are left")
    }
    let bare = Self.orientationBlockByteCount
    guard decoder.types.contains(TIFFDecoder.type) || (metadata.exif?.count ?? 0) <= bare else {
      throw Finding(reason: "an EXIF block of \(metadata.exif?.count ?? 0) bytes is left")
    }
  }

  /// A header, and a directory with one field.
  private static let orientationBlockByteCount = 8 + 2 + 12 + 4
}
