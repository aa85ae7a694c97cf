// The conversion of rows of samples to pixels: palettes, chroma and depths (ITU-T T.800, I.5.3).

internal import ImageCoding

/// Converts rows of samples to pixels. Each thread has one of these.
struct PixelRowConversion: Sendable {
  private let channels: [ChannelRows]
  private let conversion: Conversion
  private let width: Int
  /// The tables from samples to those of pixels; empty if they are the same.
  private let tables: [[UInt16]]
  /// The largest sample of pixels.
  private let maximum: Int
  /// The samples of a row of each channel.
  private var rows: [[UInt16]]

  /// The conversion of colours to red, green and blue.
  private enum Conversion: Sendable {
    case none
    case yCbCr
    case lab(LabConversion)
  }

  /// - Parameters:
  ///   - width: the number of pixels in a row.
  ///   - maximum: the largest sample of pixels.
  init(_ model: ChannelLayout.Model, _ channels: [ChannelRows], width: Int, maximum: Int) {
    (self.channels, self.width, self.maximum) = (channels, width, maximum)
    func maximums() -> SIMD3<Float> {
      [Float(channels[0].maximum), Float(channels[1].maximum), Float(channels[2].maximum)]
    }
    switch model {
    case .yCbCr: conversion = .yCbCr
    case .lab(let encoding): conversion = .lab(LabConversion(encoding, maximums: maximums()))
    default: conversion = .none
    }
    tables = channels.enumerated().map { index, channel in
      var own = channel.maximum
      if index < model.count {
        // Luma determines the depth of colours.
        if case .yCbCr = model { own = channels[0].maximum }
        if case .lab = model { own = maximum }
        if case .cmy = model { return (0...own).map { UInt16(((own - $0) * maximum + own / 2) / own) } }
      }
      return own == maximum ? [] : (0...own).map { UInt16(($0 * maximum + own / 2) / own) }
    }
    rows = channels.map { _ in [UInt16](repeating: 0, count: width) }
  }

  /// Creates a conversion with separate memory for rows.
  init(_ other: PixelRowConversion) {
    (channels, conversion, width) = (other.channels, other.conversion, other.width)
    (tables, maximum) = (other.tables, other.maximum)
    let count = width
    rows = channels.map { _ in [UInt16](repeating: 0, count: count) }
  }

  /// The units of work of a pixel.
  var unitsPerPixel: Int {
    if case .lab = conversion { return channels.count + 40 }
    return channels.count
  }

  /// Writes a row of pixels.
  mutating func convert(row y: Int, into pixels: inout MutableSpan<UInt8>) {
    for index in channels.indices { channels[index].load(row: y, into: &rows[index]) }
    switch conversion {
    case .none: break
    case .yCbCr: convertChroma()
    case .lab(let conversion): convert(conversion)
    }
    if channels.count == 3, maximum == 255, tables.allSatisfy({ $0.isEmpty }) { return storeColors(into: &pixels) }
    for index in channels.indices { store(index, into: &pixels) }
  }

  /// Writes samples of 8 bits that are stored as they are.
  private func storeColors(into pixels: inout MutableSpan<UInt8>) {
    let (first, second, third) = (rows[0], rows[1], rows[2])
    let red = first.span.extracting(0..<width)
    let green = second.span.extracting(0..<width)
    let blue = third.span.extracting(0..<width)
    precondition(pixels.count == 3 * width, "the row has another width")
    for x in 0..<width {
      pixels[3 &* x] = UInt8(truncatingIfNeeded: red[x])
      pixels[3 &* x &+ 1] = UInt8(truncatingIfNeeded: green[x])
      pixels[3 &* x &+ 2] = UInt8(truncatingIfNeeded: blue[x])
    }
  }

  /// Writes the samples of a channel.
  private func store(_ index: Int, into pixels: inout MutableSpan<UInt8>) {
    let (row, outputs, step) = (rows[index], tables[index], channels.count)
    let samples = row.span
    let table = outputs.span
    for x in samples.indices {
      let value = table.isEmpty ? samples[x] : table[Int(samples[x])]
      let place = x &* step &+ index
      if maximum > 255 {
        storeNativeUInt16(value, into: &pixels, at: place &* 2)
      } else {
        pixels[place] = UInt8(truncatingIfNeeded: value)
      }
    }
  }

  /// Converts luma and chroma of ITU-R BT.601 with full range to red, green and blue.
  private mutating func convertChroma() {
    let maximum = Float(channels[0].maximum)
    let (blueScale, redScale) = (maximum / Float(channels[1].maximum), maximum / Float(channels[2].maximum))
    let (blueHalf, redHalf) = (Float(channels[1].half), Float(channels[2].half))
    // Moved out, so that each row has one owner.
    var (first, second, third) = (rows[0], rows[1], rows[2])
    for index in 0..<3 { rows[index] = [] }
    for x in 0..<width {
      let y = Float(first[x])
      let cb = (Float(second[x]) - blueHalf) * blueScale
      let cr = (Float(third[x]) - redHalf) * redScale
      first[x] = Self.clamp(y + 1.402 * cr, maximum)
      second[x] = Self.clamp(y - 0.344136 * cb - 0.714136 * cr, maximum)
      third[x] = Self.clamp(y + 1.772 * cb, maximum)
    }
    (rows[0], rows[1], rows[2]) = (first, second, third)
  }

  /// Converts L*a*b* to samples of pixels.
  private mutating func convert(_ conversion: LabConversion) {
    // Moved out, so that each row has one owner.
    var (first, second, third) = (rows[0], rows[1], rows[2])
    for index in 0..<3 { rows[index] = [] }
    for x in 0..<width {
      let rgb = conversion.rgb([Float(first[x]), Float(second[x]), Float(third[x])]) * Float(maximum) + 0.5
      (first[x], second[x], third[x]) = (UInt16(rgb.x), UInt16(rgb.y), UInt16(rgb.z))
    }
    (rows[0], rows[1], rows[2]) = (first, second, third)
  }

  private static func clamp(_ value: Float, _ maximum: Float) -> UInt16 {
    UInt16(max(0, min(value, maximum)) + 0.5)
  }
}
