// The stages of a bitmap: headers and palette, pixels, and a colour profile after them.

package import ImageCoding

/// Decodes a bitmap with or without a file header.
package struct BMPCore: DecodingCore {
  package var format: AssetType { BMPDecoder.type }

  /// The stages, in file order.
  private enum Stage {
    case headers
    case pixels
    case profile
    case ended
  }

  /// The decoder of the pixels.
  private enum PixelDecoder {
    case rows(RowExpansion)
    case runs(RunLengthRows)
    case embedded
  }

  /// `nil` if the first two bytes tell.
  private let framing: BMPPicture.Framing?
  private let goal: DecodingGoal
  private let embedded: EmbeddedPictures
  private var stage = Stage.headers
  private var picture: BMPPicture?
  private var pixels: PixelDecoder?
  private var output: RowOutput?
  /// Whether rows are read from the last one, because the file is in memory and a sink needs the upper rows first.
  private var readsUpwards = false
  /// The offset of the next byte to decode.
  private var position = 0
  package private(set) var metadata = ImageMetadata()
  private var isEmbeddedImageComplete = true
  /// The properties that the header states, for goals before the pixels.
  private var statedInfo: ImageInfo?
  /// The properties of an embedded image, which its own headers state.
  private var embeddedInfo: ImageInfo?

  /// Creates the decoder of a file, of a DIB, or, with `nil`, of whichever the first bytes announce.
  package init(_ framing: BMPPicture.Framing?, goal: DecodingGoal = .pixels, embedded: EmbeddedPictures) {
    self.framing = framing
    self.goal = goal
    self.embedded = embedded
  }

  package var info: ImageInfo? { statedInfo ?? picture?.info }
  /// The bits per pixel; 0 before the headers.
  package var bitsPerPixel: Int { picture?.header.bitsPerPixel ?? 0 }
  /// Whether rows are stored from top to bottom.
  package var isTopDown: Bool { picture?.header.isTopDown ?? false }
  /// The offset of the end of the pixels, once they are decoded.
  package private(set) var pixelEnd = 0

  package var progress: DecodingProgress {
    let isDone = stage == .ended || stage == .profile
    return DecodingProgress(
      isHeaderComplete: picture != nil,
      completedRowCount: isDone ? picture?.height ?? 0 : output?.completedRowCount ?? 0, isComplete: stage == .ended)
  }

  package var retainedOffset: Int {
    if stage == .ended { return .max }
    guard let range = picture?.header.colorTags.profileRange, !range.isEmpty else { return position }
    return min(position, range.lowerBound)
  }

  /// Decodes stage after stage.
  package mutating func advance(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    if goal != .pixels { return try readFacts(input, context.limits) }
    if stage == .headers {
      guard try readHeaders(input, into: &bitmap, &context) else { return }
      stage = .pixels
    }
    if stage == .pixels {
      guard try decodePixels(input, into: &bitmap, &context) else { return }
      try context.budget.checkpoint(byteOffset: position)
      pixelEnd = position
      stage = .profile
    }
    if stage == .profile {
      guard readProfile(input, &context) else { return }
      stage = .ended
    }
  }

  // MARK: Headers

  /// Reads the headers without the palette, and the profile if it is in the input.
  private mutating func readFacts(_ input: InputWindow, _ limits: DecodingLimits) throws(CodecError) {
    var reader = ByteReader(input.bytes, format: format)
    if BMPPicture.framing(of: input.bytes) == .file { try reader.seek(to: 14) }
    let header = try BMPHeader(parsing: &reader)
    var info = header.info(type: format)
    metadata = ImageMetadata(header)
    metadata.colorSpace.iccProfile = header.colorTags.profile(in: input.bytes, limits: limits)
    if let profile = metadata.colorSpace.iccProfile { info.colorSpace = .icc(profile) }
    statedInfo = info
    stage = .ended
  }

  /// Reads the headers if they are complete, and prepares the bitmap.
  private mutating func readHeaders(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    let picture: BMPPicture
    if input.bytes.count < 2, !input.isFinal { return false }
    do throws(CodecError) {
      picture = try BMPPicture(parsing: input.bytes, framing: framing ?? BMPPicture.framing(of: input.bytes))
    } catch {
      if error.kind == .truncated, !input.isFinal { return false }
      throw error
    }
    for defect in picture.defects {
      try context.tolerate(error(.malformed, defect, at: picture.header.end), as: .warning)
    }
    let (width, height) = (picture.header.width, picture.height)
    // Checked before anything is allocated for a row.
    try context.checkSize(width: width, height: height, format: .gray8, byteOffset: 14)
    context.budget.allowWork(forPixelCount: width * height)
    if let natural = try preparePixels(picture, &context) {
      readsUpwards = canReadUpwards(picture, input, context)
      output = try RowOutput(
        natural, size: PixelSize(width: width, height: height),
        order: picture.header.isTopDown || readsUpwards ? .topDown : .bottomUp,
        colorSpace: picture.header.colorTags.colorSpace, byteOffset: 14, into: &bitmap, &context)
    }
    self.picture = picture
    metadata = ImageMetadata(picture.header)
    position = picture.pixelOffset
    return true
  }

  /// Whether rows that are stored from bottom to top can be read from top to bottom: all of them are in the input.
  private func canReadUpwards(
    _ picture: BMPPicture, _ input: InputWindow, _ context: borrowing DecodingContext
  ) -> Bool {
    guard context.isStreaming, !picture.header.isTopDown, input.isFinal, input.baseOffset == 0,
      case .rows(let expansion) = pixels
    else { return false }
    let (byteCount, overflow) = expansion.rowByteCount.multipliedReportingOverflow(by: picture.height)
    return !overflow && picture.pixelOffset <= input.bytes.count
      && byteCount <= input.bytes.count - picture.pixelOffset
  }

  /// Selects the decoder of the pixels and returns their natural format; `nil` for an embedded image.
  private mutating func preparePixels(
    _ picture: BMPPicture, _ context: inout DecodingContext
  ) throws(CodecError) -> PixelFormat? {
    let header = picture.header
    switch header.compression {
    case .none, .bitFields, .alphaBitFields:
      if header.compression != .none, header.bitsPerPixel < 16 {
        throw error(.malformed, "bit fields with \(header.bitsPerPixel) bits per pixel", at: 28)
      }
      let expansion = try RowExpansion(header, palette: picture.palette, fields: picture.fields) { reason in
        error(.malformed, reason, at: 28)
      }
      pixels = .rows(expansion)
      return expansion.format
    case .runLength8, .runLength4, .runLength24:
      let bits = header.compression == .runLength8 ? 8 : header.compression == .runLength4 ? 4 : 24
      guard header.bitsPerPixel == bits else {
        throw error(.malformed, "\(header.compression.rawValue) with \(header.bitsPerPixel) bits per pixel", at: 28)
      }
      pixels = .runs(
        try RunLengthRows(header, height: picture.height, palette: picture.palette, budget: &context.budget))
      return .rgba8
    case .jpeg, .png:
      pixels = .embedded
      return nil
    case .huffman, .unknown:
      throw error(.unsupported, "the compression (\(header.compression.rawValue)) is not decoded", at: 30)
    }
  }

  // MARK: Pixels

  /// Decodes the rows received so far. Returns whether the pixels are complete, or as complete as they will be.
  private mutating func decodePixels(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    // Moved out of the property while in use, so that nothing is copied.
    let decoder = pixels
    pixels = nil
    switch decoder {
    case .rows(let expansion):
      defer { pixels = .rows(expansion) }
      return try decodeRows(expansion, input, into: &bitmap, &context)
    case .runs(var runs):
      defer { pixels = .runs(runs) }
      return try decodeRuns(&runs, input, into: &bitmap, &context)
    case .embedded:
      pixels = .embedded
      guard input.isFinal else { return false }
      try decodeEmbedded(input, into: &bitmap, &context)
      return true
    case nil: return false
    }
  }

  private mutating func decodeRows(
    _ expansion: RowExpansion, _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    guard let picture else { return false }
    // The whole file is in memory if rows are read from the last one.
    let pixelsEnd = readsUpwards ? position + expansion.rowByteCount * picture.height : 0
    if readsUpwards { position = pixelsEnd - expansion.rowByteCount }
    while output?.isComplete == false {
      let start = position - input.baseOffset
      // The padding of the last row may be missing.
      guard start >= 0, start <= input.bytes.count, expansion.usedByteCount <= input.bytes.count - start else {
        guard input.isFinal else { return false }
        try output?.endEarly(&bitmap, at: input.endOffset, &context)
        return true
      }
      try context.budget.chargeWork(
        count: picture.header.width, unitsEach: expansion.workPerPixel, byteOffset: position)
      let row = input.bytes.extracting(start..<start + expansion.usedByteCount)
      if expansion.hasUnknownIndex(row) {
        try context.tolerateOnce(
          error(.malformed, "a pixel's index has no entry in the palette", at: position), as: .damage)
      }
      try output?.write(into: &bitmap, &context) { expansion.expand(row, into: &$0) }
      position += readsUpwards ? -expansion.rowByteCount : expansion.rowByteCount
    }
    if readsUpwards { position = pixelsEnd }
    return true
  }

  private mutating func decodeRuns(
    _ runs: inout RunLengthRows, _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    var index = position - input.baseOffset
    guard index >= 0, index <= input.bytes.count else {
      guard input.isFinal else { return false }
      try output?.endEarly(&bitmap, at: input.endOffset, &context)
      return true
    }
    while true {
      let outcome = try runs.next(
        input.bytes, position: &index, baseOffset: input.baseOffset, isFinal: input.isFinal, budget: &context.budget)
      position = input.baseOffset + index
      for defect in runs.takeDefects() {
        try context.tolerateOnce(error(.malformed, defect.reason, at: defect.byteOffset), as: .damage)
      }
      switch outcome {
      case .row: try writeRow(runs.row, into: &bitmap, &context)
      case .end:
        try fillTransparentRows(into: &bitmap, runs.width, &context)
        return true
      case .needsInput:
        guard input.isFinal else { return false }
        if let row = runs.partialRow { try writeRow(row, into: &bitmap, &context) }
        try output?.endEarly(&bitmap, at: input.endOffset, &context)
        return true
      }
    }
  }

  private mutating func writeRow(
    _ row: [UInt8], into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard output?.isComplete == false else { return }
    try output?.write(into: &bitmap, &context) { copyBytes(row.span, into: &$0) }
  }

  /// Writes the rows that the codes leave out.
  private mutating func fillTransparentRows(
    into bitmap: inout Bitmap, _ width: Int, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard output?.isComplete == false else { return }
    let row = [UInt8](repeating: 0, count: width * 4)
    while output?.isComplete == false {
      try context.budget.chargeWork(count: width, unitsEach: 2)
      try writeRow(row, into: &bitmap, &context)
    }
  }

  // MARK: Embedded images

  private mutating func decodeEmbedded(
    _ input: InputWindow, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard let picture else { return }
    let start = position - input.baseOffset
    guard start >= 0, start < input.bytes.count else {
      throw error(.truncated, "the file ends before the embedded image", at: input.endOffset)
    }
    let stated = picture.header.statedImageByteCount
    let count = stated > 0 ? min(stated, input.bytes.count - start) : input.bytes.count - start
    let details = try embedded.decode(
      input.bytes.extracting(start..<start + count), as: picture.header.compression, into: &bitmap, &context)
    if details.info.size != PixelSize(width: picture.header.width, height: picture.height) {
      try context.tolerate(
        error(.malformed, "the embedded image has another size than the header states", at: position), as: .warning)
    }
    isEmbeddedImageComplete = details.isComplete
    embeddedInfo = details.info
    position += count
  }

  // MARK: The profile and the result

  /// Reads the embedded profile, which may be anywhere in the file. Returns `false` if more input is needed.
  private mutating func readProfile(_ input: InputWindow, _ context: inout DecodingContext) -> Bool {
    guard let range = picture?.header.colorTags.profileRange, !range.isEmpty else { return true }
    let start = range.lowerBound - input.baseOffset
    guard range.upperBound <= input.endOffset else {
      position = max(position, min(range.lowerBound, input.endOffset))
      guard input.isFinal else { return false }
      context.note(.warning, "the profile is not in the file", byteOffset: range.lowerBound)
      return true
    }
    guard context.budget.admitMetadata(range.count) else {
      context.note(.warning, "the profile exceeds the metadata limits and was skipped", byteOffset: range.lowerBound)
      return true
    }
    metadata.colorSpace.iccProfile = Array(copying: input.bytes.extracting(start..<start + range.count))
    return true
  }

  package mutating func finish(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    guard let picture, stage == .ended else {
      throw CodecError(.truncated, "the file ends before its pixels", format: format)
    }
    var info = picture.info
    if let embeddedInfo {
      info.width = embeddedInfo.width
      info.height = embeddedInfo.height
      info.hasAlpha = embeddedInfo.hasAlpha
      info.bitDepth = embeddedInfo.bitDepth
      info.colorModel = embeddedInfo.colorModel
    }
    if let profile = metadata.colorSpace.iccProfile { info.colorSpace = .icc(profile) }
    if embeddedInfo == nil || info.colorSpace != .unspecified {
      bitmap.colorSpace = info.colorSpace.applying(from: output?.natural ?? bitmap.format, to: bitmap.format)
    }
    return DecodingDetails(
      info: info, metadata: metadata, isComplete: isEmbeddedImageComplete && output?.isTruncated != true)
  }

  package mutating func makePreview(
    of bitmap: Bitmap, from input: InputWindow, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap? {
    try output?.preview(of: bitmap, &context)
  }
}
