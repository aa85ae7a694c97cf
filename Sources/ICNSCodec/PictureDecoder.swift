// One picture of an icon: a picture file, or pixels with a mask that may be in another entry.

internal import ImageCoding

/// Decodes one picture.
struct PictureDecoder {
  let picture: IconFamily.Picture
  /// The ranges of the entries that are or end with a mask, by their types.
  let masks: [FourCharacterCode: Range<Int>]
  let pngDecoder: AnyImageFormatDecoder?
  let jpeg2000Decoder: AnyImageFormatDecoder?

  /// The work units for a pixel that is not in a file: decompression, colour and mask.
  private static let workPerPixel = 20

  /// Decodes the picture. Returns whether all of its pixels were decoded.
  func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    let data = bytes.extracting(picture.range.clamped(to: 0..<bytes.count))
    if data.isEmpty { throw error(.truncated, "the picture has no data") }
    switch picture.coding {
    case .png: return try decodeFile(data, with: pngDecoder, into: &bitmap, &context)
    case .jpeg2000: return try decodeFile(data, with: jpeg2000Decoder, into: &bitmap, &context)
    case .bits, .indices, .rgb, .argb: return try decodePixels(data, of: bytes, into: &bitmap, &context)
    case nil: throw error(.malformed, "the picture is neither a PNG nor a JPEG 2000 file")
    }
  }

  // MARK: Picture files

  private func decodeFile(
    _ data: Span<UInt8>, with decoder: AnyImageFormatDecoder?, into bitmap: inout Bitmap,
    _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    guard let decoder else {
      throw error(.unsupported, "there is no decoder for pictures (\(picture.coding?.rawValue ?? ""))")
    }
    if picture.size != picture.type.size, picture.size != picture.type.alternativeSize {
      try context.tolerate(error(.malformed, "the picture has another size than its type"), as: .warning)
    }
    _ = try context.limits.checkedByteCount(
      width: picture.size.width, height: picture.size.height, bytesPerPixel: 1, format: context.format,
      byteOffset: picture.range.lowerBound)
    context.budget.allowWork(forPixelCount: picture.size.width * picture.size.height)
    var options = context.options
    // These select a part of the outer file's image.
    (options.region, options.imageIndex, options.targetSize, options.orientation) = (nil, nil, nil, .report)
    try context.budget.descend(byteOffset: picture.range.lowerBound)
    defer { context.budget.ascend() }
    let details = try decoder.decode(data, into: &bitmap, options: options, budget: &context.budget)
    for diagnostic in details.diagnostics { context.note(diagnostic.severity, diagnostic.reason) }
    bitmap.orientation = .up
    return details.isComplete
  }

  // MARK: Pixels

  private func decodePixels(
    _ data: Span<UInt8>, of bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    let size = picture.size
    context.budget.allowWork(forPixelCount: size.width * size.height)
    try bitmap.reset(
      width: size.width, height: size.height, format: .rgba8, budget: &context.budget,
      byteOffset: picture.range.lowerBound)
    bitmap.zeroPixels(rows: 0..<size.height)
    bitmap.colorSpace = .unspecified
    try context.budget.chargeWork(
      count: size.width * size.height, unitsEach: Self.workPerPixel, byteOffset: picture.range.lowerBound)
    let count: Int
    switch picture.coding {
    case .bits: count = fill(&bitmap, withIndices: data, bits: 1, [0xFFFFFF, 0])
    case .indices where picture.bitsPerPixel == 4:
      count = fill(&bitmap, withIndices: data, bits: 4, SystemPalette.ofFourBits)
    case .indices: count = fill(&bitmap, withIndices: data, bits: 8, SystemPalette.ofEightBits)
    default: count = try decodePlanes(data, into: &bitmap, &context)
    }
    let isComplete = count == size.width * size.height
    if !isComplete {
      let shortage = error(.truncated, "the picture has \(count) of \(size.width * size.height) pixels")
      // Without any pixels there is no picture.
      if count == 0 { throw shortage }
      try context.tolerate(shortage, as: .damage)
    }
    try applyMask(bytes, to: &bitmap, pixelCount: count, &context)
    return isComplete
  }

  /// Writes opaque colours. Returns the number of pixels that are in the data.
  private func fill(_ bitmap: inout Bitmap, withIndices data: Span<UInt8>, bits: Int, _ colors: [UInt32]) -> Int {
    let (width, perByte) = (bitmap.width, 8 / bits)
    let count = min(width * bitmap.height, data.count * perByte)
    for index in 0..<count {
      let shift = 8 - bits * (index % perByte + 1)
      let color = colors[Int(data[index / perByte]) >> shift & (1 << bits - 1)]
      bitmap.setPixel(
        index, UInt8(color >> 16), UInt8(truncatingIfNeeded: color >> 8), UInt8(truncatingIfNeeded: color), 255)
    }
    return count
  }

  /// Writes colours with their own alpha, or opaque ones. Returns the number of pixels that are in the data.
  private func decodePlanes(
    _ data: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Int {
    let (hasAlpha, pixelCount) = (picture.coding == .argb, bitmap.width * bitmap.height)
    var data = data
    if hasAlpha {
      data = data.extracting(droppingFirst: 4)
    } else if picture.type.code == "it32" {
      if FourCharacterCode(data, at: 0)?.rawValue == 0 {
        data = data.extracting(droppingFirst: 4)
      } else {
        try context.tolerate(error(.malformed, "the picture does not start with four zeros"), as: .warning)
      }
    }
    let planeCount = hasAlpha ? 4 : 3
    try context.budget.allocate(count: pixelCount, bytesEach: planeCount)
    defer { context.budget.release(pixelCount * planeCount) }
    let runs = PlanarRuns(data, planeCount: planeCount, pixelCount: pixelCount)
    let isExact = runs.pixelCount == pixelCount && runs.usesAllBytes && !runs.exceedsPlane
    // Compressed planes may have the length of uncompressed pixels too, but then nothing of them is left.
    if !hasAlpha, !isExact, data.count == pixelCount * 3 || data.count == pixelCount * 4 {
      let byteCount = data.count / pixelCount
      for index in 0..<pixelCount {
        // Four bytes start with one without meaning.
        let end = (index + 1) * byteCount
        bitmap.setPixel(index, data[end - 3], data[end - 2], data[end - 1], 255)
      }
      return pixelCount
    }
    if runs.exceedsPlane { try context.tolerate(error(.malformed, "a run exceeds its plane"), as: .damage) }
    let colors = hasAlpha ? 1 : 0
    for index in 0..<runs.pixelCount {
      bitmap.setPixel(
        index, runs.planes[colors][index], runs.planes[colors + 1][index], runs.planes[colors + 2][index],
        hasAlpha ? runs.planes[0][index] : 255)
    }
    return runs.pixelCount
  }

  // MARK: Masks

  /// Replaces the alpha of the decoded pixels by that of the mask, if the picture has one.
  private func applyMask(
    _ bytes: Span<UInt8>, to bitmap: inout Bitmap, pixelCount: Int, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard let (range, bits) = mask(of: bitmap.width * bitmap.height) else { return }
    let data = bytes.extracting(range.clamped(to: 0..<bytes.count))
    let perByte = 8 / bits
    let available = min(pixelCount, data.count * perByte)
    for index in 0..<available {
      let shift = 8 - bits * (index % perByte + 1)
      let value = data[index / perByte] >> UInt8(shift)
      bitmap.setAlpha(index, bits == 8 ? value : value & 1 == 0 ? 0 : 255)
    }
    if available < pixelCount {
      let reason = "the mask has \(available) of \(bitmap.width * bitmap.height) pixels"
      let shortage = CodecError(.truncated, reason, format: ICNSDecoder.type, byteOffset: range.lowerBound)
      try context.tolerate(shortage, as: .warning)
    }
  }

  /// Returns the range of the mask in the file, and its bits per pixel.
  private func mask(of pixelCount: Int) -> (Range<Int>, bits: Int)? {
    if picture.type.content == .bits(hasMask: true) { return (secondHalf(picture.range, pixelCount), 1) }
    if picture.coding == .argb { return nil }
    for code in picture.type.maskCodes {
      guard let range = masks[code] else { continue }
      return EntryType.of(code)?.content == .mask ? (range, 8) : (secondHalf(range, pixelCount), 1)
    }
    return nil
  }

  /// Returns the range of the mask that follows the pixels of an entry of one bit per pixel.
  private func secondHalf(_ range: Range<Int>, _ pixelCount: Int) -> Range<Int> {
    range.dropFirst(pixelCount / 8)
  }

  private func error(_ kind: CodecError.Kind, _ reason: String) -> CodecError {
    CodecError(kind, reason, format: ICNSDecoder.type, byteOffset: picture.range.lowerBound)
  }
}

extension Bitmap {
  /// Writes a pixel of an `rgba8` bitmap, by its position in reading order.
  fileprivate mutating func setPixel(_ index: Int, _ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8) {
    let x = index % width * 4
    var row = mutableRow(index / width)
    (row[x], row[x + 1], row[x + 2], row[x + 3]) = (red, green, blue, alpha)
  }

  fileprivate mutating func setAlpha(_ index: Int, _ alpha: UInt8) {
    let x = index % width * 4
    var row = mutableRow(index / width)
    row[x + 3] = alpha
  }
}
