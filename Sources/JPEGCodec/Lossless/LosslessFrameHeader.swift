// SOF3: the samples of the lossless process. ITU-T T.81, sections B.2.2 and H.1.

internal import ImageCoding

/// The parsed header of a frame of the lossless process.
struct LosslessFrameHeader {
  let width: Int
  let height: Int
  /// The number of bits per sample (P): 2…16.
  let precision: Int
  /// The identifiers of the components (Ci).
  let identifiers: [UInt8]

  /// Parses an SOF3 segment.
  ///
  /// - Throws: `CodecError.Kind.malformed`, or `CodecError.Kind.unsupported` for subsampled components.
  init(parsing reader: inout ByteReader) throws(CodecError) {
    precision = Int(try reader.readUInt8())
    height = Int(try reader.readUInt16BigEndian())
    width = Int(try reader.readUInt16BigEndian())
    let count = Int(try reader.readUInt8())
    guard (2...16).contains(precision) else { throw reader.error(.malformed, "the precision is not 2…16 bits") }
    guard width > 0, (1...4).contains(count) else {
      throw reader.error(.malformed, "the frame has no columns, or not 1…4 components")
    }
    guard height > 0 else { throw reader.error(.unsupported, "lossless frames without a height are not supported") }
    var identifiers: [UInt8] = []
    for _ in 0..<count {
      identifiers.append(try reader.readUInt8())
      let factors = try reader.readUInt8()
      guard count == 1 || factors == 0x11 else {
        throw reader.error(.unsupported, "subsampled components of the lossless process are not supported")
      }
      try reader.skip(1)
    }
    self.identifiers = identifiers
  }

  var shape: SampleFrame {
    SampleFrame(width: width, height: height, componentCount: identifiers.count, precision: precision)
  }
}

/// The parsed header of the scan of a lossless frame. ITU-T T.81, section B.2.3.
struct LosslessScanHeader {
  /// The destination of the table of each component (Tdj).
  let tables: [Int]
  /// The predictor (Ss): 1…7.
  let predictor: Int
  /// The number of bits by which samples are shifted (Al).
  let pointTransform: Int

  /// Parses an SOS segment.
  ///
  /// - Throws: `CodecError.Kind.malformed`, or `CodecError.Kind.unsupported` if components are in separate scans.
  init(parsing reader: inout ByteReader, frame: LosslessFrameHeader) throws(CodecError) {
    let count = Int(try reader.readUInt8())
    guard count == frame.identifiers.count else {
      throw reader.error(.unsupported, "components of the lossless process in separate scans are not supported")
    }
    var tables: [Int] = []
    for index in 0..<count {
      guard try reader.readUInt8() == frame.identifiers[index] else {
        throw reader.error(.malformed, "the components of the scan are not those of the frame")
      }
      tables.append(Int(try reader.readUInt8() >> 4))
    }
    self.tables = tables
    predictor = Int(try reader.readUInt8())
    try reader.skip(1)
    pointTransform = Int(try reader.readUInt8() & 15)
    guard (1...7).contains(predictor), pointTransform < frame.precision else {
      throw reader.error(.malformed, "the predictor is not 1…7, or the point transform exceeds the precision")
    }
  }
}
