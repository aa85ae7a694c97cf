// Decodes of files without restart markers in chunks of rows, on one thread or several: these must not change pixels,
// diagnostics, errors or limits.

import ImageCoding
import JPEGCodec
import Synchronization
import TestSupport
import Testing

/// Counts the checks for cancellation, and cancels after some of them.
private final class Cancellation: Sendable {
  private let remaining: Atomic<Int>

  init(after count: Int) {
    remaining = Atomic(count)
  }

  var isDue: Bool { remaining.subtract(1, ordering: .relaxed).newValue < 0 }
}

@Suite struct ParallelScanTests {
  /// A picture of half a megapixel, the least that is divided into chunks, with edges, slopes and noise.
  static func picture(_ format: PixelFormat, width: Int = 1030, height: Int = 530) throws -> Bitmap {
    var noise = TestRandom(5)
    return try Bitmap(width: width, height: height, format: format) { (bytes: inout MutableSpan<UInt8>) in
      let step = format.samplesPerPixel
      for y in 0..<height {
        for x in 0..<width {
          let isNoisy = (x / 100 + y / 90) % 3 == 0
          let random = Int(noise.next() % 64)
          for sample in 0..<step {
            let value = (x * (sample + 1) / 5 + y / 3 + (x / 64 + y / 48) % 2 * 60) % 200 + (isNoisy ? random : 0)
            bytes[(y * width + x) * step + sample] = format.hasAlpha && sample == step - 1 ? 255 : UInt8(value & 255)
          }
        }
      }
    }
  }

  static func file(
    _ format: PixelFormat = .rgb8, _ subsampling: JPEGEncoder.Options.Subsampling = .yuv420, isProgressive: Bool,
    interval: JPEGEncoder.Options.RestartInterval = .none, ycck: Bool = false
  ) throws -> [UInt8] {
    let options = JPEGEncoder.Options(
      quality: 80, subsampling: subsampling, isProgressive: isProgressive, restartInterval: interval,
      convertsInksToYCCK: ycck)
    return try JPEGEncoder(options: options).encode(picture(format))
  }

  /// The outcome of a decode, as callers see it.
  enum Outcome: Equatable {
    case image(Bitmap, DecodingDetails)
    case failure(CodecError.Kind, String, Int?)

    init(_ decode: () throws(CodecError) -> DecodedImage) {
      do throws(CodecError) {
        let image = try decode()
        self = .image(image.bitmap, image.details)
      } catch {
        self = .failure(error.kind, error.reason, error.byteOffset)
      }
    }

    /// Decodes a file on some threads.
    init(_ file: [UInt8], _ options: DecodingOptions, threads: Int = 1) {
      var options = options
      options.parallelism = threads
      self.init { () throws(CodecError) in try JPEGDecoder().decode(file.span, options: options) }
    }

    /// Decodes a file in two parts. The second is one byte, so that rows, or scans, are decoded one after the other.
    init(inParts file: [UInt8], _ options: DecodingOptions) {
      self.init { () throws(CodecError) in
        let session = JPEGDecoder().makeSession(options: options)
        try session.append(file.span.extracting(0..<max(0, file.count - 1)))
        try session.append(file.span.extracting(max(0, file.count - 1)..<file.count))
        return try session.finish()
      }
    }
  }

  private func hasSameOutcome(_ file: [UInt8], _ options: DecodingOptions, threads: [Int] = [1, 2, 3]) -> Bool {
    let serial = Outcome(inParts: file, options)
    return threads.allSatisfy { Outcome(file, options, threads: $0) == serial }
  }

  @Test(arguments: JPEGEncoder.Options.Subsampling.allCases, [false, true])
  func everySamplingHasTheSamePixels(subsampling: JPEGEncoder.Options.Subsampling, isProgressive: Bool) throws {
    let file = try Self.file(.rgb8, subsampling, isProgressive: isProgressive)
    for format in [nil, .rgba8, .bgra8, .gray8, .rgba16] as [PixelFormat?] {
      #expect(hasSameOutcome(file, DecodingOptions(pixelFormat: format, tolerance: .strict), threads: [1, 2, 3, 16]))
    }
    for width in [500, 250, 100] {
      let size = PixelSize(width: width, height: width / 2)
      #expect(hasSameOutcome(file, DecodingOptions(targetSize: size)))
    }
    #expect(hasSameOutcome(file, DecodingOptions(region: PixelRegion(x: 31, y: 77, width: 500, height: 300))))
  }

  @Test(arguments: [false, true]) func inksAndIntervalsHaveTheSamePixels(isProgressive: Bool) throws {
    for ycck in [false, true] {
      let file = try Self.file(.cmyk8, isProgressive: isProgressive, ycck: ycck)
      for format in [nil, .rgba8] as [PixelFormat?] {
        #expect(hasSameOutcome(file, DecodingOptions(pixelFormat: format)))
      }
    }
    for interval in [.mcus(1), .mcus(7), .mcus(1000), .rows(1), .rows(5)] as [JPEGEncoder.Options.RestartInterval] {
      let file = try Self.file(isProgressive: isProgressive, interval: interval)
      #expect(hasSameOutcome(file, DecodingOptions(pixelFormat: .rgba8)))
    }
  }

  /// A sequential file with a scan for each component, whose chroma has half the resolution.
  private static func fileOfSeparateScans(width: Int, height: Int) throws -> [UInt8] {
    let dc = codes(try #require(HuffmanTable.standardDC(0)))
    let ac = codes(try #require(HuffmanTable.standardAC(0)))
    var noise = TestRandom(3)
    var file: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
    file += [0xFF, 0xC0, 0, 17, 8, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255), 3]
    file += [1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]
    for component in 1...3 {
      file += [0xFF, 0xDA, 0, 8, 1, UInt8(component), 0, 0, 63, 0]
      let size = component == 1 ? 8 : 16
      var writer = BitWriter()
      for _ in 0..<((width + size - 1) / size) * ((height + size - 1) / size) {
        var block = [Int](repeating: 0, count: 64)
        block[0] = Int(noise.next() % 41) - 20
        for place in 1..<Int(noise.next() % 4) + 2 { block[place] = Int(noise.next() % 64) - 32 }
        try writer.write(block, dc, ac)
      }
      file += writer.finish()
    }
    return file + [0xFF, 0xD9]
  }

  @Test func separateScansHaveTheSamePixels() throws {
    let file = try Self.fileOfSeparateScans(width: 1027, height: 521)
    #expect(hasSameOutcome(file, DecodingOptions(tolerance: .strict)))
    #expect(hasSameOutcome(file, DecodingOptions(pixelFormat: .rgba8)))
    #expect(hasSameOutcome(Array(file.dropLast(2)), DecodingOptions()))
  }

  @Test(arguments: [false, true]) func damagedFilesHaveTheSameOutcome(isProgressive: Bool) throws {
    let file = try Self.file(.rgb8, .yuv420, isProgressive: isProgressive)
    var noise = TestRandom(isProgressive ? 17 : 18)
    for round in 0..<40 {
      var damaged = file
      for _ in 0...noise.next() % 2 {
        let index = Int.random(in: 600..<file.count, using: &noise)
        switch round % 4 {
        case 0: damaged[index] ^= 1 << UInt8(noise.next() % 8)
        case 1: damaged[index] = [0xFF, 0xD9, 0, 0xDA][Int(noise.next() % 4)]
        case 2: damaged.removeSubrange(index..<min(index + Int(noise.next() % 20), damaged.count))
        default: damaged.insert(contentsOf: [0xFF, UInt8(0xC0 + noise.next() % 64)], at: index)
        }
        if damaged.count < 700 { break }
      }
      for tolerance in [.lenient, .strict] as [DecodingOptions.Tolerance] {
        #expect(hasSameOutcome(damaged, DecodingOptions(tolerance: tolerance), threads: [1, 2]), "\(round)")
      }
    }
  }

  @Test(arguments: [false, true]) func prefixesHaveTheSameOutcome(isProgressive: Bool) throws {
    let file = try Self.file(.rgb8, .yuv444, isProgressive: isProgressive)
    for length in stride(from: file.count - 3, through: 2, by: -file.count / 19) + [file.count - 1, file.count - 2] {
      for tolerance in [.lenient, .strict] as [DecodingOptions.Tolerance] {
        let options = DecodingOptions(tolerance: tolerance)
        #expect(hasSameOutcome(Array(file.prefix(length)), options, threads: [1, 2]), "\(length)")
      }
    }
    // Bytes after the image, fill bytes before a marker, and a second image.
    #expect(hasSameOutcome(file + [1, 2, 3], DecodingOptions()))
    #expect(hasSameOutcome(file.dropLast(2) + [0xFF, 0xFF, 0xFF, 0xD9], DecodingOptions(tolerance: .strict)))
    #expect(hasSameOutcome(file.dropLast(2) + [0, 0xFF, 0xD9], DecodingOptions(tolerance: .strict)))
    #expect(hasSameOutcome(file + file, DecodingOptions()))
  }

  /// Limits that just suffice, or do not, are the same on any number of threads.
  @Test(arguments: [false, true]) func limitsAreThoseOfOneThread(isProgressive: Bool) throws {
    let file = try Self.file(.rgb8, .yuv420, isProgressive: isProgressive)
    func least(_ range: Range<Int>, _ limits: (Int) -> DecodingLimits) -> Int {
      var (low, high) = (range.lowerBound, range.upperBound)
      while low < high {
        let middle = (low + high) / 2
        if case .image = Outcome(file, DecodingOptions(limits: limits(middle))) {
          high = middle
        } else {
          low = middle + 1
        }
      }
      return low
    }
    func memory(_ count: Int) -> DecodingLimits { DecodingLimits(maximumByteCount: count) }
    func work(_ count: Int) -> DecodingLimits { DecodingLimits(maximumWork: Int64(count), maximumWorkPerPixel: 0) }
    for (limits, most) in [(memory, 64 << 20), (work, 2_000_000_000)] {
      let limit = least(1..<most, limits)
      for value in [limit - 1, limit, limit + 1, limit + limit / 8, 2 * limit, 5 * limit] {
        let options = DecodingOptions(limits: limits(value))
        let outcome = Outcome(file, options)
        for threads in [2, 3] { #expect(Outcome(file, options, threads: threads) == outcome, "\(value)") }
      }
    }
  }

  @Test(arguments: [false, true]) func aDecodeCanBeCancelledAtAnyTime(isProgressive: Bool) throws {
    let file = try Self.file(.rgb8, .yuv444, isProgressive: isProgressive)
    for allowed in [0, 1, 5, 20] {
      let cancellation = Cancellation(after: allowed)
      let options = DecodingOptions(parallelism: 2, shouldCancel: { cancellation.isDue })
      let error = #expect(throws: CodecError.self) { try JPEGDecoder().decode(file.span, options: options) }
      #expect(error?.kind == .cancelled)
    }
  }

  /// The work is the same on any number of threads.
  @Test func theWorkIsThatOfOneThread() throws {
    let file = try Self.file(.rgb8, .yuv420, isProgressive: true)
    func work(_ parallelism: Int) throws -> Int64 {
      var budget = ResourceBudget(DecodingLimits.default)
      var bitmap = Bitmap()
      _ = try JPEGDecoder().decode(
        file.span, into: &bitmap, options: DecodingOptions(parallelism: parallelism), budget: &budget)
      return budget.work
    }
    #expect(try work(2) == work(1))
  }
}
