// A decode whose bytes arrive in pieces: the same stages as in one go, called with what is there.

internal import ImageCore

/// The session of one image.
final class JPEGSession: IncrementalImageDecoder {
  private var decoder: CodestreamDecoder
  private var bitmap = Bitmap()
  /// The bytes that are not decoded yet.
  private var pending: [UInt8] = []
  /// The offset of the first of them in the file.
  private var pendingOffset = 0
  /// What ended the session.
  private var failure: DecodeError?

  init(options: DecodingOptions, smoothsIncompleteScans: Bool) {
    decoder = CodestreamDecoder(options: options, smoothsIncompleteScans: smoothsIncompleteScans)
  }

  var info: ImageInfo? { decoder.info }

  func append(_ bytes: Span<UInt8>) throws(DecodeError) -> DecodingProgress {
    if let failure { throw failure }
    if decoder.stage != .finished {
      pending.reserveCapacity(pending.count + bytes.count)
      for index in bytes.indices { pending.append(bytes[index]) }
      try advance(isFinal: false)
      dropDecodedBytes()
    }
    return DecodingProgress(
      isHeaderComplete: decoder.info != nil, completedRowCount: decoder.completedRowCount,
      completedScanCount: decoder.completedScanCount, isComplete: decoder.stage == .finished)
  }

  func makePreview() -> Bitmap? {
    guard failure == nil, let info else { return nil }
    var preview: Bitmap
    if decoder.rows != nil {
      guard decoder.completedRowCount > 0 else { return nil }
      preview = bitmap
    } else {
      guard decoder.completedScanCount > 0 else { return nil }
      preview = Bitmap()
      guard (try? decoder.renderStored(into: &preview)) != nil else { return nil }
    }
    decoder.tag(&preview, info)
    return preview
  }

  func finish() throws(DecodeError) -> DecodedImage {
    if let failure { throw failure }
    try advance(isFinal: true)
    do {
      let details = try decoder.finish(into: &bitmap)
      return DecodedImage(bitmap: bitmap, details: details)
    } catch {
      failure = error
      throw error
    }
  }

  private func advance(isFinal: Bool) throws(DecodeError) {
    let bytes = pending
    pending = []
    defer { pending = bytes }
    do {
      try decoder.advance(bytes.span, baseOffset: pendingOffset, isFinal: isFinal, into: &bitmap)
    } catch {
      failure = error
      throw error
    }
  }

  /// Lets go of what was decoded once it is the larger part: every byte is moved a bounded number of times.
  private func dropDecodedBytes() {
    let count = min(decoder.offset - pendingOffset, pending.count)
    if count > 4096, count > pending.count / 2 {
      pending.removeSubrange(0..<count)
      pendingOffset += count
    }
  }
}
