// Files of a limited size, and files made by several threads: both are equal to files made plainly.

import ImageCoding
import JPEGCodec
import TestSupport
import Testing

@Suite struct EncoderSearchTests {
  private func picture(width: Int, height: Int, format: PixelFormat = .rgb8) throws -> Bitmap {
    var noise = TestRandom(UInt64(width))
    let pixels = (0..<width * height * format.bytesPerPixel).map { index -> UInt8 in
      UInt8(truncatingIfNeeded: UInt64(index / 7 % 160) + noise.next() % 60)
    }
    return try Bitmap(width: width, height: height, format: format, pixels: pixels)
  }

  @Test(arguments: [false, true], [false, true])
  func theHighestQualityThatFitsIsTaken(isProgressive: Bool, optimizes: Bool) throws {
    let bitmap = try picture(width: 83, height: 61)
    var options = JPEGEncoder.Options(
      quality: 90, isProgressive: isProgressive, optimizesHuffmanTables: optimizes, restartInterval: .rows(2))
    func file(_ quality: Int) throws -> [UInt8] {
      var plain = options
      plain.quality = quality
      plain.maximumByteCount = nil
      return try JPEGEncoder(options: plain).encode(bitmap)
    }
    let files = try (1...90).map(file)
    for limit in [files[0].count, files[4].count + 1, files[39].count - 1, files[70].count, files[89].count, 1 << 30] {
      options.maximumByteCount = limit
      var budget = ResourceBudget(.unlimited)
      var rows = try JPEGRowEncoder(
        width: bitmap.width, height: bitmap.height, format: bitmap.format, options: options, budget: &budget)
      for y in 0..<bitmap.height { try rows.append(bitmap.row(y), budget: &budget) }
      let fitted = try rows.finish(budget: &budget)
      #expect(fitted.count <= limit)
      #expect(fitted == files[rows.quality - 1])
      #expect(rows.quality == 90 || files[rows.quality].count > limit)
      let whole = try JPEGEncoder(options: options).encode(bitmap)
      #expect(whole == fitted)
    }
    options.maximumByteCount = files[0].count - 1
    #expect(throws: CodecError.self) { try JPEGEncoder(options: options).encode(bitmap) }
    options.maximumByteCount = 0
    #expect(throws: CodecError.self) { try JPEGEncoder(options: options).encode(bitmap) }
  }

  @Test(arguments: JPEGEncoder.Options.Subsampling.allCases)
  func threadsDoNotChangeTheFile(_ subsampling: JPEGEncoder.Options.Subsampling) throws {
    for (width, height, format) in [
      (40, 400, PixelFormat.rgb8), (33, 611, .rgba8), (17, 300, .gray8), (70, 270, .cmyk8),
    ] {
      let bitmap = try picture(width: width, height: height, format: format)
      for interval in [JPEGEncoder.Options.RestartInterval.rows(1), .rows(3), .mcus(5), .mcus(7), .rows(900), .none] {
        var options = JPEGEncoder.Options(subsampling: subsampling, restartInterval: interval)
        let serial = try JPEGEncoder(options: options).encode(bitmap)
        for parallelism in [2, 3, 64] {
          options.parallelism = parallelism
          let parallel = try JPEGEncoder(options: options).encode(bitmap)
          #expect(parallel == serial, "\(width) × \(height), \(interval), \(parallelism) threads")
        }
      }
    }
  }

  @Test func threadsAreCancelled() throws {
    let bitmap = try picture(width: 600, height: 600)
    let options = JPEGEncoder.Options(restartInterval: .rows(1), parallelism: 2)
    var budget = ResourceBudget(.unlimited, shouldCancel: { true })
    var error: CodecError?
    do { _ = try JPEGEncoder(options: options).encode(bitmap, budget: &budget) } catch let thrown { error = thrown }
    #expect(error?.kind == .cancelled)
  }
}
