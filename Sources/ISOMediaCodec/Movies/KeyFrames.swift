// The key frames of a video, in the order in which they are shown.

internal import ImageCoding

/// A frame of a video that is decoded without others.
struct KeyFrame: Hashable, Sendable {
  /// Where its sample is, and how it is coded.
  let location: SampleLocation
  /// The time at which it is shown, from the start of the video.
  let time: Duration
}

/// Lists the key frames of a track.
struct KeyFrameList: ~Escapable {
  private let bytes: Span<UInt8>
  private let movie: VideoAssetInfo
  private let track: VideoAssetInfo.Track
  private let type: AssetType
  /// Whether samples that are not in the file are an error.
  private let isStrict: Bool

  /// An entry point and the time at which it would be shown without edits, in time units of the track.
  private struct EntryPoint {
    let location: SampleLocation
    let time: Int
  }

  /// The work units for sorting a sample, and for finding the first one of an edit.
  private static let workPerSortedSample = 300

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, _ movie: VideoAssetInfo, _ track: VideoAssetInfo.Track, type: AssetType, isStrict: Bool) {
    self.bytes = bytes
    (self.movie, self.track, self.type, self.isStrict) = (movie, track, type, isStrict)
  }

  /// Returns the key frames. If the edits show none, the last one is returned. Their memory remains charged.
  ///
  /// - Throws: `CodecError.Kind.malformed` if there is none; `CodecError.Kind.truncated` in strict decoding, with the
  ///   needed byte count; errors of `budget`.
  func frames(_ budget: inout ResourceBudget) throws(CodecError) -> [KeyFrame] {
    let heldByteCount = budget.heldByteCount
    let samples = try entryPoints(&budget)
    guard let last = samples.last else {
      throw CodecError(.malformed, "the track has no samples", format: type)
    }
    var frames = try shown(samples, &budget)
    if frames.isEmpty { frames = [KeyFrame(location: last.location, time: .zero)] }
    budget.settle(heldByteCount: heldByteCount + frames.count * MemoryLayout<KeyFrame>.stride)
    return frames
  }

  // MARK: Samples

  /// Returns the entry points of the sample table and of movie fragments, in the order in which they are shown.
  private func entryPoints(_ budget: inout ResourceBudget) throws(CodecError) -> [EntryPoint] {
    let list = try TrackSamples(track.samples, bytes, limit: .max, budget: &budget)
    if let end = list.missingEnd, isStrict {
      throw CodecError(
        .truncated, "the file ends within the samples of a track", format: type, byteOffset: bytes.count,
        neededByteCount: end)
    }
    var samples: [EntryPoint] = []
    for sample in list.samples where sample.isEntryPoint && !sample.range.isEmpty {
      try budget.allocate(MemoryLayout<EntryPoint>.stride)
      samples.append(EntryPoint(location: sample.location, time: sample.time))
    }
    guard let fragments = FragmentSamples(bytes, ofTrack: track.id, movie.fragmentDefaults) else { return samples }
    var first: EntryPoint?
    do throws(CodecError) {
      try fragments.forEach(type: type, budget: &budget) { (sample, budget) throws(CodecError) in
        let range = sample.location.range
        guard !range.isEmpty, range.upperBound <= bytes.count else { return true }
        let point = EntryPoint(location: sample.location, time: sample.time)
        first = first ?? point
        guard sample.isEntryPoint else { return true }
        try budget.allocate(MemoryLayout<EntryPoint>.stride)
        samples.append(point)
        return true
      }
    } catch {
      guard error.kind == .truncated, !isStrict else { throw error }
    }
    // As in sample tables, decoding starts with the first sample if none is an entry point.
    if samples.isEmpty, let first { return [first] }
    try budget.chargeWorkInParts(count: samples.count, unitsEach: Self.workPerSortedSample)
    samples.sort { ($0.time, $0.location.range.lowerBound) < ($1.time, $1.location.range.lowerBound) }
    return samples
  }

  // MARK: Edits

  /// Returns the samples that the edits show, with the times at which they do.
  private func shown(_ samples: [EntryPoint], _ budget: inout ResourceBudget) throws(CodecError) -> [KeyFrame] {
    var frames: [KeyFrame] = []
    guard track.edits.count > 0 else {
      try budget.allocate(count: samples.count, bytesEach: MemoryLayout<KeyFrame>.stride)
      let start = min(samples.first?.time ?? 0, 0)
      return samples.map { KeyFrame(location: $0.location, time: track.duration(ofUnits: $0.time &- start)) }
    }
    var start = Duration.zero
    for index in 0..<track.edits.count {
      try budget.chargeWork(EditList.workPerEdit + Self.workPerSortedSample)
      let edit = track.edits.edit(at: index, bytes)
      let duration = mediaDuration(UInt64(edit.duration), timescale: movie.timescale ?? 0)
      defer { start += duration ?? .zero }
      guard let mediaTime = edit.mediaTime else { continue }
      // A duration that is 0 or cannot be told does not end the edit.
      let end = duration.flatMap { $0 > .zero ? $0 : nil }
      for sample in samples[firstIndex(in: samples, from: mediaTime)...] {
        let time = track.duration(ofUnits: sample.time &- mediaTime)
        if let end, time >= end { break }
        try budget.allocate(MemoryLayout<KeyFrame>.stride)
        frames.append(KeyFrame(location: sample.location, time: start + time))
      }
    }
    return frames
  }

  /// Returns the index of the first sample at or after a time.
  private func firstIndex(in samples: [EntryPoint], from time: Int) -> Int {
    var (low, high) = (0, samples.count)
    while low < high {
      let middle = (low + high) / 2
      if samples[middle].time < time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
