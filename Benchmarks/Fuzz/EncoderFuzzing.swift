// Round trips through the encoders of images that the input describes.

import BMPCodec
import GIFCodec
import ICOCodec
import ImageCoding
import JPEGCodec
import PNGCodec
import PNMCodec
import TIFFCodec
import WebPCodec

/// Encodes an image whose size, layout and pixels the input determines.
struct EncoderFuzzing {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
  }

  /// The use of an input: one encoder, so that many inputs are tried in a second.
  private enum Check: CaseIterable {
    case png, animatedPNG, jpeg, gif, animatedGIF, tiff, fax, lossyWebP, losslessWebP, animatedWebP, bitmaps, metadata
  }

  private mutating func next() -> UInt8 { bytes.popFirst() ?? 0 }

  /// Encodes one image. Traps if it is not preserved.
  mutating func run() {
    switch Check.allCases[Int(next()) % Check.allCases.count] {
    case .png:
      let options = nextPNGOptions()
      // Rows of large interlaced images are decoded in another way.
      checkPNG(of: nextBitmap(scale: 12), options)
    case .animatedPNG:
      let options = nextPNGOptions()
      checkAnimatedPNG(of: nextBitmap(), options)
    case .jpeg:
      let options = nextJPEGOptions()
      let operations = JPEGTransformer.Operation.allCases
      let operation = operations[Int(next()) % operations.count]
      // Large ones are decoded on two threads.
      checkJPEG(of: nextBitmap(scale: 19), options, operation)
    case .gif:
      let options = nextGIFOptions()
      checkGIF(of: nextBitmap(), options)
    case .animatedGIF:
      let options = nextGIFOptions()
      checkFrames(of: nextBitmap(), options)
    case .tiff:
      let options = nextTIFFOptions()
      checkTIFF(of: nextBitmap(), options)
    case .fax: checkFax(of: nextBitmap())
    case .lossyWebP:
      let options = nextWebPOptions(.lossy)
      checkLossyWebP(of: nextBitmap(scale: options.isQuick ? 4 : 1), options)
    case .losslessWebP:
      let options = nextWebPOptions(.lossless)
      checkLosslessWebP(of: nextBitmap(scale: options.isQuick ? 4 : 1), options)
    case .animatedWebP:
      let codings = WebPEncoder.Options.Coding.allCases
      var options = nextWebPOptions(codings[Int(next()) % codings.count])
      options.effort = min(options.effort, 5)
      checkAnimatedWebP(of: nextBitmap(scale: options.isQuick ? 2 : 1), options)
    case .bitmaps:
      let isPlain = next() & 1 == 1
      checkBitmaps(of: nextBitmap(), isPlain: isPlain)
    case .metadata:
      let metadata = nextMetadata()
      checkMetadata(metadata, of: nextBitmap())
    }
  }

  /// Takes the rest of the input as a bitmap. One of 64 has sides that are `scale` times as long, and repeats the input
  /// with changes.
  private mutating func nextBitmap(scale: Int = 4) -> Bitmap {
    let formats: [PixelFormat] = [.gray8, .rgb8, .rgba8, .gray16, .rgb16, .rgba16]
    let format = formats[Int(next()) % formats.count]
    let isLarge = next() >= 252
    var (width, height) = (1 + Int(next()) % 40, 1 + Int(next()) % 40)
    if isLarge { (width, height) = (width * scale, height * scale) }
    let rest = Array(bytes)
    let pixels = (0..<width * height * format.bytesPerPixel).map { index in
      let place = isLarge && !rest.isEmpty ? index % rest.count : index
      let change = isLarge ? UInt8(truncatingIfNeeded: index >> 9) : 0
      return place < rest.count ? rest[place] &+ change : 0
    }
    guard let bitmap = try? Bitmap(width: width, height: height, format: format, pixels: pixels) else {
      preconditionFailure("a bitmap of \(width) × \(height) cannot be created")
    }
    return bitmap
  }

  // MARK: PNG

  private mutating func nextPNGOptions() -> PNGEncoder.Options {
    let switches = next()
    var options = PNGEncoder.Options(
      compressionLevel: Int(switches & 7), isInterlaced: switches & 8 != 0, reducesColors: switches & 16 != 0)
    if switches & 32 != 0 {
      options.filtering = [.fixed(RowFilter.allCases[Int(next() % 5)]), .entropy, .fast][Int(next()) % 3]
    }
    if switches & 64 != 0 { options.compressor = .fast }
    return options
  }

  private func checkPNG(of bitmap: Bitmap, _ options: PNGEncoder.Options) {
    guard let file = try? PNGEncoder(options: options).encode(bitmap),
      let again = try? PNGDecoder().decode(
        file.span, options: DecodingOptions(pixelFormat: bitmap.format, orientation: .report, tolerance: .strict))
    else { preconditionFailure("the encoded PNG cannot be decoded") }
    precondition(again.bitmap.packedPixels == bitmap.packedPixels, "PNG does not preserve the pixels")
    let sink = RowSink()
    let rows = try? PNGDecoder().decode(file.span, to: sink, options: DecodingOptions(pixelFormat: bitmap.format))
    precondition(rows != nil && sink.bytes == bitmap.packedPixels, "PNG does not preserve the rows")
  }

  private func checkAnimatedPNG(of bitmap: Bitmap, _ options: PNGEncoder.Options) {
    let frames = [bitmap, bitmap.flippedVertically(), bitmap].map { AnimationFrame(bitmap: $0, delay: .zero) }
    let strict = DecodingOptions(orientation: .report, tolerance: .strict)
    guard let file = try? PNGEncoder(options: options).encode(animation: frames, loopCount: .infinite),
      let animation = try? PNGDecoder().animation(file, options: strict), animation.frameCount == 3
    else { preconditionFailure("the encoded animation cannot be decoded") }
    guard let last = try? animation.frame(at: 2), let expected = try? bitmap.converted(to: last.format) else {
      preconditionFailure("a frame cannot be decoded")
    }
    precondition(last.packedPixels == expected.packedPixels, "an animated PNG does not preserve the pixels")
    var encoder = PNGFrameEncoder(options: options, frameCount: frames.count)
    var budget = ResourceBudget(.unlimited)
    for frame in frames {
      guard (try? encoder.append(frame, budget: &budget)) != nil else {
        preconditionFailure("the frame cannot be encoded as PNG")
      }
    }
    guard let other = try? encoder.finish(budget: &budget),
      let frame = try? PNGDecoder().animation(other, options: strict)?.frame(at: 2)
    else { preconditionFailure("the animation encoded frame by frame cannot be decoded") }
    let shown = try? frame.converted(to: last.format).packedPixels
    precondition(shown == last.packedPixels, "an animation encoded frame by frame does not preserve the pixels")
  }

  // MARK: JPEG

  private mutating func nextJPEGOptions() -> JPEGEncoder.Options {
    let switches = next()
    return JPEGEncoder.Options(
      quality: 1 + Int(next()) % 100,
      subsampling: JPEGEncoder.Options.Subsampling.allCases[Int(switches & 7) % 6],
      isProgressive: switches & 8 != 0, optimizesHuffmanTables: switches & 16 != 0,
      restartInterval: switches & 32 != 0 ? .mcus(1 + Int(next()) % 9) : .none,
      maximumByteCount: switches & 64 != 0 ? 700 + Int(next()) * 8 : nil)
  }

  private func checkJPEG(
    of bitmap: Bitmap, _ options: JPEGEncoder.Options, _ operation: JPEGTransformer.Operation
  ) {
    guard let file = try? JPEGEncoder(options: options).encode(bitmap) else {
      // Only a limit may prevent it.
      precondition(options.maximumByteCount != nil, "the image cannot be encoded as JPEG")
      return
    }
    precondition(file.count <= options.maximumByteCount ?? .max, "a JPEG exceeds its limit")
    let strict = DecodingOptions(orientation: .report, tolerance: .strict)
    guard let again = try? JPEGDecoder().decode(file.span, options: strict),
      let turned = try? JPEGTransformer(options: .init(operation: operation, isProgressive: true)).transform(file.span),
      let afterwards = try? JPEGDecoder().decode(turned.span, options: strict)
    else { preconditionFailure("the encoded JPEG cannot be decoded") }
    let size = again.bitmap.pixelSize
    precondition(size == bitmap.pixelSize, "JPEG changes the size")
    let parallel = try? JPEGDecoder().decode(file.span, options: strict.onThreads)
    precondition(parallel?.bitmap == again.bitmap, "the pixels depend on the number of threads")
    let isTurned = [.transpose, .transverse, .rotate90, .rotate270].contains(operation)
    precondition(afterwards.bitmap.pixelSize == (isTurned ? size.transposed : size), "a transform changes the size")
  }

  // MARK: TIFF

  private mutating func nextTIFFOptions() -> TIFFEncoder.Options {
    let switches = next()
    let compressions: [TIFFEncoder.Options.Compression] = [.none, .packBits, .lzw, .deflate(level: 1)]
    return TIFFEncoder.Options(
      compression: compressions[Int(switches & 3)], usesPredictor: switches & 4 != 0,
      tileSize: switches & 8 != 0 ? PixelSize(width: 16, height: 32) : nil,
      rowsPerStrip: 1 + Int(switches >> 6), isBigEndian: switches & 16 != 0, isBig: switches & 32 != 0)
  }

  private func checkTIFF(of bitmap: Bitmap, _ options: TIFFEncoder.Options) {
    let pages = [bitmap, bitmap.flippedVertically()]
    guard let file = try? TIFFEncoder(options: options).encode(pages: pages) else {
      preconditionFailure("the image cannot be encoded as TIFF")
    }
    for (index, page) in pages.enumerated() {
      let strict = DecodingOptions(orientation: .report, tolerance: .strict, imageIndex: index)
      guard let again = try? TIFFDecoder().decode(file.span, options: strict) else {
        preconditionFailure("the encoded TIFF cannot be decoded")
      }
      precondition(again.bitmap == page, "TIFF does not preserve the pixels")
    }
  }

  /// Checks that CCITT group 4 keeps the pixels of black and white images.
  private func checkFax(of bitmap: Bitmap) {
    let pixels = picture(of: bitmap).packedPixels
    let samples = stride(from: 0, to: pixels.count, by: 4).map { pixels[$0] & 1 == 0 ? UInt8(0) : 255 }
    guard
      let image = try? Bitmap(width: bitmap.width, height: bitmap.height, format: .gray8, pixels: samples),
      let file = try? TIFFEncoder(options: TIFFEncoder.Options(compression: .group4)).encode(image),
      let again = try? TIFFDecoder().decode(
        file.span, options: DecodingOptions(pixelFormat: .gray8, orientation: .report, tolerance: .strict))
    else { preconditionFailure("the encoded TIFF cannot be decoded") }
    precondition(again.bitmap.packedPixels == samples, "CCITT group 4 does not preserve the pixels")
  }

  // MARK: WebP

  private mutating func nextWebPOptions(_ coding: WebPEncoder.Options.Coding) -> WebPEncoder.Options {
    let (switches, values) = (next(), next())
    var options = WebPEncoder.Options(
      quality: Int(values) % 101, effort: Int(switches & 15) % 10, keepsInvisibleColors: true,
      usesSharpChroma: switches & 16 != 0, filterStrength: Int(next()) % 101, filterSharpness: Int(values & 7),
      segmentCount: 1 + Int(values >> 6), noiseShaping: Int(next()) % 101, partitionCount: 1 << Int(switches >> 6))
    options.coding = coding
    return options
  }

  /// Checks that a lossy image keeps its size and alpha.
  private func checkLossyWebP(of bitmap: Bitmap, _ options: WebPEncoder.Options) {
    let (pixels, again) = (picture(of: bitmap).packedPixels, decodedWebP(of: bitmap, options))
    let decoded = again.packedPixels
    precondition(again.pixelSize == bitmap.pixelSize, "WebP changes the size")
    precondition(
      stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == decoded[$0] }, "WebP does not preserve alpha")
  }

  /// Checks that a lossless image keeps its pixels.
  private func checkLosslessWebP(of bitmap: Bitmap, _ options: WebPEncoder.Options) {
    precondition(
      decodedWebP(of: bitmap, options).packedPixels == picture(of: bitmap).packedPixels,
      "lossless WebP does not preserve the pixels")
  }

  /// Checks that an animation keeps its frames, and their visible pixels if it is lossless.
  private func checkAnimatedWebP(of bitmap: Bitmap, _ options: WebPEncoder.Options) {
    let picture = picture(of: bitmap)
    let frames = [picture, picture.flippedVertically(), picture].map { AnimationFrame(bitmap: $0, delay: .zero) }
    guard let file = try? WebPEncoder(options: options).encode(animation: frames, loopCount: .infinite),
      let animation = try? WebPDecoder().animation(file, options: Self.strictRGBA), animation.frameCount == 3
    else { preconditionFailure("the encoded animation cannot be decoded") }
    guard options.coding == .lossless, let last = try? animation.frame(at: 2) else { return }
    let (pixels, shown) = (picture.packedPixels, last.packedPixels)
    for index in stride(from: 0, to: pixels.count, by: 4) where pixels[index + 3] != 0 {
      precondition(shown[index..<index + 4] == pixels[index..<index + 4], "an animation does not preserve the pixels")
    }
  }

  private static var strictRGBA: DecodingOptions {
    DecodingOptions(pixelFormat: .rgba8, orientation: .report, tolerance: .strict)
  }

  private func decodedWebP(of bitmap: Bitmap, _ options: WebPEncoder.Options) -> Bitmap {
    guard let file = try? WebPEncoder(options: options).encode(bitmap),
      let again = try? WebPDecoder().decode(file.span, options: Self.strictRGBA)
    else { preconditionFailure("the encoded WebP cannot be decoded") }
    return again.bitmap
  }

  // MARK: GIF

  private mutating func nextGIFOptions() -> GIFEncoder.Options {
    let (switches, threshold) = (next(), next())
    return GIFEncoder.Options(
      maximumColorCount: switches & 1 == 0 ? 256 : 1 + Int(next()),
      dithering: switches & 2 == 0 ? .floydSteinberg : .none,
      colorTables: [.automatic, .global, .local][Int(switches >> 2) % 3], alphaThreshold: threshold,
      isInterlaced: switches & 128 != 0)
  }

  private func checkGIF(of bitmap: Bitmap, _ options: GIFEncoder.Options) {
    guard let file = try? GIFEncoder(options: options).encode(picture(of: bitmap)),
      let again = try? GIFDecoder().decode(file.span, options: DecodingOptions(tolerance: .strict))
    else { preconditionFailure("the encoded GIF cannot be decoded") }
    precondition(again.bitmap.pixelSize == bitmap.pixelSize, "GIF changes the size")
  }

  /// Encodes three frames at once, and one after the other.
  private func checkFrames(of bitmap: Bitmap, _ options: GIFEncoder.Options) {
    let picture = picture(of: bitmap)
    guard let gray = try? picture.converted(to: .gray8) else { preconditionFailure("a picture cannot be converted") }
    let frames = [picture, gray, picture].map { AnimationFrame(bitmap: $0, delay: .zero) }
    var encoder = GIFFrameEncoder()
    var budget = ResourceBudget(.unlimited)
    for frame in frames {
      guard (try? encoder.append(frame, budget: &budget)) != nil else {
        preconditionFailure("the frame cannot be encoded as GIF")
      }
    }
    guard let file = try? encoder.finish(budget: &budget),
      let atOnce = try? GIFEncoder(options: options).encode(animation: frames, loopCount: .infinite)
    else { preconditionFailure("the frames cannot be encoded as GIF") }
    for file in [file, atOnce] {
      guard let animation = try? GIFDecoder().animation(file, options: DecodingOptions(tolerance: .strict)) else {
        preconditionFailure("the encoded animation cannot be decoded")
      }
      precondition(animation.frameCount == 3, "the frame count of the GIF is not 3")
    }
  }

  // MARK: Bitmaps

  /// Checks BMP, icons and Netpbm's formats.
  private func checkBitmaps(of bitmap: Bitmap, isPlain: Bool) {
    let strict = DecodingOptions(pixelFormat: .rgba8, tolerance: .strict)
    let isPlain = isPlain && !bitmap.format.hasAlpha
    let picture = picture(of: bitmap)
    guard let bmp = try? BMPEncoder().encode(bitmap),
      let map = try? PNMEncoder(options: .init(isPlain: isPlain)).encode(bitmap),
      let bmpAgain = try? BMPDecoder().decode(bmp.span, options: strict),
      let mapAgain = try? PNMDecoder().decode(
        map.span, options: DecodingOptions(pixelFormat: bitmap.format, tolerance: .strict))
    else { preconditionFailure("an encoded bitmap cannot be decoded") }
    precondition(bmpAgain.bitmap.packedPixels == picture.packedPixels, "BMP does not preserve the pixels")
    precondition(mapAgain.bitmap.packedPixels == bitmap.packedPixels, "Netpbm does not preserve the pixels")
    guard max(bitmap.width, bitmap.height) <= 256 else { return }
    let encoder = IconEncoder(options: .init(minimumPNGSize: 100), pngEncoder: PNGEncoder())
    guard let icon = try? encoder.encode(picture),
      let iconAgain = try? IconDecoder(pngDecoder: PNGDecoder()).decode(icon.span, options: strict)
    else { preconditionFailure("an encoded icon cannot be decoded") }
    precondition(iconAgain.bitmap.packedPixels == picture.packedPixels, "ICO does not preserve the pixels")
  }

  // MARK: Metadata

  private mutating func nextText() -> String {
    String(decoding: (0..<Int(next() & 15)).map { _ in next() }, as: UTF8.self)
  }

  private mutating func nextMetadata() -> ImageMetadata {
    var metadata = ImageMetadata()
    let switches = Int(next()) << 8 | Int(next())
    if switches & 1 != 0 {
      // A little-endian TIFF structure with one directory: a number of entries, and their bytes.
      metadata.exif = Array("II*\0".utf8) + [8, 0, 0, 0] + (0..<Int(next())).map { _ in next() }
    }
    if switches & 2 != 0 { metadata.xmp = Array(nextText().utf8) }
    if switches & 4 != 0 { metadata.iptc = (0..<Int(next())).map { _ in next() } }
    if switches & 8 != 0 { metadata.texts = [.init(keyword: nextText(), value: nextText(), language: nextText())] }
    if switches & 16 != 0 { metadata.comments = [nextText(), nextText()] }
    if switches & 32 != 0 {
      let units: [ImageMetadata.PixelDensity.Unit] = [.aspectRatio, .perMeter, .perInch]
      metadata.density = .init(x: Double(next()) * 7, y: Double(next()) / 7, unit: units[Int(next()) % 3])
    }
    if switches & 64 != 0 { metadata.sRGBRenderingIntent = next() }
    if switches & 128 != 0 { metadata.significantBits = (0..<Int(next() & 7)).map { _ in next() } }
    if switches & 256 != 0 { metadata.background = .init(samples: (0..<Int(next() & 7)).map { _ in UInt16(next()) }) }
    if switches & 512 != 0 {
      metadata.modificationTime = .init(
        year: Int(next()) * 9, month: Int(next() & 15), day: Int(next() & 31), hour: Int(next() & 31),
        minute: Int(next() & 63), second: Int(next() & 63))
    }
    if switches & 1024 != 0 { metadata.colorSpace.isMarkedAsSRGB = true }
    if switches & 2048 != 0 { metadata.colorSpace.calibration = .init(gamma: Double(next()) / 100) }
    if switches & 4096 != 0 { metadata.colorSpace.iccProfile = (0..<Int(next())).map { _ in next() } }
    if switches & 8192 != 0 { metadata.iccProfileName = nextText() }
    return metadata
  }

  /// Checks that what an encoder writes can be read, unless it refuses the metadata.
  private func checkMetadata(_ metadata: ImageMetadata, of bitmap: Bitmap) {
    let small = picture(of: bitmap)
    func check(_ encoder: some ImageFormatEncoder, _ decoder: some ImageFormatDecoder) {
      guard let file = try? encoder.encode(small, metadata: metadata) else { return }
      guard (try? decoder.decode(file, options: DecodingOptions(tolerance: .strict))) != nil,
        (try? decoder.metadata(file)) != nil
      else { preconditionFailure("an image with metadata cannot be decoded") }
    }
    check(PNGEncoder(), PNGDecoder())
    check(JPEGEncoder(), JPEGDecoder())
    check(TIFFEncoder(), TIFFDecoder())
    check(WebPEncoder(), WebPDecoder())
    check(GIFEncoder(), GIFDecoder())
  }

  /// The image in the layout to which most formats are decoded.
  private func picture(of bitmap: Bitmap) -> Bitmap {
    guard let picture = try? bitmap.converted(to: .rgba8) else { preconditionFailure("a picture cannot be converted") }
    return picture
  }
}

extension WebPEncoder.Options {
  /// Whether the effort is low. The most takes seconds with the instrumentation of the fuzzer.
  fileprivate var isQuick: Bool { effort < 4 }
}
