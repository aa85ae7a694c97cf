// The sample table of a track: the positions, durations and sync flags of its samples (ISO/IEC 14496-12, 8.6 and 8.7).

internal import ImageCoding

/// Where a sample is, and how it is coded.
struct SampleLocation: Hashable, Sendable {
  /// The range in the file, which may exceed the input.
  var range: Range<Int>
  /// The index of its sample entry, counted from 0.
  var description: Int
}

/// The tables of a sample table box. They are read in place.
struct SampleTable: Hashable, Sendable {
  /// A table of entries of equal size.
  private struct Entries: Hashable {
    var position = 0
    var count = 0
    var byteCount = 4
  }

  /// The number of samples.
  private(set) var sampleCount = 0
  /// The byte count of all samples; 0 if they differ.
  private var commonByteCount = 0
  /// The number of bits of a size in `sizes`; fewer than 32 in a compact table (`stz2`).
  private var sizeBitCount = 32
  private var sizes = Entries()
  private var chunks = Entries()
  private var chunkRuns = Entries(byteCount: 12)
  private var durationRuns = Entries(byteCount: 8)
  private var compositionRuns = Entries(byteCount: 8)
  /// The samples with which decoding can start.
  private var entryPoints = EntryPoints()

  /// The work units for reading an entry.
  private static let workPerEntry = 10

  /// Reads a child of the box. Other boxes, and those that end early, are ignored.
  ///
  /// - Parameter bytes: the file.
  mutating func read(_ box: ISOBox, _ bytes: Span<UInt8>) {
    var reader = ByteReader(bytes.extracting(box.payload), baseOffset: box.payload.lowerBound)
    guard (try? reader.skip(4)) != nil else { return }
    switch box.type {
    case "stsz": try? readSizes(&reader)
    case "stz2": try? readCompactSizes(&reader)
    case "stco": chunks = Self.entries(&reader, byteCount: 4)
    case "co64": chunks = Self.entries(&reader, byteCount: 8)
    case "stsc": chunkRuns = Self.entries(&reader, byteCount: 12)
    case "stts": durationRuns = Self.entries(&reader, byteCount: 8)
    case "ctts": compositionRuns = Self.entries(&reader, byteCount: 8)
    default: entryPoints.read(box, bytes)
    }
  }

  private mutating func readSizes(_ reader: inout ByteReader) throws(CodecError) {
    commonByteCount = Int(clamping: try reader.readUInt32BigEndian())
    if commonByteCount > 0 {
      // One common size may apply to any number of samples, whereas a table has to be present.
      sampleCount = Int(clamping: try reader.readUInt32BigEndian())
    } else {
      sizes = Self.entries(&reader, byteCount: 4)
      sampleCount = sizes.count
    }
  }

  private mutating func readCompactSizes(_ reader: inout ByteReader) throws(CodecError) {
    try reader.skip(3)
    let bitCount = Int(try reader.readUInt8())
    let stated = Int(clamping: try reader.readUInt32BigEndian())
    guard bitCount == 4 || bitCount == 8 || bitCount == 16 else { return }
    sampleCount = min(stated, bitCount == 4 ? reader.remaining * 2 : reader.remaining / (bitCount / 8))
    (commonByteCount, sizeBitCount) = (0, bitCount)
    sizes = Entries(position: reader.byteOffset, count: sampleCount)
  }

  private static func entries(_ reader: inout ByteReader, byteCount: Int) -> Entries {
    guard let count = try? reader.readUInt32BigEndian() else { return Entries(byteCount: byteCount) }
    return Entries(
      position: reader.byteOffset, count: min(Int(clamping: count), reader.remaining / byteCount), byteCount: byteCount)
  }

  /// Returns an integer of an entry, which is in the input.
  private func integer(_ entries: Entries, _ index: Int, field: Int = 0, _ bytes: Span<UInt8>) -> Int {
    let position = entries.position + index * entries.byteCount + field
    let first = word(at: position, bytes)
    guard entries.byteCount == 8, entries == chunks else { return Int(clamping: first) }
    return Int(clamping: UInt64(first) << 32 | UInt64(word(at: position + 4, bytes)))
  }

  private func word(at position: Int, _ bytes: Span<UInt8>) -> UInt32 {
    FourCharacterCode(bytes, at: position)?.rawValue ?? 0
  }

  private func byteCount(ofSample index: Int, _ bytes: Span<UInt8>) -> Int {
    if commonByteCount > 0 { return commonByteCount }
    guard index < sizes.count else { return 0 }
    func byte(_ offset: Int) -> Int { sizes.position + offset < bytes.count ? Int(bytes[sizes.position + offset]) : 0 }
    switch sizeBitCount {
    case 4: return byte(index / 2) >> (index % 2 == 0 ? 4 : 0) & 15
    case 8: return byte(index)
    case 16: return byte(index * 2) << 8 | byte(index * 2 + 1)
    default: return integer(sizes, index, bytes)
    }
  }

  /// The number of chunks.
  var chunkCount: Int { chunks.count }

  /// Returns the first entry point that is shown at or after a time in the units of the track; the last one if all are
  /// shown earlier, and `nil` if there are no samples.
  func firstEntryPoint(
    from time: Int, _ bytes: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> Int? {
    var last: Int?
    var cursor = entryPoints.makeCursor(sampleCount: sampleCount)
    while let sample = try cursor.next(bytes, &budget) {
      if time > 0 {
        try budget.chargeWork(count: durationRuns.count + compositionRuns.count, unitsEach: Self.workPerEntry)
      }
      last = sample
      if time <= 0 || self.time(ofSample: sample, bytes) >= time { break }
    }
    return last
  }

  /// Returns the time at which a sample is shown, in the units of the track.
  private func time(ofSample sample: Int, _ bytes: Span<UInt8>) -> Int {
    var time = 0
    var rest = sample
    for run in 0..<durationRuns.count where rest > 0 {
      let count = min(rest, integer(durationRuns, run, bytes))
      time &+= count &* integer(durationRuns, run, field: 4, bytes)
      rest -= count
    }
    rest = sample
    for run in 0..<compositionRuns.count {
      let count = integer(compositionRuns, run, bytes)
      if rest < count {
        let offset = word(at: compositionRuns.position + run * 8 + 4, bytes)
        return time &+ Int(Int32(bitPattern: offset))
      }
      rest -= count
    }
    return time
  }

  /// Returns with which samples decoding can start.
  ///
  /// - Parameter limit: the number of samples after which to stop.
  func entryPointFlags(
    _ bytes: Span<UInt8>, limit: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> [Bool] {
    let count = min(sampleCount, max(0, limit))
    try budget.allocate(count: count, bytesEach: MemoryLayout<Bool>.stride)
    try budget.chargeWork(count: count, unitsEach: Self.workPerEntry)
    var flags = [Bool](repeating: false, count: count)
    var cursor = entryPoints.makeCursor(sampleCount: count)
    while let sample = try cursor.next(bytes, &budget) { flags[sample] = true }
    return flags
  }

  /// Whether samples are shown in another order than they are decoded in, or later.
  var hasCompositionOffsets: Bool { compositionRuns.count > 0 }

  /// Returns the times from decoding a sample to showing it, in time units; 0 for samples without one.
  ///
  /// - Parameter limit: the number of samples after which to stop.
  func compositionOffsets(
    _ bytes: Span<UInt8>, limit: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> [Int] {
    let total = min(sampleCount, max(0, limit))
    var offsets = try expanded(compositionRuns, bytes, limit: total, budget: &budget) { word in
      Int(Int32(bitPattern: word))
    }
    offsets += repeatElement(0, count: total - offsets.count)
    return offsets
  }

  /// Returns the values of samples from runs of equal ones, up to the end of the last run.
  ///
  /// - Parameters:
  ///   - limit: the number of samples after which to stop.
  ///   - value: returns the value of a run whose second word is passed.
  private func expanded(
    _ runs: Entries, _ bytes: Span<UInt8>, limit: Int, budget: inout ResourceBudget, value: (UInt32) -> Int
  ) throws(CodecError) -> [Int] {
    try budget.allocate(count: limit, bytesEach: MemoryLayout<Int>.stride)
    try budget.chargeWork(count: limit + runs.count, unitsEach: Self.workPerEntry)
    var values: [Int] = []
    values.reserveCapacity(limit)
    for run in 0..<runs.count where values.count < limit {
      let count = min(integer(runs, run, bytes), limit - values.count)
      values += repeatElement(value(word(at: runs.position + run * runs.byteCount + 4, bytes)), count: count)
    }
    return values
  }

  /// Returns the range of the first sample in the file, which may exceed the input; `nil` if it is not stated.
  func firstRange(_ bytes: Span<UInt8>) -> Range<Int>? {
    guard sampleCount > 0, chunks.count > 0 else { return nil }
    let start = integer(chunks, 0, bytes)
    return end(of: 0..<1, from: start, bytes).map { start..<$0 }
  }

  /// Returns the index of the sample entry of the first sample.
  func firstDescription(_ bytes: Span<UInt8>) -> Int { chunkRuns.count > 0 ? description(ofRun: 0, bytes) : 0 }

  /// Returns the index of the sample entry of a run of chunks. Some encoders state 0 instead of 1.
  private func description(ofRun run: Int, _ bytes: Span<UInt8>) -> Int {
    max(0, integer(chunkRuns, run, field: 8, bytes) - 1)
  }

  /// Calls `body` with the samples of each chunk and the location of the chunk.
  ///
  /// - Parameters:
  ///   - limit: the number of samples after which to stop.
  ///   - body: returns whether to continue.
  func forEachChunk(
    _ bytes: Span<UInt8>, limit: Int = .max, budget: inout ResourceBudget,
    _ body: (_ samples: Range<Int>, _ chunk: SampleLocation) -> Bool
  ) throws(CodecError) {
    var sample = 0
    for run in 0..<chunkRuns.count {
      let first = max(0, integer(chunkRuns, run, bytes) - 1)
      let next = run + 1 < chunkRuns.count ? integer(chunkRuns, run + 1, bytes) - 1 : chunks.count
      let count = integer(chunkRuns, run, field: 4, bytes)
      let description = description(ofRun: run, bytes)
      try budget.chargeWork(Self.workPerEntry)
      guard first < min(next, chunks.count), count > 0 else { continue }
      for chunk in first..<min(next, chunks.count) {
        guard sample < min(sampleCount, limit) else { return }
        let samples = sample..<min(sampleCount, sample.addingReportingOverflow(count).overflow ? .max : sample + count)
        try budget.chargeWork(count: commonByteCount > 0 ? 1 : samples.count, unitsEach: Self.workPerEntry)
        let start = integer(chunks, chunk, bytes)
        guard let end = end(of: samples, from: start, bytes) else { return }
        guard body(samples, SampleLocation(range: start..<end, description: description)) else { return }
        sample = samples.upperBound
      }
    }
  }

  /// Returns the end of consecutive samples; `nil` if it overflows.
  private func end(of samples: Range<Int>, from start: Int, _ bytes: Span<UInt8>) -> Int? {
    if commonByteCount > 0 {
      let (total, overflow) = samples.count.multipliedReportingOverflow(by: commonByteCount)
      let (end, endOverflow) = start.addingReportingOverflow(total)
      return overflow || endOverflow ? nil : end
    }
    var end = start
    for sample in samples {
      let (next, overflow) = end.addingReportingOverflow(byteCount(ofSample: sample, bytes))
      if overflow { return nil }
      end = next
    }
    return end
  }

  /// Returns the location of a sample; `nil` if it is not stated.
  func location(
    ofSample index: Int, _ bytes: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> SampleLocation? {
    var result: SampleLocation?
    try forEachChunk(bytes, limit: index + 1, budget: &budget) { samples, chunk in
      guard samples.contains(index) else { return true }
      if let start = end(of: samples.lowerBound..<index, from: chunk.range.lowerBound, bytes),
        let end = end(of: index..<index + 1, from: start, bytes)
      {
        result = SampleLocation(range: start..<end, description: chunk.description)
      }
      return false
    }
    return result
  }

  /// Returns the locations of the samples.
  ///
  /// - Parameter limit: the number of samples after which to stop.
  func locations(
    _ bytes: Span<UInt8>, limit: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> [SampleLocation] {
    let count = min(sampleCount, max(0, limit))
    try budget.allocate(count: count, bytesEach: MemoryLayout<SampleLocation>.stride)
    try budget.chargeWork(count: count, unitsEach: Self.workPerEntry)
    var locations: [SampleLocation] = []
    locations.reserveCapacity(count)
    try forEachChunk(bytes, limit: count, budget: &budget) { samples, chunk in
      var start = chunk.range.lowerBound
      for sample in samples.prefix(count - locations.count) {
        let end = start + byteCount(ofSample: sample, bytes)
        locations.append(SampleLocation(range: start..<end, description: chunk.description))
        start = end
      }
      return true
    }
    return locations
  }

  /// Returns the durations of the samples in time units; the last stated one applies to samples without one.
  ///
  /// - Parameter limit: the number of samples after which to stop.
  func durations(
    _ bytes: Span<UInt8>, limit: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> [Int] {
    let total = min(sampleCount, max(0, limit))
    var durations = try expanded(durationRuns, bytes, limit: total, budget: &budget) { Int(clamping: $0) }
    durations += repeatElement(durations.last ?? 0, count: total - durations.count)
    return durations
  }
}
