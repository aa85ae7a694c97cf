// The sample table of a track: the positions, durations and sync flags of its samples (ISO/IEC 14496-12, 8.6 and 8.7).

internal import ImageCoding

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
  private var sizes = Entries()
  private var chunks = Entries()
  private var chunkRuns = Entries(byteCount: 12)
  private var durationRuns = Entries(byteCount: 8)
  private var compositionRuns = Entries(byteCount: 8)
  /// `nil` if all samples are sync samples.
  private var syncSamples: Entries?

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
    case "stco": chunks = Self.entries(&reader, byteCount: 4)
    case "co64": chunks = Self.entries(&reader, byteCount: 8)
    case "stsc": chunkRuns = Self.entries(&reader, byteCount: 12)
    case "stts": durationRuns = Self.entries(&reader, byteCount: 8)
    case "ctts": compositionRuns = Self.entries(&reader, byteCount: 8)
    case "stss": syncSamples = Self.entries(&reader, byteCount: 4)
    default: break
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
    commonByteCount > 0 ? commonByteCount : index < sizes.count ? integer(sizes, index, bytes) : 0
  }

  /// The number of chunks.
  var chunkCount: Int { chunks.count }

  /// Returns the first sync sample that is shown at or after a time in the units of the track; the last one if all are
  /// shown earlier, and `nil` if there is none.
  func firstSyncSample(
    from time: Int, _ bytes: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> Int? {
    var last: Int?
    let count = syncSamples?.count ?? sampleCount
    for place in 0..<count {
      try budget.chargeWork(
        count: 1 + (time > 0 ? durationRuns.count + compositionRuns.count : 0), unitsEach: Self.workPerEntry)
      let sample = syncSamples.map { integer($0, place, bytes) - 1 } ?? place
      guard sample >= 0, sample < sampleCount else { continue }
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

  /// Returns which samples are sync samples.
  ///
  /// - Parameter limit: the number of samples after which to stop.
  func syncFlags(
    _ bytes: Span<UInt8>, limit: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> [Bool] {
    let count = min(sampleCount, max(0, limit))
    try budget.allocate(count: count, bytesEach: MemoryLayout<Bool>.stride)
    try budget.chargeWork(count: count + (syncSamples?.count ?? 0), unitsEach: Self.workPerEntry)
    var flags = [Bool](repeating: syncSamples == nil, count: count)
    guard let syncSamples else { return flags }
    for place in 0..<syncSamples.count {
      let sample = integer(syncSamples, place, bytes) - 1
      if flags.indices.contains(sample) { flags[sample] = true }
    }
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

  /// Calls `body` with the samples of each chunk and the range of the chunk in the file, which may exceed the input.
  ///
  /// - Parameters:
  ///   - limit: the number of samples after which to stop.
  ///   - body: returns whether to continue.
  func forEachChunk(
    _ bytes: Span<UInt8>, limit: Int = .max, budget: inout ResourceBudget,
    _ body: (_ samples: Range<Int>, _ range: Range<Int>) -> Bool
  ) throws(CodecError) {
    var sample = 0
    for run in 0..<chunkRuns.count {
      let first = max(0, integer(chunkRuns, run, bytes) - 1)
      let next = run + 1 < chunkRuns.count ? integer(chunkRuns, run + 1, bytes) - 1 : chunks.count
      let count = integer(chunkRuns, run, field: 4, bytes)
      try budget.chargeWork(Self.workPerEntry)
      guard first < min(next, chunks.count), count > 0 else { continue }
      for chunk in first..<min(next, chunks.count) {
        guard sample < min(sampleCount, limit) else { return }
        let samples = sample..<min(sampleCount, sample.addingReportingOverflow(count).overflow ? .max : sample + count)
        try budget.chargeWork(count: commonByteCount > 0 ? 1 : samples.count, unitsEach: Self.workPerEntry)
        let start = integer(chunks, chunk, bytes)
        guard let end = end(of: samples, from: start, bytes) else { return }
        guard body(samples, start..<end) else { return }
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

  /// Returns the range of a sample in the file, which may exceed the input; `nil` if it is not stated.
  func range(ofSample index: Int, _ bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> Range<Int>?
  {
    var result: Range<Int>?
    try forEachChunk(bytes, limit: index + 1, budget: &budget) { samples, range in
      guard samples.contains(index) else { return true }
      if let start = end(of: samples.lowerBound..<index, from: range.lowerBound, bytes),
        let end = end(of: index..<index + 1, from: start, bytes)
      {
        result = start..<end
      }
      return false
    }
    return result
  }

  /// Returns the ranges of the samples in the file, which may exceed the input.
  ///
  /// - Parameter limit: the number of samples after which to stop.
  func ranges(
    _ bytes: Span<UInt8>, limit: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> [Range<Int>] {
    let count = min(sampleCount, max(0, limit))
    try budget.allocate(count: count, bytesEach: MemoryLayout<Range<Int>>.stride)
    try budget.chargeWork(count: count, unitsEach: Self.workPerEntry)
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(count)
    try forEachChunk(bytes, limit: count, budget: &budget) { samples, range in
      var start = range.lowerBound
      for sample in samples.prefix(count - ranges.count) {
        let end = start + byteCount(ofSample: sample, bytes)
        ranges.append(start..<end)
        start = end
      }
      return true
    }
    return ranges
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
