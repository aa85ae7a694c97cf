// The samples of a track in the order in which they are shown (ISO/IEC 14496-12, 8.6).

internal import ImageCoding

/// A sample of a track.
struct TrackSample: Hashable {
  /// Where the sample is, and how it is coded.
  let location: SampleLocation
  /// The time at which the sample is shown, in time units of the track.
  var time: Int
  /// The time for which the sample is shown, in time units of the track.
  var duration: Int
  /// Whether decoding can start with the sample.
  let isEntryPoint: Bool
  /// The range of the entry point with which decoding has to start; empty if none precedes the sample.
  let entryPointRange: Range<Int>

  /// The range in the file.
  var range: Range<Int> { location.range }
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
    var locations = try table.locations(bytes, limit: limit, budget: &budget)
    let presentCount = locations.prefix { $0.range.upperBound <= bytes.count }.count
    missingEnd = presentCount < locations.count ? locations[presentCount].range.upperBound : nil
    locations.removeLast(locations.count - presentCount)
    let durations = try table.durations(bytes, limit: presentCount, budget: &budget)
    let flags = try table.entryPointFlags(bytes, limit: presentCount, budget: &budget)
    try budget.allocate(count: presentCount, bytesEach: MemoryLayout<TrackSample>.stride)
    try budget.chargeWork(count: presentCount, unitsEach: Self.workPerSample)
    var samples: [TrackSample] = []
    samples.reserveCapacity(presentCount)
    var entryPointRange = 0..<0
    var time = 0
    for (index, location) in locations.enumerated() {
      if flags[index] { entryPointRange = location.range }
      samples.append(
        TrackSample(
          location: location, time: time, duration: durations[index], isEntryPoint: flags[index],
          entryPointRange: entryPointRange))
      time &+= durations[index]
    }
    if table.hasCompositionOffsets {
      let offsets = try table.compositionOffsets(bytes, limit: presentCount, budget: &budget)
      try budget.allocate(count: presentCount, bytesEach: MemoryLayout<(Int, Int)>.stride)
      try budget.chargeWorkInParts(count: presentCount, unitsEach: Self.workPerSortedSample)
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
