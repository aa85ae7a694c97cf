// Converts unfiltered rows to pixels: palette, depths below 8 bits, tRNS and byte order, PNG sections 13.5 to 13.7.

internal import ImageCoding

/// Converts rows of a PNG image to rows of a pixel format.
struct SampleExpansion {
  /// The conversion of rows to ``natural`` pixels.
  private enum Step {
    /// The bytes already are the pixels.
    case identity
    /// Each sample indexes a table of pixels in the target format.
    case table
    /// 16-bit samples, most significant byte first.
    case bigEndian
    /// 16-bit samples, most significant byte first, reduced to 8 bits before any other step.
    case narrowing
    /// 8-bit RGB with one transparent colour.
    case colorKey8(UInt8, UInt8, UInt8)
    /// 16-bit gray or RGB with one transparent colour.
    case colorKey16([UInt16])
    /// Blue first; premultiplied if there is alpha.
    case appleOptimized
  }

  /// The pixel format that matches the file.
  let natural: PixelFormat
  /// The pixel format of the output.
  let target: PixelFormat
  private let step: Step
  private let bitDepth: Int
  private let knownEntryCount: Int
  private let table: [UInt8]
  private var converter: PixelRowConverter
  private var scratch: [UInt8] = []
  /// Whether a palette index without an entry in PLTE was found. Such pixels are opaque black, as in libpng.
  private(set) var sawUnknownIndex = false

  init(
    header: ImageHeader, palette: Palette?, transparency: Transparency?, isAppleOptimized: Bool, target: PixelFormat?
  ) {
    let natural = Self.naturalFormat(header: header, transparency: transparency)
    let target = target ?? natural
    self.natural = natural
    self.target = target
    bitDepth = header.bitDepth
    let colors = Self.tableColors(header: header, palette: palette, transparency: transparency)
    knownEntryCount = header.colorType == .palette ? palette?.count ?? 0 : 1 << min(header.bitDepth, 8)
    table = colors.map { Self.table($0, as: target) } ?? []
    let rowFormat: PixelFormat
    (step, rowFormat) =
      if colors != nil {
        (.table, natural)
      } else if isAppleOptimized, header.bitDepth == 8, header.colorType == .rgb || header.colorType == .rgba {
        (.appleOptimized, header.colorType == .rgba ? .bgra8.premultiplied : .rgb8)
      } else if header.bitDepth == 16, transparency == nil, target.bitsPerSample == 8 {
        (.narrowing, natural.narrowed)
      } else {
        (Self.directStep(header: header, transparency: transparency), natural)
      }
    converter = PixelRowConverter(from: rowFormat, to: target)
  }

  static func naturalFormat(header: ImageHeader, transparency: Transparency?) -> PixelFormat {
    let isWide = header.bitDepth == 16
    switch (header.colorType, transparency != nil) {
    case (.gray, false): return isWide ? .gray16 : .gray8
    case (.gray, true), (.grayAlpha, _): return isWide ? .grayAlpha16 : .grayAlpha8
    case (.rgb, false): return isWide ? .rgb16 : .rgb8
    case (.palette, false): return .rgb8
    case (.rgb, true), (.rgba, _): return isWide ? .rgba16 : .rgba8
    case (.palette, true): return .rgba8
    }
  }

  private static func directStep(header: ImageHeader, transparency: Transparency?) -> Step {
    switch (transparency, header.bitDepth) {
    case (.rgb(let red, let green, let blue), 8):
      .colorKey8(
        UInt8(truncatingIfNeeded: red), UInt8(truncatingIfNeeded: green), UInt8(truncatingIfNeeded: blue))
    case (.rgb(let red, let green, let blue), _): .colorKey16([red, green, blue])
    case (.gray(let value), 16): .colorKey16([value])
    case (_, 16): .bigEndian
    default: .identity
    }
  }

  /// The colour of every sample value, if there are at most 256 of them and the samples are not pixels already.
  private static func tableColors(
    header: ImageHeader, palette: Palette?, transparency: Transparency?
  ) -> [RGBA8]? {
    let count = 1 << min(header.bitDepth, 8)
    switch (header.colorType, transparency) {
    case (.palette, _):
      let samples = palette?.samples ?? []
      var alphas: [UInt8] = []
      if case .paletteAlpha(let values) = transparency { alphas = values }
      return (0..<count).map { index in
        guard index * 3 + 2 < samples.count else { return RGBA8(red: 0, green: 0, blue: 0) }
        return RGBA8(
          red: samples[index * 3], green: samples[index * 3 + 1], blue: samples[index * 3 + 2],
          alpha: index < alphas.count ? alphas[index] : 255)
      }
    case (.gray, .gray(let key)) where header.bitDepth <= 8:
      return grayRamp(count).enumerated().map { index, value in
        RGBA8(red: value, green: value, blue: value, alpha: index == Int(key) & (count - 1) ? 0 : 255)
      }
    case (.gray, nil) where header.bitDepth < 8:
      return grayRamp(count).map { RGBA8(red: $0, green: $0, blue: $0) }
    default:
      return nil
    }
  }

  private static func grayRamp(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8($0 * 255 / (count - 1)) }
  }

  private static func table(_ colors: [RGBA8], as format: PixelFormat) -> [UInt8] {
    let bytes = colors.flatMap { [$0.red, $0.green, $0.blue, $0.alpha] }
    var pixels = [UInt8](repeating: 0, count: colors.count * format.bytesPerPixel)
    var converter = PixelRowConverter(from: .rgba8, to: format)
    var output = pixels.mutableSpan
    converter.convert(bytes.span, into: &output)
    // A table has an entry for each of the 256 values of a byte, each of at least four bytes, so look-ups need no
    // checks.
    let entryByteCount = max(4, format.bytesPerPixel)
    var table = [UInt8](repeating: 0, count: 256 * entryByteCount)
    for entry in colors.indices {
      for byte in 0..<format.bytesPerPixel {
        table[entry * entryByteCount + byte] = pixels[entry * format.bytesPerPixel + byte]
      }
    }
    return table
  }

  /// Expands `pixelCount` pixels of an unfiltered row.
  mutating func expand(_ row: Span<UInt8>, pixelCount: Int, into output: inout MutableSpan<UInt8>) {
    if case .table = step {
      expandTable(row, pixelCount: pixelCount, into: &output)
    } else if case .identity = step {
      converter.convert(row, into: &output)
    } else {
      // Moved out of the property while borrowed.
      var pixels = scratch
      scratch = []
      let byteCount = pixelCount * converter.source.bytesPerPixel
      if pixels.count < byteCount { pixels = [UInt8](repeating: 0, count: byteCount) }
      var natural = pixels.mutableSpan
      expandDirect(row, pixelCount: pixelCount, into: &natural)
      converter.convert(pixels.span.extracting(0..<byteCount), into: &output)
      scratch = pixels
    }
  }

  private func expandDirect(_ row: Span<UInt8>, pixelCount: Int, into pixels: inout MutableSpan<UInt8>) {
    switch step {
    case .identity, .table: break
    case .bigEndian: storeNativeSamples(row, into: &pixels)
    case .narrowing: narrowSamples(row, into: &pixels)
    case .colorKey8(let red, let green, let blue):
      appendAlpha(row, transparent: (red, green, blue), pixelCount: pixelCount, into: &pixels)
    case .colorKey16(let key):
      appendAlpha16(row, transparent: key, pixelCount: pixelCount, into: &pixels)
    case .appleOptimized:
      if converter.source.hasAlpha {
        copyBytes(row, into: &pixels)
      } else {
        exchangeBlueAndRed(row, pixelCount: pixelCount, into: &pixels)
      }
    }
  }

  private mutating func expandTable(_ row: Span<UInt8>, pixelCount: Int, into output: inout MutableSpan<UInt8>) {
    guard bitDepth < 8 else { return lookUp(row, pixelCount: pixelCount, into: &output) }
    // Moved out of the property while borrowed.
    var indices = scratch
    scratch = []
    if indices.count < pixelCount { indices = [UInt8](repeating: 0, count: pixelCount) }
    var unpacked = indices.mutableSpan
    unpackIndices(row, pixelCount: pixelCount, bitDepth: bitDepth, into: &unpacked)
    lookUp(indices.span, pixelCount: pixelCount, into: &output)
    scratch = indices
  }

  private mutating func lookUp(_ indices: Span<UInt8>, pixelCount: Int, into output: inout MutableSpan<UInt8>) {
    if knownEntryCount < 1 << bitDepth, highestIndex(indices, pixelCount: pixelCount) >= knownEntryCount {
      sawUnknownIndex = true
    }
    let table = self.table
    let bytesPerPixel = target.bytesPerPixel
    switch bytesPerPixel {
    case 3: expandIndices(indices, pixelCount: pixelCount, table: table.span, bytesPerPixel: 3, into: &output)
    case 4: expandIndices(indices, pixelCount: pixelCount, table: table.span, bytesPerPixel: 4, into: &output)
    default:
      expandIndicesSlowly(
        indices, pixelCount: pixelCount, table: table.span, entryByteCount: max(4, bytesPerPixel),
        bytesPerPixel: bytesPerPixel, into: &output)
    }
  }
}
