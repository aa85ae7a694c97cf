// How cost grows: time and memory with the size of a picture, throughput with the number of decodes at once.

import Dispatch
import Foundation
import GIFCodec
import ImageCoding
import JPEGCodec
import PNGCodec
import Synchronization
import TIFFCodec
import WebPCodec

/// Measures decoding of generated photos of growing size, and of several at once.
struct ScalingRun {
  /// The number of measured rounds; the median counts.
  var rounds: Int
  /// The short names of the formats; all if empty.
  var formats: [String]

  /// 0.26, 1, 4 and 16 megapixels.
  private static let factors = [1, 2, 4, 8]

  /// Memory into which one decode after the other goes: the system's clearing of new pages is not measured.
  private final class ReusedBitmap: Sendable {
    let value = Mutex(Bitmap())
  }

  /// Prints the tables and returns their rows. Fails at the end if a picture needs more than 1.5 times as long per pixel as
  /// one of a megapixel.
  func run() throws -> [BenchReport.ScalingRow] {
    var rows: [BenchReport.ScalingRow] = []
    var growing: [String] = []
    ResultTable.show("| format | megapixels | at once | ms each | ms/Mpx | pictures/s | MB charged |")
    ResultTable.show("| ------ | ---------: | ------: | ------: | -----: | ---------: | ---------: |")
    for (name, encode) in encoders where formats.isEmpty || formats.contains(name) {
      guard let decoder = Codecs.decoder(name) else { continue }
      var files: [[UInt8]] = []
      for factor in Self.factors {
        var scene = Scene(width: 640 * factor, height: 400 * factor)
        files.append(try encode(try scene.photo(format: .rgb8)))
      }
      for (factor, file) in zip(Self.factors, files) {
        rows.append(try measure(name, decoder, file, megapixels: 0.256 * Double(factor * factor), atOnce: 1))
      }
      for count in 2...max(2, ProcessInfo.processInfo.activeProcessorCount) {
        rows.append(try measure(name, decoder, files[1], megapixels: 1.024, atOnce: count))
      }
      if !isFlat(rows.filter { $0.format == name && $0.concurrentDecodes == 1 }) { growing.append(name) }
    }
    guard growing.isEmpty else {
      let names = growing.joined(separator: ", ")
      throw BenchError(description: "\(names): the cost per pixel grows with the size of the picture")
    }
    return rows
  }

  private let encoders: [(name: String, encode: (Bitmap) throws -> [UInt8])] = [
    ("gif", { try GIFEncoder().encode($0) }),
    ("jpg", { try JPEGEncoder(options: .init(quality: 85)).encode($0) }),
    ("png", { try PNGEncoder(options: .init(level: .fastest)).encode($0) }),
    ("tiff", { try TIFFEncoder(options: .init(compression: .lzw)).encode($0) }),
    ("webp", { try WebPEncoder().encode($0) }),
  ]

  private func measure(
    _ name: String, _ decoder: any ImageFormatDecoder, _ file: [UInt8], megapixels: Double, atOnce count: Int
  ) throws -> BenchReport.ScalingRow {
    let failure = Mutex<(any Error)?>(nil)
    let peak = Mutex(0)
    let bitmaps = (0..<count).map { _ in ReusedBitmap() }
    var samples: [Double] = []
    for _ in 0...rounds {
      let start = ContinuousClock.now
      DispatchQueue.concurrentPerform(iterations: count) { index in
        do {
          var budget = ResourceBudget(DecodingLimits.default)
          try bitmaps[index].value.withLock { bitmap in
            _ = try decoder.decode(file.span, into: &bitmap, options: DecodingOptions(), budget: &budget)
          }
          let charged = budget.peakByteCount
          peak.withLock { $0 = max($0, charged) }
        } catch {
          failure.withLock { $0 = error }
        }
      }
      samples.append((ContinuousClock.now - start) / .milliseconds(1) / Double(count))
    }
    if let error = failure.withLock({ $0 }) { throw error }
    let row = BenchReport.ScalingRow(
      format: name, megapixels: megapixels, concurrentDecodes: count, milliseconds: Array(samples.dropFirst()).median,
      megabytes: Double(peak.withLock { $0 }) / 1e6)
    let cells = [
      name, ResultTable.decimal(megapixels, digits: 2), "\(count)", ResultTable.decimal(row.milliseconds, digits: 2),
      ResultTable.decimal(row.milliseconds / megapixels, digits: 2),
      ResultTable.decimal(1000 / row.milliseconds, digits: 1), ResultTable.decimal(row.megabytes, digits: 1),
    ]
    ResultTable.show("| " + cells.joined(separator: " | ") + " |")
    return row
  }

  /// Whether the cost per pixel stays flat.
  private func isFlat(_ rows: [BenchReport.ScalingRow]) -> Bool {
    guard rows.count > 1 else { return true }
    let perMegapixel = rows.map { $0.milliseconds / $0.megapixels }
    return perMegapixel.dropFirst().allSatisfy { $0 <= 1.5 * perMegapixel[1] }
  }
}
