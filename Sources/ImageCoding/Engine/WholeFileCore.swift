// Formats that need random access: the input is retained until it is complete, then decoded.

internal import ImageCore

/// Retains the input of a decoder that needs the whole file. The headers are available as soon as they have arrived.
struct WholeFileCore<Decoder: WholeFileDecoder>: DecodingCore {
  private let decoder: Decoder
  let format: AssetType
  private(set) var info: ImageInfo?
  private var details: DecodingDetails?
  /// The length of a prefix that may contain the headers.
  private var neededByteCount = 1
  /// The number of bytes that the decoder itself requested for the headers.
  private var statedByteCount: Int?
  /// The length of a prefix that may decode to a picture.
  private var previewByteCount = 0
  /// Whether the bytes received so far decode to a picture.
  private var hasPreview = false
  private var isComplete = false

  init(_ decoder: Decoder) {
    self.decoder = decoder
    format = decoder.types.first ?? AssetType(rawValue: "public.image")
    if !decoder.hasHeaders { neededByteCount = .max }
  }

  var selectsImage: Bool { decoder.selectsImage }
  var selectsRegion: Bool { decoder.selectsRegion }
  var selectsKeyFrame: Bool { decoder.selectsKeyFrame }
  var retainedOffset: Int { 0 }

  var progress: DecodingProgress {
    DecodingProgress(
      isHeaderComplete: info != nil, completedRowCount: isComplete ? info?.height ?? 0 : 0,
      completedScanCount: hasPreview ? 1 : 0, isComplete: isComplete, neededByteCount: statedByteCount)
  }

  mutating func advance(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    if info == nil, !input.isFinal, input.bytes.count >= neededByteCount { readInfo(input, &context) }
    guard input.isFinal else { return lookForPreview(input, &context) }
    let details = try decoder.decode(input.bytes, into: &bitmap, &context)
    info = details.info
    self.details = details
    isComplete = true
  }

  mutating func finish(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    guard let details else {
      throw CodecError(.truncated, "the input ends before the image is complete", format: format)
    }
    return details
  }

  mutating func makePreview(
    of bitmap: Bitmap, from input: InputWindow, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap? {
    guard hasPreview else { return nil }
    var picture = Bitmap()
    _ = try decoder.decode(input.bytes, into: &picture, &context)
    return picture
  }

  /// Finds out whether the bytes received so far decode to a picture. The decoder is asked again when there are as many
  /// bytes as it requested, and at least an eighth more, so that it is not asked for every piece.
  private mutating func lookForPreview(_ input: InputWindow, _ context: inout DecodingContext) {
    guard info != nil, !hasPreview, input.bytes.count >= previewByteCount else { return }
    do throws(CodecError) {
      previewByteCount = try decoder.previewByteCount(input.bytes, &context) ?? .max
      hasPreview = previewByteCount <= input.bytes.count
    } catch {
      let grown = input.bytes.count + input.bytes.count / 8 + 1
      // Missing bytes may look like damage at the end of a box.
      previewByteCount = error.isDamage ? max(error.neededByteCount ?? 0, grown) : .max
    }
  }

  /// Reads the headers if they have arrived. Otherwise waits for the number of bytes the decoder requests, or for twice
  /// as many as now, so that the headers are not parsed again for every piece. Their defects are
  /// reported by the decode, so that the error is the same as for a whole file.
  private mutating func readInfo(_ input: InputWindow, _ context: inout DecodingContext) {
    do throws(CodecError) {
      let options = InfoOptions(limits: context.limits)
      info = try decoder.info(input.bytes, options: options, budget: &context.budget)
      statedByteCount = nil
    } catch {
      statedByteCount = error.neededByteCount
      let (doubled, overflow) = input.bytes.count.multipliedReportingOverflow(by: 2)
      let isComplete = error.kind != .truncated
      neededByteCount = isComplete ? .max : max(error.neededByteCount ?? 0, overflow ? .max : doubled)
    }
  }
}
