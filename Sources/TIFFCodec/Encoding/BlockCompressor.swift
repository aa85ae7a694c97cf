// From rows of pixels to the data of a strip or tile: byte order, predictor, compression.

internal import ByteCompression
internal import ImageCoding

/// Compresses the blocks of an image.
struct BlockCompressor {
  private let compression: TIFFEncoder.Options.Compression
  private let predictor: ImageLayout.Predictor
  private let sampleByteCount: Int
  private let samplesPerPixel: Int
  private let isBigEndian: Bool

  init(_ options: TIFFEncoder.Options, format: PixelFormat) {
    compression = options.compression
    predictor =
      !options.usesPredictor || !options.compression.usesPredictor
      ? .none : format.sampleType.isFloatingPoint ? .floatingPoint : .horizontal
    sampleByteCount = format.bytesPerSample
    samplesPerPixel = format.samplesPerPixel
    isBigEndian = options.isBigEndian
  }

  /// The predictor to state in the directory.
  var predictorCode: Int { predictor.rawValue }

  /// Compresses rows of `width` pixels of native-endian samples, or of packed bits for Group 4.
  ///
  /// - Throws: `CodecError.Kind.encodingFailed` if zlib fails.
  func compress(_ rows: inout [UInt8], width: Int, rowByteCount: Int) throws(CodecError) -> [UInt8] {
    if case .group4 = compression {
      var writer = FaxWriter(width: width)
      for start in stride(from: 0, to: rows.count, by: rowByteCount) {
        writer.append(rows.span.extracting(start..<start + rowByteCount))
      }
      return writer.finish()
    }
    if sampleByteCount > 1 { orderBytes(&rows) }
    if predictor != .none {
      for start in stride(from: 0, to: rows.count, by: rowByteCount) {
        apply(to: &rows, start..<start + rowByteCount)
      }
    }
    switch compression {
    case .none, .group4: return rows
    case .packBits:
      var output: [UInt8] = []
      for start in stride(from: 0, to: rows.count, by: rowByteCount) {
        appendPackBits(rows.span.extracting(start..<start + rowByteCount), to: &output)
      }
      return output
    case .lzw:
      var encoder = LZWEncoder(
        LZWCoding(literalWidth: 8, bitOrder: .mostSignificantFirst, hasEarlyChange: true))
      encoder.append(rows.span)
      return encoder.finish()
    case .deflate(let level):
      guard let output = ZlibBlock.compress(rows.span, level: level) else {
        throw CodecError(.encodingFailed, "zlib fails to allocate memory", format: TIFFDecoder.type)
      }
      return output
    }
  }

  /// Puts the bytes of native-endian samples in the order of the file.
  private func orderBytes(_ rows: inout [UInt8]) {
    let isNativeBigEndian = UInt16(bigEndian: 1) == 1
    guard isNativeBigEndian != isBigEndian else { return }
    var bytes = rows.mutableSpan
    var index = 0
    while index + sampleByteCount <= bytes.count {
      for place in 0..<sampleByteCount / 2 {
        let other = index &+ sampleByteCount &- 1 &- place
        (bytes[index &+ place], bytes[other]) = (bytes[other], bytes[index &+ place])
      }
      index &+= sampleByteCount
    }
  }

  private func apply(to rows: inout [UInt8], _ range: Range<Int>) {
    var all = rows.mutableSpan
    var row = all._mutatingExtracting(range)
    if predictor == .floatingPoint { return applyFloatingPoint(&row) }
    var sample = row.count / sampleByteCount - 1
    while sample >= samplesPerPixel {
      let at = sample * sampleByteCount
      let before = (sample - samplesPerPixel) * sampleByteCount
      var borrow = 0
      for place in 0..<sampleByteCount {
        let offset = isBigEndian ? sampleByteCount - 1 - place : place
        let difference = Int(row[at + offset]) - Int(row[before + offset]) - borrow
        row[at + offset] = UInt8(truncatingIfNeeded: difference)
        borrow = difference < 0 ? 1 : 0
      }
      sample -= 1
    }
  }

  /// Stores the most significant bytes of all samples first, and the differences of all bytes.
  private func applyFloatingPoint(_ row: inout MutableSpan<UInt8>) {
    let sampleCount = row.count / sampleByteCount
    let original = Array(copying: row.span)
    for place in 0..<sampleByteCount {
      let offset = isBigEndian ? place : sampleByteCount - 1 - place
      for sample in 0..<sampleCount { row[place * sampleCount + sample] = original[sample * sampleByteCount + offset] }
    }
    var index = row.count - 1
    while index >= samplesPerPixel {
      row[index] = row[index] &- row[index - samplesPerPixel]
      index -= 1
    }
  }
}
