// The samples of a track in the order in which they are shown (ISO/IEC 14496-12, 8.6).

internal import ImageCoding

/// A sample of a track.
struct TrackSample: Hashable {
  /// The position in the file.
  let range: Range<Int>
  /// The time at which the sample is shown, in time units of the track.
  var time: Int
  /// The time for which the sample is shown, in time units of the track.
  var duration: Int
  /// Whether the sample is decoded without any other.
  let isSync: Bool
  /// The position of the sync sample from which decoding has to start; empty if none precedes the sample.
  let syncRange: Range<Int>
}

/// The samples of a track that are in a file, in the order in which they are shown.
struct TrackSamples {
  let samples: [TrackSample]
  /// The end of the first sample that is not completely in the file; `nil` if all are.
  let missingEnd: Int?

  /// The work units for listing a sample, and for finding its place in the order in which samples are shown.
  private static let workPerSample = 20
  private static let workPerSortedSample = 300

  /// Reads the tables of a track.
  ///
  /// - Parameter limit: the number of samples after which to stop.
  /// - Throws: errors of `budget`, to which all samples are charged.
  init(
    _ table: SampleTable, _ bytes: Span<UInt8>, limit: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    let heldByteCount = budget.heldByteCount
    var ranges = try table.ranges(bytes, limit: limit, budget: &budget)
    let presentCount = ranges.prefix { $0.upperBound <= bytes.count }.count
    missingEnd = presentCount < ranges.count ? ranges[presentCount].upperBound : nil
    ranges.removeLast(ranges.count - presentCount)
    let durations = try table.durations(bytes, limit: ranges.count, budget: &budget)
    let flags = try table.syncFlags(bytes, limit: ranges.count, budget: &budget)
    try budget.allocate(count: ranges.count, bytesEach: MemoryLayout<TrackSample>.stride)
    try budget.chargeWork(count: ranges.count, unitsEach: Self.workPerSample)
    var samples: [TrackSample] = []
    samples.reserveCapacity(ranges.count)
    var syncRange = 0..<0
    var time = 0
    for index in ranges.indices {
      if flags[index] { syncRange = ranges[index] }
      samples.append(
        TrackSample(
          range: ranges[index], time: time, duration: durations[index], isSync: flags[index], syncRange: syncRange))
      time &+= durations[index]
    }
    if table.hasCompositionOffsets {
      let offsets = try table.compositionOffsets(bytes, limit: ranges.count, budget: &budget)
      try budget.allocate(count: ranges.count, bytesEach: MemoryLayout<(Int, Int)>.stride)
      try budget.chargeWorkInParts(count: ranges.count, unitsEach: Self.workPerSortedSample)
      samples = Self.shown(samples, offsets: offsets)
    }
    self.samples = samples
    budget.settle(heldByteCount: heldByteCount + samples.count * MemoryLayout<TrackSample>.stride)
  }

  /// Sorts samples, which have the times at which they are decoded, by the time at which they are shown.
  private static func shown(_ samples: [TrackSample], offsets: [Int]) -> [TrackSample] {
    var order: [(time: Int, index: Int)] = []
    order.reserveCapacity(samples.count)
    for (index, sample) in samples.enumerated() { order.append((sample.time &+ offsets[index], index)) }
    order.sort { ($0.time, $0.index) < ($1.time, $1.index) }
    return order.indices.map { place in
      var sample = samples[order[place].index]
      sample.time = order[place].time
      // The last one is shown for as long as its own duration says.
      if place + 1 < order.count { sample.duration = max(0, order[place + 1].time &- order[place].time) }
      return sample
    }
  }
}
