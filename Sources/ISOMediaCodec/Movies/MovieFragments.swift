// Movie fragments: the samples of tracks whose sample tables are empty (ISO/IEC 14496-12, 8.8).

internal import ImageCoding

/// The defaults of a track's samples in fragments (`trex`).
struct FragmentDefaults: Hashable, Sendable {
  var trackID: UInt32 = 0
  /// The index of the sample entry, counted from 1.
  var sampleDescription = 1
  var sampleDuration = 0
  var sampleByteCount = 0
  var sampleFlags: UInt32 = 0

  /// Reads the payload of a track extends box.
  init?(_ payload: Span<UInt8>) {
    var reader = ByteReader(payload)
    guard (try? reader.skip(4)) != nil, let id = try? reader.readUInt32BigEndian(),
      let description = try? reader.readUInt32BigEndian(), let duration = try? reader.readUInt32BigEndian(),
      let byteCount = try? reader.readUInt32BigEndian(), let flags = try? reader.readUInt32BigEndian()
    else { return nil }
    (trackID, sampleDescription) = (id, Int(clamping: description))
    (sampleDuration, sampleByteCount, sampleFlags) = (Int(clamping: duration), Int(clamping: byteCount), flags)
  }
}

/// A sample in a movie fragment.
struct FragmentSample {
  /// Where the sample is, and how it is coded.
  let location: SampleLocation
  /// The time at which the sample is shown, in time units of the track.
  let time: Int
  /// Whether decoding can start with the sample.
  let isEntryPoint: Bool
}

/// The samples of a track in movie fragments.
struct FragmentSamples: ~Escapable {
  private let bytes: Span<UInt8>
  private let trackID: UInt32
  /// The defaults of all tracks. The position of a track's data may follow from the sizes of another track's samples.
  private let defaults: [FragmentDefaults]

  /// `sample_is_non_sync_sample`.
  private static let nonSyncFlag: UInt32 = 0x1_0000
  private static let workPerSample = 20

  /// Returns `nil` if the movie box does not announce fragments of the track.
  @_lifetime(copy bytes)
  init?(_ bytes: Span<UInt8>, ofTrack id: UInt32, _ defaults: [FragmentDefaults]) {
    guard defaults.contains(where: { $0.trackID == id }) else { return nil }
    self.bytes = bytes
    (trackID, self.defaults) = (id, defaults)
  }

  /// Returns the location of the first entry point that is shown at or after a time in the units of the track; the last
  /// one if all are shown earlier; the first sample if no sample is an entry point; and `nil` if there are no samples.
  ///
  /// - Throws: `CodecError.Kind.truncated` with the needed byte count if the input ends before one is found.
  func firstEntryPoint(
    from time: Int, type: AssetType, budget: inout ResourceBudget
  ) throws(CodecError) -> SampleLocation? {
    var (first, result): (SampleLocation?, SampleLocation?)
    try forEach(type: type, budget: &budget) { (sample, _) throws(CodecError) in
      guard !sample.location.range.isEmpty else { return true }
      first = first ?? sample.location
      guard sample.isEntryPoint else { return true }
      result = sample.location
      return time > 0 && sample.time < time
    }
    return result ?? first
  }

  /// Calls `body` with the samples in the order of the file.
  ///
  /// - Parameter body: returns whether to continue.
  /// - Throws: `CodecError.Kind.truncated` with the needed byte count if the input ends within a box.
  func forEach(
    type: AssetType, budget: inout ResourceBudget,
    _ body: (FragmentSample, inout ResourceBudget) throws(CodecError) -> Bool
  ) throws(CodecError) {
    var boxes = ISOBoxIterator(bytes, in: 0..<bytes.count)
    var start = 0
    var time = 0
    while let box = boxes.next() {
      defer { start = box.end }
      try budget.chargeWork(ISOBoxIterator.workPerBox, byteOffset: start)
      guard box.type == "moof" else { continue }
      try box.requireComplete(type)
      guard try forEach(inFragment: box, at: start, &time, &budget, body) else { return }
    }
    guard start != bytes.count else { return }
    throw CodecError(
      .truncated, "the file ends within its movie fragments", format: type, byteOffset: bytes.count,
      neededByteCount: start > Int.max - 8 ? nil : start + 8)
  }

  private func forEach(
    inFragment fragment: ISOBox, at start: Int, _ time: inout Int, _ budget: inout ResourceBudget,
    _ body: (FragmentSample, inout ResourceBudget) throws(CodecError) -> Bool
  ) throws(CodecError) -> Bool {
    var boxes = ISOBoxIterator(bytes, in: fragment.payload)
    // Without an explicit position, the data of a track follows that of the track before it (8.8.7).
    var dataEnd = start
    while let box = boxes.next() {
      try budget.chargeWork(ISOBoxIterator.workPerBox)
      guard box.type == "traf" else { continue }
      var children = ISOBoxIterator(bytes, in: box.payload)
      guard let header = children.first("tfhd"),
        var run = RunDefaults(bytes, header, fragmentStart: start, dataEnd: dataEnd, defaults)
      else { continue }
      defer { dataEnd = run.next }
      guard run.trackID == trackID else {
        try forEach(inRunsOf: box, &run, &budget) { (_, _) throws(CodecError) in true }
        continue
      }
      run.time = time
      defer { time = run.time }
      guard try forEach(inRunsOf: box, &run, &budget, body) else { return false }
    }
    return true
  }

  /// Calls `body` with the samples of a track fragment.
  @discardableResult
  private func forEach(
    inRunsOf fragment: ISOBox, _ run: inout RunDefaults, _ budget: inout ResourceBudget,
    _ body: (FragmentSample, inout ResourceBudget) throws(CodecError) -> Bool
  ) throws(CodecError) -> Bool {
    var boxes = ISOBoxIterator(bytes, in: fragment.payload)
    // Groups follow the runs that they describe.
    while let box = boxes.next() {
      try budget.chargeWork(ISOBoxIterator.workPerBox)
      guard box.type == "sbgp", let runs = SampleGroupRuns(box, bytes), runs.startsGroups else { continue }
      run.entryPoints = SampleGroupCursor(runs)
      run.nextEntryPoint = try run.entryPoints?.nextMember(below: .max, bytes, &budget)
    }
    var children = ISOBoxIterator(bytes, in: fragment.payload)
    while let child = children.next() {
      if child.type == "tfdt" { run.time = decodeTime(child) ?? run.time }
      guard child.type == "trun" else { continue }
      guard try forEach(inRun: child, &run, &budget, body) else { return false }
    }
    return true
  }

  /// Returns the time at which the first sample of a fragment is decoded.
  private func decodeTime(_ box: ISOBox) -> Int? {
    var reader = ByteReader(bytes.extracting(box.payload))
    guard let version = try? reader.readUInt8(), (try? reader.skip(3)) != nil,
      let time = try? reader.readInteger(byteCount: version == 1 ? 8 : 4, isBigEndian: true)
    else { return nil }
    return Int(clamping: time)
  }

  /// The values that apply to samples for which a run states none, and the state between runs.
  private struct RunDefaults {
    let trackID: UInt32
    /// The position to which those of runs are relative.
    let base: Int
    let description: Int
    var duration: Int
    var byteCount: Int
    var flags: UInt32
    /// The position after the run before; the first one starts at `base`.
    var next: Int
    /// The time at which the next sample is decoded.
    var time = 0
    /// The number of samples before the next one.
    var sampleIndex = 0
    /// The entry points that are not marked as sync samples, and the index of the next one.
    var entryPoints: SampleGroupCursor?
    var nextEntryPoint: Int?

    private static let moofIsBaseFlag: UInt32 = 0x2_0000

    /// Reads a track fragment header; `nil` if it ends early, or if the track has no defaults.
    init?(_ bytes: Span<UInt8>, _ header: ISOBox, fragmentStart: Int, dataEnd: Int, _ allDefaults: [FragmentDefaults]) {
      var reader = ByteReader(bytes.extracting(header.payload))
      guard let flags = try? reader.readUInt32BigEndian(), let id = try? reader.readUInt32BigEndian(),
        let defaults = allDefaults.first(where: { $0.trackID == id })
      else { return nil }
      trackID = id
      func field(_ flag: UInt32, _ byteCount: Int, _ reader: inout ByteReader) -> UInt64? {
        guard flags & flag != 0 else { return nil }
        return try? reader.readInteger(byteCount: byteCount, isBigEndian: true)
      }
      base =
        field(1, 8, &reader).map { Int(clamping: $0) } ?? (flags & Self.moofIsBaseFlag != 0 ? fragmentStart : dataEnd)
      let description = field(2, 4, &reader).map { Int(clamping: $0) } ?? defaults.sampleDescription
      self.description = max(0, description - 1)
      duration = field(8, 4, &reader).map { Int(clamping: $0) } ?? defaults.sampleDuration
      byteCount = field(0x10, 4, &reader).map { Int(clamping: $0) } ?? defaults.sampleByteCount
      self.flags = field(0x20, 4, &reader).map { UInt32(truncatingIfNeeded: $0) } ?? defaults.sampleFlags
      next = base
    }
  }

  /// The fields of a sample in a run.
  private struct RunEntry {
    var duration: Int
    var byteCount: Int
    var flags: UInt32
    var compositionOffset = 0

    init(_ defaults: RunDefaults, _ runFlags: UInt32, _ reader: inout ByteReader) throws(CodecError) {
      (duration, byteCount, flags) = (defaults.duration, defaults.byteCount, defaults.flags)
      if runFlags & 0x100 != 0 { duration = Int(clamping: try reader.readUInt32BigEndian()) }
      if runFlags & 0x200 != 0 { byteCount = Int(clamping: try reader.readUInt32BigEndian()) }
      if runFlags & 0x400 != 0 { flags = try reader.readUInt32BigEndian() }
      if runFlags & 0x800 != 0 { compositionOffset = Int(Int32(bitPattern: try reader.readUInt32BigEndian())) }
    }
  }

  /// A run that is damaged ends early.
  private func forEach(
    inRun run: ISOBox, _ defaults: inout RunDefaults, _ budget: inout ResourceBudget,
    _ body: (FragmentSample, inout ResourceBudget) throws(CodecError) -> Bool
  ) throws(CodecError) -> Bool {
    var reader = ByteReader(bytes.extracting(run.payload))
    guard let flags = try? reader.readUInt32BigEndian(), let count = try? reader.readUInt32BigEndian() else {
      return true
    }
    var position = defaults.next
    if flags & 1 != 0 {
      guard let offset = try? reader.readUInt32BigEndian() else { return true }
      let (sum, overflow) = defaults.base.addingReportingOverflow(Int(Int32(bitPattern: offset)))
      guard !overflow, sum >= 0 else { return true }
      position = sum
    }
    var firstFlags: UInt32?
    if flags & 4 != 0 { firstFlags = try? reader.readUInt32BigEndian() }
    for index in 0..<count {
      try budget.chargeWork(Self.workPerSample)
      guard let entry = try? RunEntry(defaults, flags, &reader) else { return true }
      let (end, overflow) = position.addingReportingOverflow(entry.byteCount)
      guard !overflow else { return true }
      let sampleFlags = index == 0 ? firstFlags ?? entry.flags : entry.flags
      var isEntryPoint = sampleFlags & Self.nonSyncFlag == 0
      if defaults.nextEntryPoint == defaults.sampleIndex {
        isEntryPoint = true
        defaults.nextEntryPoint = try defaults.entryPoints?.nextMember(below: .max, bytes, &budget)
      }
      defaults.sampleIndex += 1
      let sample = FragmentSample(
        location: SampleLocation(range: position..<end, description: defaults.description),
        time: defaults.time &+ entry.compositionOffset, isEntryPoint: isEntryPoint)
      guard try body(sample, &budget) else { return false }
      position = end
      defaults.time &+= entry.duration
    }
    defaults.next = position
    return true
  }
}
