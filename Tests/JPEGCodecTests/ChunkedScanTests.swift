// Decodes of progressive files in chunks of rows, to bitmaps and to sinks: compared with decodes scan by scan, which hold
// all coefficients, and held to limits of memory that do not suffice for these.

import ImageCoding
import JPEGCodec
import TestSupport
import Testing

/// The outcome of a decode: rows of pixels without padding, or an error.
private enum RowsOutcome: Equatable {
  case rows([UInt8], DecodingDetails)
  case failure(CodecError.Kind, String, Int?)

  /// The outcome of a decode to a bitmap.
  init(_ outcome: ParallelScanTests.Outcome) {
    self =
      switch outcome {
      case .image(let bitmap, let details): .rows(bitmap.packedPixels, details)
      case .failure(let kind, let reason, let offset): .failure(kind, reason, offset)
      }
  }

  /// Decodes a file to a sink.
  init(_ file: [UInt8], _ options: DecodingOptions, threads: Int = 1) {
    var options = options
    options.parallelism = threads
    let sink = CollectingSink()
    do throws(CodecError) {
      var budget = ResourceBudget(options)
      let details = try JPEGDecoder().decode(file.span, to: sink, options: options, budget: &budget)
      self = .rows(sink.bytes, details)
    } catch {
      self = .failure(error.kind, error.reason, error.byteOffset)
    }
  }

  /// Decodes a file that arrives in parts to a sink.
  init(_ file: [UInt8], partSize: Int, _ options: DecodingOptions) {
    let sink = CollectingSink()
    do throws(CodecError) {
      let core = JPEGDecoder().makeCore(.pixels, options)
      let session = DecodingSession(core, to: sink, options: options, budget: ResourceBudget(options))
      for start in stride(from: 0, to: file.count, by: partSize) {
        try session.append(file.span.extracting(start..<min(start + partSize, file.count)))
      }
      let details = try session.finish().details
      self = .rows(sink.bytes, details)
    } catch {
      self = .failure(error.kind, error.reason, error.byteOffset)
    }
  }

  var isImage: Bool {
    if case .rows = self { true } else { false }
  }

  var foundDamage: Bool {
    if case .rows(_, let details) = self { details.diagnostics.contains { $0.severity == .damage } } else { true }
  }
}

/// Throws after some rows.
private final class FailingSink: ImageRowSink {
  private var remaining: Int

  init(after count: Int) {
    remaining = count
  }

  func begin(_ image: StreamedImage, budget: inout ResourceBudget) throws(CodecError) {}

  func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    remaining -= 1
    if remaining < 0 { throw CodecError(.encodingFailed, "the sink is full") }
  }
}

@Suite struct ChunkedScanTests {
  private typealias Outcome = ParallelScanTests.Outcome

  private static func file(
    _ subsampling: JPEGEncoder.Options.Subsampling = .yuv420,
    interval: JPEGEncoder.Options.RestartInterval = .none
  ) throws -> [UInt8] {
    try ParallelScanTests.file(.rgb8, subsampling, isProgressive: true, interval: interval)
  }

  /// The positions of a marker's second byte.
  private static func positions(_ file: [UInt8], where matches: (UInt8) -> Bool) -> [Int] {
    file.indices.dropFirst().filter { file[$0 - 1] == 0xFF && matches(file[$0]) }
  }

  /// The start of each scan's entropy-coded data, and the marker that ends it.
  private static func scans(_ file: [UInt8]) -> [Range<Int>] {
    positions(file) { $0 == 0xDA }.map { marker in
      let start = marker + 1 + Int(file[marker + 1]) << 8 + Int(file[marker + 2])
      let end = file.indices.dropFirst(start + 1).first {
        file[$0 - 1] == 0xFF && file[$0] >= 0xC0 && file[$0] & 0xF8 != 0xD0
      }
      return start..<(end ?? file.count) - 1
    }
  }

  /// The bytes of all coefficients of the picture at 4:2:0, of which an MCU has six blocks.
  private static let coefficientByteCount = ((1030 + 15) / 16) * ((530 + 15) / 16) * 6 * 64 * 2

  /// Returns the decodes whose outcome is not that of a decode scan by scan: bitmaps and rows on some threads.
  private func differences(_ file: [UInt8], _ options: DecodingOptions) -> [String] {
    let serial = Outcome(inParts: file, options)
    let rows = RowsOutcome(serial)
    var differences: [String] = []
    for threads in [1, 3] {
      if Outcome(file, options, threads: threads) != serial { differences.append("bitmap on \(threads)") }
      if RowsOutcome(file, options, threads: threads) != rows { differences.append("rows on \(threads)") }
    }
    if RowsOutcome(file, partSize: 5000, options) != rows { differences.append("rows of parts") }
    return differences
  }

  /// Expects that the outcome of all decodes is the same.
  private func compare(
    _ file: [UInt8], _ options: [DecodingOptions] = [DecodingOptions(), DecodingOptions(tolerance: .strict)],
    comment: Comment? = nil, at location: SourceLocation = #_sourceLocation
  ) {
    for options in options {
      let differences = differences(file, options)
      #expect(differences == [], comment, sourceLocation: location)
    }
  }

  /// Expects that two outcomes are the same, and prints neither.
  private func expectEqual<Value: Equatable>(
    _ value: Value, _ expected: Value, at location: SourceLocation = #_sourceLocation
  ) {
    let isEqual = value == expected
    #expect(isEqual, sourceLocation: location)
  }

  // MARK: Pixels

  @Test(arguments: JPEGEncoder.Options.Subsampling.allCases) func rowsAreThoseOfABitmap(
    subsampling: JPEGEncoder.Options.Subsampling
  ) throws {
    let file = try Self.file(subsampling)
    compare(file)
    compare(file, [DecodingOptions(pixelFormat: .rgba8)])
    for width in [515, 258, 129] {
      compare(file, [DecodingOptions(targetSize: PixelSize(width: width, height: width / 2))], comment: "\(width)")
    }
  }

  @Test func inksAndIntervalsHaveTheSameRows() throws {
    compare(try ParallelScanTests.file(.cmyk8, isProgressive: true, ycck: true))
    compare(try ParallelScanTests.file(.gray8, isProgressive: true))
    for interval in [.mcus(1), .mcus(7), .rows(1)] as [JPEGEncoder.Options.RestartInterval] {
      compare(try Self.file(interval: interval))
    }
  }

  /// Buffers that have served another picture leave nothing behind.
  @Test func aBufferPoolChangesNothing() throws {
    let pool = BufferPool()
    let plain = try [Self.file(), Self.file(.yuv444)]
    for file in plain + plain {
      var options = DecodingOptions()
      let expected = (Outcome(file, options), RowsOutcome(file, options))
      options.bufferPool = pool
      for threads in [1, 2] {
        expectEqual(Outcome(file, options, threads: threads), expected.0)
        expectEqual(RowsOutcome(file, options, threads: threads), expected.1)
      }
    }
    #expect(pool.byteCount > 0)
  }

  // MARK: Damage

  @Test func truncatedFilesHaveTheSameRows() throws {
    let file = try Self.file()
    let lengths = Array(stride(from: 700, to: file.count, by: file.count / 23)) + [file.count - 2, file.count - 1]
    for length in lengths { compare(Array(file.prefix(length)), comment: "\(length)") }
  }

  @Test(arguments: [false, true]) func flippedBitsHaveTheSameRows(hasIntervals: Bool) throws {
    let file = try Self.file(interval: hasIntervals ? .mcus(50) : .none)
    var noise = TestRandom(hasIntervals ? 41 : 42)
    var damagedCount = 0
    for round in 0..<25 {
      var damaged = file
      for _ in 0...noise.next() % 3 {
        damaged[Int.random(in: 650..<file.count, using: &noise)] ^= 1 << UInt8(noise.next() % 8)
      }
      compare(damaged, comment: "\(round)")
      if RowsOutcome(damaged, DecodingOptions()).foundDamage { damagedCount += 1 }
    }
    #expect(damagedCount > 5)
  }

  /// A scan that ends early leaves bytes over, in which there may be markers.
  @Test func scansThatEndEarlyHaveTheSameRows() throws {
    let file = try Self.file()
    let scans = Self.scans(file)
    #expect(scans.count == 10)
    let insertions: [[UInt8]] = [
      [0xFF, 0xD3], [0xFF, 0x01], [0xFF, 0xD3, 0xFF, 0x01, 0xFF, 0xFF, 0xD7], [0xFF, 0xFF, 0xFF], [0xFF, 0xD9],
      [0xFF, 0xD8], [0xFF, 0xFE, 0, 4, 1, 2], [0xFF, 0xFE, 0, 1], [0xFF, 0xDD, 0, 4, 0, 9],
    ]
    for (number, scan) in scans.enumerated() {
      let places = [scan.lowerBound, scan.lowerBound + scan.count / 3, scan.upperBound]
      for (index, insertion) in insertions.enumerated() where (number + index) % 3 == 0 {
        var damaged = file
        let place = places[(number + index / 3) % 3]
        damaged.insert(contentsOf: insertion, at: place)
        compare(damaged, comment: "\(insertion) in scan \(number) at \(place)")
      }
    }
  }

  /// A reserved marker in the data has a length, beyond which decoding scan by scan reads on: it may miss scans.
  @Test func reservedMarkersThatHideScansHaveTheSameRows() throws {
    let file = try Self.file()
    let scans = Self.scans(file)
    for (number, scan) in scans.dropLast().enumerated() {
      let place = scan.lowerBound + scan.count / 2
      for end in [place + 40, scan.upperBound, scans[number + 1].lowerBound, scans[number + 1].lowerBound + 9] {
        guard end - place < 65_536 else { continue }
        var damaged = file
        let code = ([0x02, 0x4F, 0xBF] as [UInt8])[number % 3]
        let length = end - place - 2
        damaged.replaceSubrange(place..<place + 4, with: [0xFF, code, UInt8(length >> 8), UInt8(length & 255)])
        compare(damaged, comment: "\(code) in scan \(number)")
      }
    }
  }

  @Test func wrongRestartMarkersHaveTheSameRows() throws {
    let file = try Self.file(interval: .mcus(97))
    let markers = Self.positions(file) { $0 & 0xF8 == 0xD0 }
    #expect(markers.count > 100)
    var noise = TestRandom(77)
    for round in 0..<21 {
      var damaged = file
      let marker = try #require(markers.randomElement(using: &noise))
      let changes: [[UInt8]] = [
        [], [0xFF], [0xFF, 0xD0], [0xFF, 0xD5], [0xFF, 0xD9], [0, 0xFF, 0xD1], [0xFF, 0x01],
      ]
      damaged.replaceSubrange(marker - 1..<marker + 1, with: changes[round % changes.count])
      compare(damaged, comment: "\(round)")
    }
  }

  @Test func scansThatAreMissingRepeatedOrSwappedHaveTheSameRows() throws {
    let file = try Self.file()
    let scans = Self.scans(file)
    let end = Array(file.suffix(2))
    // Each with the tables that precede it.
    let bodies = scans.indices.dropFirst().map { Array(file[scans[$0 - 1].upperBound..<scans[$0].upperBound]) }
    let head = Array(file[..<scans[0].upperBound])
    for index in bodies.indices {
      var (missing, repeated, swapped) = (bodies, bodies, bodies)
      missing.remove(at: index)
      repeated.append(bodies[index])
      swapped.swapAt(index, (index + 1) % bodies.count)
      for changed in [missing, repeated, swapped] { compare(head + changed.joined() + end, comment: "\(index)") }
    }
    compare(file + file)
    compare(file + [1, 2, 3])
  }

  // MARK: Memory

  /// Limits of memory for bitmaps and rows that the coefficients exceed.
  private static func options(
    forBitmap: Bool, _ tolerance: DecodingOptions.Tolerance = .lenient, share: Double = 0.5
  ) -> DecodingOptions {
    let byteCount = Int(share * Double(coefficientByteCount)) + (forBitmap ? 1030 * 530 * 3 : 0)
    return DecodingOptions(tolerance: tolerance, limits: DecodingLimits(maximumByteCount: byteCount))
  }

  @Test(arguments: [DecodingOptions.Tolerance.lenient, .strict]) func chunksNeedLessMemoryThanAllCoefficients(
    tolerance: DecodingOptions.Tolerance
  ) throws {
    let file = try Self.file()
    let plain = Outcome(inParts: file, DecodingOptions())
    for threads in [1, 2, 3] {
      let bitmap = Outcome(file, Self.options(forBitmap: true, tolerance), threads: threads)
      expectEqual(bitmap, plain)
      let rows = RowsOutcome(file, Self.options(forBitmap: false, tolerance), threads: threads)
      expectEqual(rows, RowsOutcome(plain))
    }
    // A row of MCUs and two of samples, in place of 34 rows.
    expectEqual(Outcome(file, Self.options(forBitmap: true, tolerance, share: 0.2), threads: 3), plain)
    expectEqual(
      RowsOutcome(file, Self.options(forBitmap: false, tolerance, share: 0.2), threads: 3), RowsOutcome(plain))
  }

  @Test func damagedDataNeedsNoMoreMemory() throws {
    var damaged = try Self.file(interval: .mcus(97))
    let scans = Self.scans(damaged)
    for scan in [scans[0], scans[4], scans[9]] {
      damaged.replaceSubrange(
        scan.lowerBound + scan.count / 2..<scan.lowerBound + scan.count / 2 + 2, with: [0xFF, 0xD2])
    }
    for tolerance in [DecodingOptions.Tolerance.lenient, .strict] {
      let plain = Outcome(inParts: damaged, DecodingOptions(tolerance: tolerance))
      let (foundDamage, isImage) = (RowsOutcome(plain).foundDamage, RowsOutcome(plain).isImage)
      #expect(foundDamage && isImage == (tolerance == .lenient))
      for threads in [1, 3] {
        expectEqual(Outcome(damaged, Self.options(forBitmap: true, tolerance), threads: threads), plain)
        expectEqual(
          RowsOutcome(damaged, Self.options(forBitmap: false, tolerance), threads: threads), RowsOutcome(plain))
      }
    }
  }

  /// A truncated file is decoded scan by scan, which needs all coefficients.
  @Test func filesDecodedScanByScanNeedTheMemoryOfAllCoefficients() throws {
    let cut = Array(try Self.file().dropLast(3000))
    for isBitmap in [false, true] {
      let (refused, allowed) = (
        Self.options(forBitmap: isBitmap, share: 0.9), Self.options(forBitmap: isBitmap, share: 1.3)
      )
      let error = #expect(throws: CodecError.self) {
        if isBitmap {
          _ = try JPEGDecoder().decode(cut.span, options: refused)
        } else {
          var budget = ResourceBudget(refused)
          _ = try JPEGDecoder().decode(cut.span, to: CollectingSink(), options: refused, budget: &budget)
        }
      }
      #expect(error?.kind == .limitExceeded && error?.limit == .memory)
      let expected = RowsOutcome(Outcome(inParts: cut, DecodingOptions()))
      expectEqual(isBitmap ? RowsOutcome(Outcome(cut, allowed)) : RowsOutcome(cut, allowed), expected)
    }
  }

  /// The memory of chunks is credited at the end.
  @Test func theBudgetHoldsTheResultOnly() throws {
    let file = try Self.file()
    for threads in [1, 3] {
      let options = DecodingOptions(parallelism: threads)
      var budget = ResourceBudget(options)
      let sink = CollectingSink(heldByteCount: 1000)
      _ = try JPEGDecoder().decode(file.span, to: sink, options: options, budget: &budget)
      #expect(budget.heldByteCount == 1000)
      #expect(budget.peakByteCount < Self.coefficientByteCount)
    }
  }

  // MARK: Parts

  /// The bytes of a file that arrives in parts are held until its end, and take less memory than the coefficients.
  @Test func aFileInPartsNeedsLessMemoryThanAllCoefficients() throws {
    let file = try Self.file()
    let limit = 2 * file.count + Self.coefficientByteCount / 4
    #expect(limit < Self.coefficientByteCount)
    let options = DecodingOptions(limits: DecodingLimits(maximumByteCount: limit))
    expectEqual(RowsOutcome(file, partSize: 999, options), RowsOutcome(file, DecodingOptions()))
  }

  /// The image ends with its EOI marker, whatever follows.
  @Test func anImageInPartsEndsBeforeItsFile() throws {
    let file = try Self.file(interval: .mcus(97))
    let options = DecodingOptions()
    let sink = CollectingSink()
    let core = JPEGDecoder().makeCore(.pixels, options)
    let session = DecodingSession(core, to: sink, options: options, budget: ResourceBudget(options))
    for (index, byte) in file.enumerated() {
      let progress = try session.append([byte].span)
      #expect(progress.isComplete == (index == file.count - 1))
    }
    let details = try session.append([1, 2, 3].span).isComplete ? session.finish().details : nil
    expectEqual(details.map { RowsOutcome.rows(sink.bytes, $0) }, RowsOutcome(file, options))
  }

  /// Scans are decoded as they arrive if the bytes of the file would take more memory than the coefficients.
  @Test func longFilesInPartsHaveTheSameRows() throws {
    var file = try Self.file()
    let comment: [UInt8] = [0xFF, 0xFE, 0xFF, 0xFF] + [UInt8](repeating: 7, count: 65_533)
    let place = Self.scans(file)[1].upperBound
    for _ in 0..<20 { file.insert(contentsOf: comment, at: place) }
    let options = DecodingOptions(limits: DecodingLimits(maximumByteCount: 2 * Self.coefficientByteCount))
    let expected = RowsOutcome(file, DecodingOptions())
    let isImage = expected.isImage
    #expect(isImage)
    for size in [1000, 20_000, 200_000] { expectEqual(RowsOutcome(file, partSize: size, options), expected) }
  }

  // MARK: Work and errors

  @Test func theWorkOfASinkIsThatOfOneThread() throws {
    let file = try Self.file()
    func work(_ parallelism: Int) throws -> Int64 {
      let options = DecodingOptions(parallelism: parallelism)
      var budget = ResourceBudget(options)
      _ = try JPEGDecoder().decode(file.span, to: CollectingSink(), options: options, budget: &budget)
      return budget.work
    }
    #expect(try work(3) == work(1))
  }

  @Test(arguments: [0, 1, 40, 529]) func anErrorOfTheSinkEndsTheDecode(rowCount: Int) throws {
    let file = try Self.file()
    for threads in [1, 2] {
      let options = DecodingOptions(parallelism: threads)
      var budget = ResourceBudget(options)
      let error = #expect(throws: CodecError.self) {
        try JPEGDecoder().decode(file.span, to: FailingSink(after: rowCount), options: options, budget: &budget)
      }
      #expect(error?.kind == .encodingFailed)
      #expect(budget.heldByteCount == 0)
    }
  }
}
