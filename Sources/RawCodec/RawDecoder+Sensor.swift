// The stored frame of a sensor, for programs that develop it themselves.

public import ImageCoding

/// The samples of a sensor, after decompression and linearisation and before black levels.
public struct SensorFrame: Hashable, Sendable {
  /// The size of the stored frame, which may be larger than the picture.
  public let size: PixelSize
  /// The number of samples of a pixel: 1 for a mosaic, 3 for a linear picture.
  public let samplesPerPixel: Int
  /// The samples, row by row, those of a pixel one after the other.
  public let samples: [UInt16]

  /// Returns the samples as little-endian bytes.
  public func rawSamples() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 * samples.count)
    for sample in samples {
      bytes.append(UInt8(truncatingIfNeeded: sample))
      bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
    }
    return bytes
  }
}

extension RawDecoder {
  /// Decodes the stored frame of a DNG.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - options: only the limits, the tolerance and the number of threads apply; the frame is decoded as a whole and as
  ///     stored.
  /// - Throws: `CodecError.Kind.unsupported`, which names the coding, for sensor data that are not decoded.
  public func sensorFrame(
    _ bytes: Span<UInt8>, options: DecodingOptions = DecodingOptions()
  ) throws(CodecError) -> SensorFrame {
    var context = DecodingContext(options, format: RawFormat.dng.type)
    let file = try RawFile(bytes, jpegDecoder: jpegDecoder, budget: &context.budget)
    context.identify(as: file.format.type)
    guard
      case .sensor(let layout, _, _) = try file.source(bytes, requiresSensor: true, budget: &context.budget)
    else { throw CodecError(.unsupported, "the file has no sensor data", format: file.format.type) }
    let rowCount = layout.size.width * layout.samplesPerPixel
    try context.budget.allocatePixels(
      width: layout.size.width, height: layout.size.height, bytesPerPixel: 2 * layout.samplesPerPixel)
    context.budget.allowWork(forPixelCount: layout.size.width * layout.size.height)
    var rows = try SensorRowReader(layout, self, opcodes: OpcodeList(), budget: &context.budget)
    var samples = [UInt16](repeating: 0, count: rowCount * layout.size.height)
    for y in 0..<layout.size.height {
      var span = samples.mutableSpan
      var row = span._mutatingExtracting(y * rowCount..<(y + 1) * rowCount)
      try rows.readRow(bytes, into: &row, &context)
    }
    return SensorFrame(size: layout.size, samplesPerPixel: layout.samplesPerPixel, samples: samples)
  }
}
