// The last stage: the samples of a row are upsampled, converted and written as pixels in the requested format. Common
// pairs of colour model and format use kernels; all others go through the natural format.

internal import ImageCoding
internal import PixelPlanes

/// Writes rows of pixels.
struct RowWriter {
  /// The loop used for a row.
  private enum Path {
    /// Y, Cb and Cr to four bytes; chroma is at half width, and at full or half height.
    case halfWidthChroma(Upsampling)
    /// Y, Cb and Cr to four bytes.
    case yCbCr
    /// One component.
    case gray
    /// All other cases, sample by sample.
    case samples
  }

  let frame: FrameHeader
  let model: ImageInfo.StoredColorModel
  /// The format of the rows written.
  let format: PixelFormat
  let upsamplings: [Upsampling]
  private let path: Path
  private let order: FourByteOrder
  /// Whether pixels are three colours of 8 bits in either order, and alpha.
  private let isFourByteRGB: Bool
  /// Chroma rows weighted for the half-width kernel.
  private var weightedCb: [Int16] = []
  private var weightedCr: [Int16] = []
  /// A row of pixels before conversion to another format.
  private var staging: [UInt8] = []
  private var converter: PixelRowConverter

  init(frame: FrameHeader, model: ImageInfo.StoredColorModel, format: PixelFormat) {
    self.frame = frame
    self.model = model
    self.format = format
    let upsamplings = frame.components.map { Upsampling($0, in: frame) }
    self.upsamplings = upsamplings
    order = format.colorModel == .bgr ? .bgra : .rgba
    let isRGB = format.colorModel == .bgr || format.colorModel == .rgb
    isFourByteRGB = isRGB && format.sampleType == .uint8 && format.hasAlpha
    converter = PixelRowConverter(from: model.naturalFormat, to: format)
    switch model {
    case .gray:
      path = .gray
    case .yCbCr where isRGB && format.sampleType == .uint8:
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
      let count = padded / 2 + 2 * weightedRowMargin + 16
      weightedCb = [Int16](repeating: 0, count: count)
      weightedCr = [Int16](repeating: 0, count: count)
    }
    staging = [UInt8](repeating: 0, count: padded * 4)
  }

  /// The number of rows in a band that cannot be written before the next band is available.
  var delayedRowCount: Int { upsamplings.contains { $0.blendsRows } ? 1 : 0 }

  /// The number of rows of the picture that can be written once a number of bands, from the top, have their samples.
  func rowCount(ofBands count: Int) -> Int { frame.rowCount(ofBands: count, delayedRowCount: delayedRowCount) }

  /// Writes rows of the picture.
  mutating func write(
    rows: Range<Int>, from bands: inout SampleBands, to output: inout some WritableRows & ~Copyable
  ) {
    for y in rows {
      output.withRow(y) { writeRow(y, from: &bands, to: &$0) }
    }
  }

  private mutating func writeRow(_ y: Int, from bands: inout SampleBands, to row: inout MutableSpan<UInt8>) {
    switch path {
    case .halfWidthChroma(let upsampling):
      weightChroma(upsampling, y, bands)
      if format.hasAlpha {
        convertHalfWidth(upsampling, y, bands, into: &row)
      } else {
        writeThreeBytes(to: &row) { writer, row in writer.convertHalfWidth(upsampling, y, bands, into: &row) }
      }
    case .yCbCr:
      let places = upsampleAll(y, &bands)
      if format.hasAlpha {
        convertFullWidth(places, bands, into: &row)
      } else {
        writeThreeBytes(to: &row) { writer, row in writer.convertFullWidth(places, bands, into: &row) }
      }
    case .gray:
      let start = bands.planes[0].rowStart(y)
      let samples = bands.samples.span.extracting(start..<start + frame.width)
      if isFourByteRGB {
        spreadGraySamples(samples, pixelCount: frame.width, into: &row)
      } else {
        converter.convert(samples, into: &row)
      }
    case .samples:
      writeSamples(y, from: &bands, to: &row)
    }
  }

  /// Converts to four bytes per pixel in the staging row, and writes three of them.
  private mutating func writeThreeBytes(
    to row: inout MutableSpan<UInt8>, _ convert: (borrowing RowWriter, inout MutableSpan<UInt8>) -> Void
  ) {
    // Moved out of the property, so that the conversion can read the rest of this value.
    var pixels = staging
    staging = []
    var staged = pixels.mutableSpan
    convert(self, &staged)
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
    _ places: InlineArray<4, SampleBands.RowPlace>, _ bands: borrowing SampleBands, into row: inout MutableSpan<UInt8>
  ) {
    let count = (frame.width + 15) & ~15
    convertYCbCrRow(
      luma: bands.row(places[0], count: count), cb: bands.row(places[1], count: count),
      cr: bands.row(places[2], count: count), pixelCount: frame.width, order: order, into: &row)
  }

  private func upsampleAll(_ y: Int, _ bands: inout SampleBands) -> InlineArray<4, SampleBands.RowPlace> {
    var places = InlineArray<4, SampleBands.RowPlace>(repeating: SampleBands.RowPlace())
    for index in frame.components.indices {
      places[index] = bands.upsample(
        component: index, upsamplings[index], pictureRow: y, frame: frame, width: frame.width)
    }
    return places
  }

  /// Writes RGB, CMYK and YCCK, and all formats without a specialised path.
  private mutating func writeSamples(
    _ y: Int, from bands: inout SampleBands, to row: inout MutableSpan<UInt8>
  ) {
    let places = upsampleAll(y, &bands)
    let width = frame.width
    let first = bands.row(places[0], count: width)
    let second = bands.row(places[1], count: width)
    let third = bands.row(places[2], count: width)
    var pixels = staging
    staging = []
    var staged = pixels.mutableSpan
    switch model {
    case .cmyk, .ycck:
      let fourth = bands.row(places[3], count: width)
      stageInks(first, second, third, fourth, isYCCK: model == .ycck, into: &staged)
    case .rgb: stageRGB(first, second, third, into: &staged)
    default: stageYCbCr(first, second, third, into: &staged)
    }
    if model.naturalFormat == .cmyk8, isFourByteRGB {
      convertInks(pixels.span, pixelCount: width, order: order, into: &row)
    } else {
      converter.convert(pixels.span.extracting(0..<width * model.naturalFormat.bytesPerPixel), into: &row)
    }
    staging = pixels
  }

  private func stageRGB(
    _ red: Span<UInt8>, _ green: Span<UInt8>, _ blue: Span<UInt8>, into row: inout MutableSpan<UInt8>
  ) {
    for x in 0..<frame.width {
      row[3 &* x] = red[x]
      row[3 &* x &+ 1] = green[x]
      row[3 &* x &+ 2] = blue[x]
    }
  }

  private func stageYCbCr(
    _ luma: Span<UInt8>, _ cb: Span<UInt8>, _ cr: Span<UInt8>, into row: inout MutableSpan<UInt8>
  ) {
    for x in 0..<frame.width {
      let pixel = JFIFConversion.rgb(y: luma[x], cb: cb[x], cr: cr[x])
      row[3 &* x] = pixel.red
      row[3 &* x &+ 1] = pixel.green
      row[3 &* x &+ 2] = pixel.blue
    }
  }

  /// Converts inverted samples to inks, 0 for no ink. In YCCK the first three samples encode the RGB complement of the
  /// inks. Stored samples are inverted, so the decoded RGB is the complement's complement: the ink.
  private func stageInks(
    _ firsts: Span<UInt8>, _ seconds: Span<UInt8>, _ thirds: Span<UInt8>, _ blacks: Span<UInt8>, isYCCK: Bool,
    into row: inout MutableSpan<UInt8>
  ) {
    for x in 0..<frame.width {
      let (first, second, third) = (firsts[x], seconds[x], thirds[x])
      if isYCCK {
        let pixel = JFIFConversion.rgb(y: first, cb: second, cr: third)
        row[4 &* x] = pixel.red
        row[4 &* x &+ 1] = pixel.green
        row[4 &* x &+ 2] = pixel.blue
      } else {
        row[4 &* x] = ~first
        row[4 &* x &+ 1] = ~second
        row[4 &* x &+ 2] = ~third
      }
      row[4 &* x &+ 3] = ~blacks[x]
    }
  }
}

/// Converts inks to RGB without a profile: `round((255 − ink)(255 − black) / 255)`, as ImageCore converts `cmyk8`.
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

extension FrameHeader {
  /// The number of rows of the picture that can be written once a number of bands, from the top, have their samples.
  ///
  /// - Parameter delayedRowCount: the number of rows at the end of a band that need samples of the next one.
  func rowCount(ofBands count: Int, delayedRowCount: Int) -> Int {
    count == mcuRowCount ? height : max(0, count * mcuHeight - delayedRowCount)
  }
}
