// Compositing of bitmaps: watermarks, collages, contact sheets.

internal import ColorManagement
internal import ImageCoding

extension Bitmap {
  /// Draws a picture over the pixels: source-over compositing, which respects the transparency of both.
  ///
  /// Parts of the picture outside of the bitmap are not drawn. Its colours are converted to those of the bitmap if both
  /// state a colour space; orientations are ignored. Samples are mixed as stored, in RGB with 8 bits, or 16 if those of
  /// either bitmap have more: pixels that are drawn over lose what that does not hold, such as light above 1. Other
  /// pixels do not change.
  ///
  /// - Parameters:
  ///   - picture: the picture to draw.
  ///   - x: the column of the picture's left edge; may be negative.
  ///   - y: the row of the picture's top edge; may be negative.
  ///   - opacity: by what the picture's alpha is multiplied, 0…1.
  ///   - limits: what drawing may cost: memory of copies, work and time.
  /// - Throws: `CodecError.Kind.invalidArgument` for other opacities; the errors of the limits and of the conversion of
  ///   colours.
  public mutating func draw(
    _ picture: Bitmap, x: Int = 0, y: Int = 0, opacity: Double = 1, limits: DecodingLimits = .default
  ) throws(CodecError) {
    var budget = ResourceBudget(limits)
    try draw(picture, x: x, y: y, opacity: opacity, budget: &budget)
  }

  /// Draws a picture over the pixels as a part of a call.
  package mutating func draw(
    _ picture: Bitmap, x: Int, y: Int, opacity: Double = 1, budget: inout ResourceBudget
  ) throws(CodecError) {
    guard (0...1).contains(opacity) else {
      throw CodecError(.invalidArgument, "the opacity of \(opacity) is not 0…1")
    }
    let columns = Self.overlap(of: picture.width, at: x, with: width)
    let rows = Self.overlap(of: picture.height, at: y, with: height)
    guard !columns.isEmpty, !rows.isEmpty else { return }
    let heldByteCount = budget.heldByteCount
    defer { budget.settle(heldByteCount: heldByteCount) }
    let source = try picture.colors(of: colorSpace, &budget)
    if format.sampleType == .uint8, source.format.sampleType == .uint8 {
      try composite(source, x, y, columns, rows, Compositing<UInt8>(opacity: opacity), &budget)
    } else {
      try composite(source, x, y, columns, rows, Compositing<UInt16>(opacity: opacity), &budget)
    }
  }

  /// Returns the part of a picture's columns or rows that is inside a bitmap.
  private static func overlap(of count: Int, at position: Int, with limit: Int) -> Range<Int> {
    let first = position < 0 ? min(count, Int(clamping: position.magnitude)) : 0
    guard position < limit else { return 0..<0 }
    let (room, overflow) = limit.subtractingReportingOverflow(position)
    return first..<max(first, overflow ? count : min(count, room))
  }

  /// Returns the bitmap in a colour space, if both are stated and differ.
  private func colors(of space: ColorSpace, _ budget: inout ResourceBudget) throws(CodecError) -> Bitmap {
    guard colorSpace.definition != .unspecified, space.definition != .unspecified,
      colorSpace.definition != space.definition
    else { return self }
    try budget.allocate(byteCount)
    var converted = self
    _ = try ColorConversion.to(space).apply(to: &converted, DecodingOptions(limits: budget.limits), budget: &budget)
    return converted
  }

  /// The work of converting and mixing a pixel.
  private static let workPerPixel = 30

  private mutating func composite<Sample: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ source: Bitmap, _ x: Int, _ y: Int, _ columns: Range<Int>, _ rows: Range<Int>,
    _ compositing: Compositing<Sample>, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let straight = PixelFormat(.rgb, alpha: .straight, sampleType: Sample.self == UInt8.self ? .uint8 : .uint16)
    let isPremultiplied = format.alpha == .premultiplied
    let mixed = isPremultiplied ? straight.premultiplied : straight
    let byteCount = columns.count * mixed.bytesPerPixel
    try budget.allocate(count: 2, bytesEach: byteCount)
    var over = [UInt8](repeating: 0, count: byteCount)
    var under = over
    var fromPicture = PixelRowConverter(from: source.format, to: straight)
    var fromBitmap = PixelRowConverter(from: format, to: mixed)
    var toBitmap = PixelRowConverter(from: mixed, to: format)
    let sourceBytes =
      columns.lowerBound * source.format.bytesPerPixel..<columns.upperBound * source.format.bytesPerPixel
    let bytesPerPixel = format.bytesPerPixel
    let targetBytes = (columns.lowerBound + x) * bytesPerPixel..<(columns.upperBound + x) * bytesPerPixel
    for line in rows {
      try budget.chargeWork(count: columns.count, unitsEach: Self.workPerPixel)
      var overSpan = over.mutableSpan
      fromPicture.convert(source.row(line).extracting(sourceBytes), into: &overSpan)
      var underSpan = under.mutableSpan
      fromBitmap.convert(row(line + y).extracting(targetBytes), into: &underSpan)
      compositing.mix(over.span, into: &underSpan, isPremultiplied: isPremultiplied)
      var row = mutableRow(line + y)
      var part = row._mutatingExtracting(targetBytes)
      // Other pixels keep what RGB of 8 or 16 bits cannot hold.
      var next = 0
      while let run = compositing.nextRun(in: over.span, from: next) {
        let mixedBytes = run.lowerBound * mixed.bytesPerPixel..<run.upperBound * mixed.bytesPerPixel
        var pixels = part._mutatingExtracting(run.lowerBound * bytesPerPixel..<run.upperBound * bytesPerPixel)
        toBitmap.convert(under.span.extracting(mixedBytes), into: &pixels)
        next = run.upperBound
      }
    }
  }
}

/// Source-over compositing of RGBA rows, of which the upper one has straight alpha. Alpha is computed in units of 1/65,536 of a sample, and
/// results are rounded to nearest.
private struct Compositing<Sample: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
  /// 0…65,536.
  private let opacity: UInt64

  init(opacity: Double) {
    self.opacity = UInt64((opacity * 65_536).rounded())
  }

  private static var full: UInt64 { UInt64(Sample.max) }

  /// Returns the next pixels of a row that are not transparent.
  func nextRun(in over: Span<UInt8>, from start: Int) -> Range<Int>? {
    let step = MemoryLayout<Sample>.size
    let count = over.count / (4 * step)
    func isVisible(_ pixel: Int) -> Bool { Self.sample(over, (4 * pixel + 3) * step) * opacity > 0 }
    var first = start
    while first < count, !isVisible(first) { first += 1 }
    guard first < count else { return nil }
    var end = first + 1
    while end < count, isVisible(end) { end += 1 }
    return first..<end
  }

  /// Replaces the lower row by the mixture.
  func mix(_ over: Span<UInt8>, into under: inout MutableSpan<UInt8>, isPremultiplied: Bool) {
    let step = MemoryLayout<Sample>.size
    for start in stride(from: 0, to: over.count, by: 4 * step) {
      let overAlpha = Self.sample(over, start + 3 * step) * opacity
      guard overAlpha > 0 else { continue }
      if isPremultiplied {
        for channel in 0..<4 { mixPremultiplied(over, into: &under, start + channel * step, overAlpha, channel) }
        continue
      }
      let underAlpha = Self.sample(under.span, start + 3 * step)
      // The part of the lower alpha that the upper one leaves visible.
      let visible = underAlpha * (Self.full * 65_536 - overAlpha) / Self.full
      let alpha = overAlpha + visible
      for channel in 0..<3 {
        let place = start + channel * step
        let sum = Self.sample(over, place) * overAlpha + Self.sample(under.span, place) * visible
        Self.store((sum + alpha / 2) / alpha, &under, place)
      }
      Self.store((alpha + 32_768) / 65_536, &under, start + 3 * step)
    }
  }

  /// Mixes a sample with one that is multiplied by its alpha.
  private func mixPremultiplied(
    _ over: Span<UInt8>, into under: inout MutableSpan<UInt8>, _ place: Int, _ overAlpha: UInt64, _ channel: Int
  ) {
    let whole = Self.full * 65_536
    let upper = channel == 3 ? Self.full : Self.sample(over, place)
    let sum = upper * overAlpha + Self.sample(under.span, place) * (whole - overAlpha)
    Self.store((sum + whole / 2) / whole, &under, place)
  }

  private static func sample(_ row: Span<UInt8>, _ index: Int) -> UInt64 {
    MemoryLayout<Sample>.size == 1 ? UInt64(row[index]) : UInt64(nativeUInt16(row, at: index))
  }

  private static func store(_ value: UInt64, _ row: inout MutableSpan<UInt8>, _ index: Int) {
    if MemoryLayout<Sample>.size == 1 {
      row[index] = UInt8(truncatingIfNeeded: value)
    } else {
      storeNativeUInt16(UInt16(truncatingIfNeeded: value), into: &row, at: index)
    }
  }
}
