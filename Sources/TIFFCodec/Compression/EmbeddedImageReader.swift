// Blocks that are JPEG streams (Technical Note 2), WebP files or codestreams of JPEG 2000 and JPEG XL, decoded by the
// decoders passed to TIFFDecoder.

internal import ImageCoding

/// Decodes blocks in other formats to the samples of the block.
struct EmbeddedImageReader {
  let layout: ImageLayout
  let jpegDecoder: AnyImageFormatDecoder?
  let webPDecoder: AnyImageFormatDecoder?
  let jpeg2000Decoder: AnyImageFormatDecoder?
  let jpegXLDecoder: AnyImageFormatDecoder?
  /// The tables shared by all JPEG streams, without SOI and EOI.
  let jpegTables: [UInt8]

  /// The work units for decoding an embedded image, in addition to its bytes and pixels.
  private static let workPerImage = 20_000
  /// The work units for a byte of the shared tables, which are read for each image.
  private static let workPerTableByte = 80

  init(
    _ layout: ImageLayout, jpegDecoder: AnyImageFormatDecoder?, webPDecoder: AnyImageFormatDecoder?,
    jpeg2000Decoder: AnyImageFormatDecoder?, jpegXLDecoder: AnyImageFormatDecoder?, _ bytes: Span<UInt8>,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    self.layout = layout
    self.jpegDecoder = jpegDecoder
    self.webPDecoder = webPDecoder
    self.jpeg2000Decoder = jpeg2000Decoder
    self.jpegXLDecoder = jpegXLDecoder
    guard let range = layout.jpegTables, layout.compression == .jpeg else {
      jpegTables = []
      return
    }
    try budget.allocate(range.count)
    jpegTables = jpegSegments(bytes.extracting(range))
  }

  /// Decodes a block.
  ///
  /// - Parameters:
  ///   - width, rowCount: the size of the block. Pixels beyond the embedded image are zero.
  ///   - output: receives the samples, in rows of `width` pixels.
  ///   - damage: receives what is wrong, if the embedded image is incomplete.
  /// - Returns: the number of bytes written.
  func read(
    _ input: Span<UInt8>, width: Int, rowCount: Int, into output: inout MutableSpan<UInt8>, damage: inout String?,
    _ context: inout DecodingContext
  ) throws(CodecError) -> Int {
    try context.budget.chargeWork(Self.workPerImage)
    try context.budget.chargeWork(count: jpegTables.count, unitsEach: Self.workPerTableByte)
    let heldByteCount = context.budget.heldByteCount
    defer { context.budget.settle(heldByteCount: heldByteCount) }
    let picture: Bitmap
    do throws(CodecError) {
      picture = try decode(input, &damage, &context)
    } catch {
      if context.isStrict || error.isInterruption || error.kind == .limitExceeded || error.kind == .unsupported {
        throw error
      }
      damage = error.reason
      return 0
    }
    let bytesPerPixel = picture.format.bytesPerPixel
    guard picture.width >= min(width, layout.size.width) || !context.isStrict else {
      throw CodecError(.malformed, "an embedded image is narrower than its block", format: TIFFDecoder.type)
    }
    let copied = min(width, picture.width) * bytesPerPixel
    let rows = min(rowCount, picture.height)
    let inverts = picture.format.colorModel == .cmyk
    // 16-bit samples of a bitmap have the byte order of the processor, those of blocks that of the file.
    let swapsBytes = picture.format.sampleType == .uint16 && layout.isBigEndian != (UInt16(1).bigEndian == 1)
    for y in 0..<rows {
      let row = picture.row(y)
      let start = y * width * bytesPerPixel
      var part = output._mutatingExtracting(start..<start + width * bytesPerPixel)
      let flipped = swapsBytes ? 1 : 0
      for index in 0..<copied { part[index] = inverts ? 255 &- row[index] : row[index ^ flipped] }
      for index in copied..<part.count { part[index] = 0 }
    }
    return rows * width * bytesPerPixel
  }

  private func decode(
    _ input: Span<UInt8>, _ damage: inout String?, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    try context.budget.descend()
    defer { context.budget.ascend() }
    var options = context.options
    options.orientation = .report
    options.targetSize = nil
    options.region = nil
    options.imageIndex = nil
    var bitmap = Bitmap()
    let details: DecodingDetails
    if layout.compression == .jpegXL {
      guard let jpegXLDecoder else { throw missingDecoder("JPEG XL") }
      options.pixelFormat = storedFormat
      details = try jpegXLDecoder.decode(input, into: &bitmap, options: options, budget: &context.budget)
    } else if layout.compression.isJPEG2000 {
      guard let jpeg2000Decoder else { throw missingDecoder("JPEG 2000") }
      options.pixelFormat = storedFormat
      details = try jpeg2000Decoder.decode(input, into: &bitmap, options: options, budget: &context.budget)
      // If chroma is subsampled, the decoder has converted it.
      if hasChroma, details.info.colorModel != .yCbCr { try convertChroma(&bitmap, &context.budget) }
    } else if layout.compression == .jpeg {
      guard let jpegDecoder else { throw missingDecoder("JPEG") }
      options.pixelFormat = try jpegFormat
      try context.budget.allocate(jpegTables.count + input.count + 32)
      let stream = jpegStream(input)
      details = try jpegDecoder.decode(stream.span, into: &bitmap, options: options, budget: &context.budget)
    } else {
      guard let webPDecoder else { throw missingDecoder("WebP") }
      guard layout.samplesPerBlockPixel == 3 || layout.samplesPerBlockPixel == 4 else {
        throw CodecError(.malformed, "a WebP block has neither three nor four samples", format: TIFFDecoder.type)
      }
      options.pixelFormat = layout.samplesPerBlockPixel == 3 ? .rgb8 : .rgba8
      details = try webPDecoder.decode(input, into: &bitmap, options: options, budget: &context.budget)
    }
    damage = details.diagnostics.first { $0.severity == .damage }?.reason
    return bitmap
  }

  /// The format in which the decoders of JPEG 2000 and JPEG XL return the samples as stored; that of JPEG 2000 takes the
  /// fourth component of a bare codestream for opacity.
  private var storedFormat: PixelFormat {
    let isDeep = layout.maximumBits == 16
    switch layout.samplesPerBlockPixel {
    case 1: return isDeep ? .gray16 : .gray8
    case 3: return isDeep ? .rgb16 : .rgb8
    default: return isDeep ? .rgba16 : .rgba8
    }
  }

  /// Whether the codestreams have luma and chroma.
  private var hasChroma: Bool {
    layout.samplesPerBlockPixel == 3 && (layout.compression == .jpeg2000YCbCr || layout.photometric == .yCbCr)
  }

  /// Converts luma and chroma of ITU-R BT.601 with full range to RGB.
  private func convertChroma(_ bitmap: inout Bitmap, _ budget: inout ResourceBudget) throws(CodecError) {
    guard bitmap.format == .rgb8 else { return }
    let width = bitmap.width
    for y in 0..<bitmap.height {
      try budget.chargeWork(4 * width)
      var row = bitmap.mutableRow(y)
      for x in 0..<width {
        let luma = Float(row[x * 3])
        let (blue, red) = (Float(row[x * 3 + 1]) - 128, Float(row[x * 3 + 2]) - 128)
        let values = (luma + 1.402 * red, luma - 0.344136 * blue - 0.714136 * red, luma + 1.772 * blue)
        row[x * 3] = UInt8(max(0, min(255, values.0)) + 0.5)
        row[x * 3 + 1] = UInt8(max(0, min(255, values.1)) + 0.5)
        row[x * 3 + 2] = UInt8(max(0, min(255, values.2)) + 0.5)
      }
    }
  }

  /// The format in which the JPEG decoder returns the samples as stored.
  private var jpegFormat: PixelFormat {
    get throws(CodecError) {
      switch layout.samplesPerBlockPixel {
      case 1: return .gray8
      case 3: return .rgb8
      case 4: return .cmyk8
      default:
        throw CodecError(
          .unsupported, "JPEG blocks of \(layout.samplesPerBlockPixel) samples are not supported",
          format: TIFFDecoder.type)
      }
    }
  }

  private func missingDecoder(_ name: String) -> CodecError {
    CodecError(.unsupported, "no decoder of \(name) was passed to the TIFF decoder", format: TIFFDecoder.type)
  }

  /// Joins the shared tables with a stream. Application segments are left out: what the components mean is stated by
  /// the directory, which an Adobe segment passes on.
  private func jpegStream(_ input: Span<UInt8>) -> [UInt8] {
    let transform: UInt8 = layout.photometric == .yCbCr ? 1 : 0
    var stream: [UInt8] = [0xFF, 0xD8, 0xFF, 0xEE, 0, 14]
    stream += Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform]
    stream += jpegTables
    stream.append(contentsOf: jpegSegments(input))
    return stream
  }
}

/// Returns the segments of a JPEG stream without SOI, EOI and application segments. Everything from the first scan on
/// is kept.
func jpegSegments(_ stream: Span<UInt8>) -> [UInt8] {
  var position = stream.count >= 2 && stream[0] == 0xFF && stream[1] == 0xD8 ? 2 : 0
  var kept: [UInt8] = []
  kept.reserveCapacity(stream.count)
  while position + 4 <= stream.count, stream[position] == 0xFF {
    let marker = stream[position + 1]
    if marker == 0xFF {
      position += 1
      continue
    }
    if marker == 0xD9 { return kept }
    if marker == 0xDA || marker < 0xC0 { break }
    let end = position + 2 + Int(stream[position + 2]) << 8 + Int(stream[position + 3])
    guard end > position + 3, end <= stream.count else { break }
    if marker & 0xF0 != 0xE0 { kept.append(copying: stream.extracting(position..<end)) }
    position = end
  }
  // Tables end with EOI, or without it.
  if position + 2 <= stream.count, stream[position] == 0xFF, stream[position + 1] == 0xD9 { return kept }
  kept.append(copying: stream.extracting(position..<stream.count))
  return kept
}
