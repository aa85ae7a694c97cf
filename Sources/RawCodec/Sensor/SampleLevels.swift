// The values of black and white (DNG 1.7, BlackLevel to WhiteLevel).

internal import ImageCoding

/// Maps linearised samples to 0…1.
struct SampleLevels: Hashable {
  /// The number of rows and columns after which black levels repeat, from the top left corner of the active area.
  private let repeatRows: Int
  private let repeatColumns: Int
  private let samplesPerPixel: Int
  /// The black levels, row by row, pixel by pixel.
  private let black: [Float]
  /// The additional levels of columns and of rows; empty if there are none.
  private let columnDeltas: [Float]
  private let rowDeltas: [Float]
  /// The factor of each sample of a pixel.
  private let scales: [Float]

  /// Reads the levels of an image.
  ///
  /// - Throws: `CodecError.Kind.malformed` if white is not above black.
  init(
    _ fields: borrowing RawFields, samplesPerPixel: Int, bits: Int, activeSize: PixelSize,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    let dimensions = fields.integers(.blackLevelRepeatDim, maximumCount: 2)
    (repeatRows, repeatColumns) = dimensions.count == 2 ? (dimensions[0], dimensions[1]) : (1, 1)
    guard (1...64).contains(repeatRows), (1...64).contains(repeatColumns) else {
      throw CodecError(.unsupported, "black levels do not repeat after 1…64 pixels", format: RawFormat.dng.type)
    }
    self.samplesPerPixel = samplesPerPixel
    let count = repeatRows * repeatColumns * samplesPerPixel
    try budget.chargeWork(count: count, unitsEach: 50)
    let stated = fields.numbers(.blackLevel, count: count)
    // Some writers state one level for all.
    let common = Float(fields.number(.blackLevel) ?? 0)
    let black = stated.map { $0.map { Float($0) } } ?? [Float](repeating: common, count: count)
    columnDeltas = try Self.deltas(.blackLevelDeltaH, fields, count: activeSize.width, budget: &budget)
    rowDeltas = try Self.deltas(.blackLevelDeltaV, fields, count: activeSize.height, budget: &budget)
    var scales: [Float] = []
    let defaultWhite = Double((1 << bits) - 1)
    for sample in 0..<samplesPerPixel {
      let white = Float(fields.number(.whiteLevel, at: sample) ?? fields.number(.whiteLevel) ?? defaultWhite)
      let highest = stride(from: sample, to: count, by: samplesPerPixel).map { black[$0] }.max() ?? 0
      let range = white - highest - (columnDeltas.max() ?? 0) - (rowDeltas.max() ?? 0)
      guard range > 0 else {
        throw CodecError(.malformed, "the white level is not above the black level", format: RawFormat.dng.type)
      }
      scales.append(1 / range)
    }
    self.black = black
    self.scales = scales
  }

  private static func deltas(
    _ tag: RawTag, _ fields: borrowing RawFields, count: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> [Float] {
    guard fields.count(tag) == count else { return [] }
    try budget.chargeWork(count: count, unitsEach: 50)
    try budget.allocate(count: count, bytesEach: 12)
    return (fields.numbers(tag, count: count) ?? []).map { Float($0) }
  }

  /// Returns the black level of each sample of a row of the active area.
  func blackRow(_ y: Int, width: Int) -> [Float] {
    let first = y % repeatRows * repeatColumns * samplesPerPixel
    let period = repeatColumns * samplesPerPixel
    let rowDelta = rowDeltas.isEmpty ? 0 : rowDeltas[y]
    return (0..<width * samplesPerPixel).map { index in
      let columnDelta = columnDeltas.isEmpty ? 0 : columnDeltas[index / samplesPerPixel]
      return black[first + index % period] + rowDelta + columnDelta
    }
  }

  /// The number of rows after which ``blackRow(_:width:)`` repeats; `nil` if every row is different.
  var period: Int? { rowDeltas.isEmpty ? repeatRows : nil }

  /// Maps a row of samples to 0…1.
  func apply(_ samples: Span<UInt16>, black: Span<Float>, into values: inout MutableSpan<Float>) {
    if samplesPerPixel == 1 {
      let scale = scales[0]
      for index in 0..<samples.count {
        values[index] = ((Float(samples[index]) - black[index]) * scale).limited(to: 1)
      }
    } else {
      var sample = 0
      for index in 0..<samples.count {
        values[index] = ((Float(samples[index]) - black[index]) * scales[sample]).limited(to: 1)
        sample = sample + 1 == samplesPerPixel ? 0 : sample + 1
      }
    }
  }
}
