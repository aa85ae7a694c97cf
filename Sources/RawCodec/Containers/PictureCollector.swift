// The search for embedded pictures: each candidate is examined before it is listed.

internal import ImageCoding

/// Collects the pictures that the directories of a file refer to. A candidate that is no picture is ignored: real files
/// refer to data that was removed, and to the same picture several times.
struct PictureCollector {
  private let jpegDecoder: AnyImageFormatDecoder
  private(set) var pictures: [EmbeddedPicture] = []

  /// The number of pictures after which others are ignored.
  private static let maximumCount = 32
  /// The work units for examining a candidate.
  private static let workPerCandidate = 500

  init(_ jpegDecoder: AnyImageFormatDecoder) {
    self.jpegDecoder = jpegDecoder
  }

  /// Adds a JPEG stream if its header can be read and it is not the data of a sensor, which are coded losslessly.
  ///
  /// - Parameter range: the position in the file, as stated.
  mutating func addJPEG(
    _ range: Range<Int>?, as kind: EmbeddedPicture.Kind, in bytes: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) {
    try budget.chargeWork(Self.workPerCandidate)
    guard let range, range.lowerBound > 0, range.count > 4, range.upperBound <= bytes.count, isNew(range),
      bytes[range.lowerBound] == 0xFF, bytes[range.lowerBound + 1] == 0xD8
    else { return }
    let info: ImageInfo
    do throws(CodecError) {
      info = try jpegDecoder.info(
        bytes.extracting(range), options: InfoOptions(limits: budget.limits), budget: &budget)
    } catch {
      if error.isInterruption || (error.kind == .limitExceeded && error.limit != .pixelCount) { throw error }
      return
    }
    guard info.coding != "lossless" else { return }
    pictures.append(EmbeddedPicture(kind: kind, size: info.size, range: range, coding: .jpeg))
  }

  /// Adds a picture of uncompressed pixels if it is completely in the file.
  mutating func addPixels(
    at offset: Int, size: PixelSize, coding: EmbeddedPicture.Coding, as kind: EmbeddedPicture.Kind,
    in bytes: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) {
    try budget.chargeWork(Self.workPerCandidate)
    guard let bytesPerPixel = coding.bytesPerPixel, size.width > 0, size.height > 0, offset > 0,
      let byteCount = try? budget.limits.checkedByteCount(
        width: size.width, height: size.height, bytesPerPixel: bytesPerPixel),
      offset <= bytes.count, byteCount <= bytes.count - offset, isNew(offset..<offset + byteCount)
    else { return }
    pictures.append(EmbeddedPicture(kind: kind, size: size, range: offset..<offset + byteCount, coding: coding))
  }

  private func isNew(_ range: Range<Int>) -> Bool {
    pictures.count < Self.maximumCount && !pictures.contains { $0.range.lowerBound == range.lowerBound }
  }
}

/// Returns the range of bytes that starts at an offset, or `nil` if the numbers are no position in a file.
func byteRange(at offset: Int?, count: Int?) -> Range<Int>? {
  guard let offset, let count, offset >= 0, count >= 0, count <= Int.max - offset else { return nil }
  return offset..<offset + count
}
