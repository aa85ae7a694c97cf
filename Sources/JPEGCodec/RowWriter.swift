// The last stage: samples of a row of the picture, upsampled, converted and written as pixels of the format that was
// asked for. The common pairs of model and format go through kernels; all others through the natural format.

internal import ImageCore

/// Writes rows of pixels.
struct RowWriter {
  /// Which loops a row goes through.
  private enum Path {
    /// Y, Cb and Cr to four bytes, both chroma components at half width and full or half height.
    case halfWidthChroma(Upsampling)
    /// Y, Cb and Cr to four bytes.
    case yCbCr
    /// One component.
    case gray
    /// Anything else: sample by sample.
    case samples
  }

  let frame: FrameHeader
  let model: ImageInfo.ColorModel
  /// The format of the rows that are written.
  let format: PixelFormat
  /// The picture's row that is the first one of the bitmap.
  var firstRow = 0
  let upsamplings: [Upsampling]
  private let path: Path
  private let order: FourByteOrder
  /// Chroma rows weighted for the half-width kernel.
  private var weightedCb: [Int16] = []
  private var weightedCr: [Int16] = []
  /// A row of pixels on its way to another format.
  private var staging: [UInt8] = []
  private var converter: PixelRowConverter

  init(frame: FrameHeader, model: ImageInfo.ColorModel, format: PixelFormat) {
    self.frame = frame
    self.model = model
    self.format = format
    let upsamplings = frame.components.map { Upsampling($0, in: frame) }
    self.upsamplings = upsamplings
    order = format.colorModel == .bgr ? .bgra : .rgba
    converter = PixelRowConverter(from: model.naturalFormat, to: format)
    switch model {
    case .gray:
      path = .gray
    case .yCbCr where format.bitsPerSample == 8 && (format.colorModel == .bgr || format.colorModel == .rgb):
      let halves = upsamplings[1] == .doubleColumns || upsamplings[1] == .doubleBoth
      if upsamplings[0] == .none, halves, upsamplings[1] == upsamplings[2] {
        path = .halfWidthChroma(upsamplings[1])
      } else {
        path = .yCbCr
      }
    default:
      path = .samples
    }
    let padded = frame.mcusPerRow * frame.mcuWidth
    if case .halfWidthChroma = path {
      weightedCb = [Int16](repeating: 0, count: padded / 2 + 2 * weightedRowMargin + 16)
      weightedCr = weightedCb
    }
    staging = [UInt8](repeating: 0, count: padded * 4)
  }

  /// Rows of a band that can be written only when the next band is there.
  var delayedRowCount: Int { upsamplings.contains(where: \.blendsRows) ? 1 : 0 }

  /// Writes rows of the picture.
  mutating func write(rows: Range<Int>, from bands: inout SampleBands, to bitmap: inout Bitmap) {
    for y in rows { writeRow(y, from: &bands, to: &bitmap) }
  }

  private mutating func writeRow(_ y: Int, from bands: inout SampleBands, to bitmap: inout Bitmap) {
    switch path {
    case .halfWidthChroma(let upsampling):
      weightChroma(upsampling, y, bands)
      if format.hasAlpha {
        var row = bitmap.mutableRow(y - firstRow)
        convertHalfWidth(upsampling, y, bands, into: &row)
      } else {
        writeThreeBytes(y, to: &bitmap) { writer, row in writer.convertHalfWidth(upsampling, y, bands, into: &row) }
      }
    case .yCbCr:
      let starts = upsampleAll(y, &bands)
      if format.hasAlpha {
        var row = bitmap.mutableRow(y - firstRow)
        convertFullWidth(starts, bands, into: &row)
      } else {
        writeThreeBytes(y, to: &bitmap) { writer, row in writer.convertFullWidth(starts, bands, into: &row) }
      }
    case .gray:
      let start = bands.planes[0].rowStart(y)
      let samples = bands.samples.span.extracting(start..<start + frame.width)
      var row = bitmap.mutableRow(y - firstRow)
      if format.bitsPerSample == 8, format.hasAlpha, format.colorModel != .gray {
        spreadGraySamples(samples, pixelCount: frame.width, into: &row)
      } else {
        converter.convert(samples, into: &row)
      }
    case .samples:
      writeSamples(y, from: &bands, to: &bitmap)
    }
  }

  /// Runs a four-byte conversion into the staging row and writes three bytes of each pixel.
  private mutating func writeThreeBytes(
    _ y: Int, to bitmap: inout Bitmap, _ convert: (borrowing RowWriter, inout MutableSpan<UInt8>) -> Void
  ) {
    // Taken out so that the conversion may read the rest of this value.
    var pixels = staging
    staging = []
    var staged = pixels.mutableSpan
    convert(self, &staged)
    var row = bitmap.mutableRow(y - firstRow)
    dropFourthBytes(pixels.span, pixelCount: frame.width, into: &row)
    staging = pixels
  }

  private mutating func weightChroma(_ upsampling: Upsampling, _ y: Int, _ bands: borrowing SampleBands) {
    bands.weightRow(of: 1, upsampling, pictureRow: y, into: &weightedCb)
    bands.weightRow(of: 2, upsampling, pictureRow: y, into: &weightedCr)
  }

  private func convertHalfWidth(
    _ upsampling: Upsampling, _ y: Int, _ bands: borrowing SampleBands, into row: inout MutableSpan<UInt8>
  ) {
    let plane = bands.planes[0]
    let start = plane.rowStart(y)
    convertHalfWidthYCbCrRow(
      luma: bands.samples.span.extracting(start..<start + plane.stride), cb: weightedCb.span, cr: weightedCr.span,
      pixelCount: frame.width, rounding: upsampling == .doubleBoth ? .blendedRows : .singleRow, order: order,
      into: &row)
  }

  private func convertFullWidth(
    _ starts: InlineArray<4, Int>, _ bands: borrowing SampleBands, into row: inout MutableSpan<UInt8>
  ) {
    let samples = bands.samples.span
    let count = (frame.width + 15) & ~15
    convertYCbCrRow(
      luma: samples.extracting(starts[0]..<starts[0] + count), cb: samples.extracting(starts[1]..<starts[1] + count),
      cr: samples.extracting(starts[2]..<starts[2] + count), pixelCount: frame.width, order: order, into: &row)
  }

  private func upsampleAll(_ y: Int, _ bands: inout SampleBands) -> InlineArray<4, Int> {
    var starts = InlineArray<4, Int>(repeating: 0)
    for index in frame.components.indices {
      starts[index] = bands.upsample(
        component: index, upsamplings[index], pictureRow: y, frame: frame, width: frame.width)
    }
    return starts
  }

  /// RGB, CMYK and YCCK, and whatever is asked for in a format without a path of its own.
  private mutating func writeSamples(_ y: Int, from bands: inout SampleBands, to bitmap: inout Bitmap) {
    let starts = upsampleAll(y, &bands)
    let samples = bands.samples.span
    let width = frame.width
    var pixels = staging
    staging = []
    var staged = pixels.mutableSpan
    switch model {
    case .cmyk: stageInks(samples, starts, isYCCK: false, into: &staged)
    case .ycck: stageInks(samples, starts, isYCCK: true, into: &staged)
    case .rgb: stageRGB(samples, starts, into: &staged)
    default: stageYCbCr(samples, starts, into: &staged)
    }
    var row = bitmap.mutableRow(y - firstRow)
    if model.naturalFormat == .cmyk8, format.bitsPerSample == 8, format.hasAlpha, format.colorModel != .gray {
      convertInks(pixels.span, pixelCount: width, order: order, into: &row)
    } else {
      converter.convert(pixels.span.extracting(0..<width * model.naturalFormat.bytesPerPixel), into: &row)
    }
    staging = pixels
  }

  private func stageRGB(
    _ samples: Span<UInt8>, _ starts: InlineArray<4, Int>, into row: inout MutableSpan<UInt8>
  ) {
    for x in 0..<frame.width {
      row[3 &* x] = samples[starts[0] &+ x]
      row[3 &* x &+ 1] = samples[starts[1] &+ x]
      row[3 &* x &+ 2] = samples[starts[2] &+ x]
    }
  }

  private func stageYCbCr(
    _ samples: Span<UInt8>, _ starts: InlineArray<4, Int>, into row: inout MutableSpan<UInt8>
  ) {
    for x in 0..<frame.width {
      let pixel = ColorConversion.rgb(
        y: samples[starts[0] &+ x], cb: samples[starts[1] &+ x], cr: samples[starts[2] &+ x])
      row[3 &* x] = pixel.red
      row[3 &* x &+ 1] = pixel.green
      row[3 &* x &+ 2] = pixel.blue
    }
  }

  /// Inks from inverted samples: 0 is no ink. In YCCK the RGB of the first three samples is that of the inks'
  /// complement, so that it is the inverted sample's complement: the ink.
  private func stageInks(
    _ samples: Span<UInt8>, _ starts: InlineArray<4, Int>, isYCCK: Bool, into row: inout MutableSpan<UInt8>
  ) {
    for x in 0..<frame.width {
      let first = samples[starts[0] &+ x]
      let second = samples[starts[1] &+ x]
      let third = samples[starts[2] &+ x]
      if isYCCK {
        let pixel = ColorConversion.rgb(y: first, cb: second, cr: third)
        row[4 &* x] = pixel.red
        row[4 &* x &+ 1] = pixel.green
        row[4 &* x &+ 2] = pixel.blue
      } else {
        row[4 &* x] = ~first
        row[4 &* x &+ 1] = ~second
        row[4 &* x &+ 2] = ~third
      }
      row[4 &* x &+ 3] = ~samples[starts[3] &+ x]
    }
  }
}

/// Inks to RGB without a profile: `round((255 − ink)(255 − black) / 255)`, as ImageCore converts `cmyk8`.
private func convertInks(
  _ inks: Span<UInt8>, pixelCount: Int, order: FourByteOrder, into row: inout MutableSpan<UInt8>
) {
  let redOffset = order == .rgba ? 0 : 2
  for pixel in 0..<pixelCount {
    let index = pixel &* 4
    let white = UInt32(~inks[index &+ 3])
    row[index &+ redOffset] = UInt8(
      truncatingIfNeeded: PixelArithmetic.premultiply8(UInt32(~inks[index]), white))
    row[index &+ 1] = UInt8(
      truncatingIfNeeded: PixelArithmetic.premultiply8(UInt32(~inks[index &+ 1]), white))
    row[index &+ (2 &- redOffset)] = UInt8(
      truncatingIfNeeded: PixelArithmetic.premultiply8(UInt32(~inks[index &+ 2]), white))
    row[index &+ 3] = 255
  }
}
