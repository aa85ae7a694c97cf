// Movie fragments: the samples of tracks whose sample tables are empty (ISO/IEC 14496-12, 8.8).

internal import ImageCoding

/// The defaults of a track's samples in fragments (`trex`).
struct FragmentDefaults: Hashable, Sendable {
  var trackID: UInt32 = 0
  var sampleDuration = 0
  var sampleByteCount = 0
  var sampleFlags: UInt32 = 0

  /// Reads the payload of a track extends box.
  init?(_ payload: Span<UInt8>) {
    var reader = ByteReader(payload)
    guard (try? reader.skip(4)) != nil, let id = try? reader.readUInt32BigEndian(), (try? reader.skip(4)) != nil,
      let duration = try? reader.readUInt32BigEndian(), let byteCount = try? reader.readUInt32BigEndian(),
      let flags = try? reader.readUInt32BigEndian()
    else { return nil }
    trackID = id
    (sampleDuration, sampleByteCount, sampleFlags) = (Int(clamping: duration), Int(clamping: byteCount), flags)
  }
}

/// A sample in a movie fragment.
struct FragmentSample {
  /// The position in the file, which may exceed the input.
  let range: Range<Int>
  /// The time at which the sample is shown, in time units of the track.
  let time: Int
  /// Whether the sample is decoded without any other.
  let isSync: Bool
}

/// The samples of a track in movie fragments.
struct FragmentSamples: ~Escapable {
  private let bytes: Span<UInt8>
  private let defaults: FragmentDefaults

  /// `sample_is_non_sync_sample`.
  private static let nonSyncFlag: UInt32 = 0x1_0000
  private static let workPerSample = 20

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, _ defaults: FragmentDefaults) {
    self.bytes = bytes
    self.defaults = defaults
  }

  /// Returns the range of the first sync sample that is shown at or after a time in the units of the track, which may
  /// exceed the input; the last one if all are shown earlier, and `nil` if there is none.
  ///
  /// - Throws: ``CodecError/Kind/truncated`` with the needed byte count if the input ends before one is found.
  func firstSyncSample(
    from time: Int, type: AssetType, budget: inout ResourceBudget
  ) throws(CodecError) -> Range<Int>? {
    var result: Range<Int>?
    try forEach(type: type, budget: &budget) { (sample, _) throws(CodecError) in
      guard sample.isSync, !sample.range.isEmpty else { return true }
      result = sample.range
      return time > 0 && sample.time < time
    }
    return result
  }

  /// Calls `body` with the samples in the order of the file.
  ///
  /// - Parameter body: returns whether to continue.
  /// - Throws: ``CodecError/Kind/truncated`` with the needed byte count if the input ends within a box.
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
    guard start > bytes.count else { return }
    throw CodecError(
      .truncated, "the file ends within its movie fragments", format: type, byteOffset: bytes.count,
      neededByteCount: start > Int.max - 8 ? nil : start + 8)
  }

  private func forEach(
    inFragment fragment: ISOBox, at start: Int, _ time: inout Int, _ budget: inout ResourceBudget,
    _ body: (FragmentSample, inout ResourceBudget) throws(CodecError) -> Bool
  ) throws(CodecError) -> Bool {
    var boxes = ISOBoxIterator(bytes, in: fragment.payload)
    while let box = boxes.next() {
      try budget.chargeWork(ISOBoxIterator.workPerBox)
      guard box.type == "traf" else { continue }
      var children = ISOBoxIterator(bytes, in: box.payload)
      guard let header = children.first("tfhd"), var run = RunDefaults(bytes, header, start, defaults) else { continue }
      run.time = time
      defer { time = run.time }
      while let child = children.next() {
        try budget.chargeWork(ISOBoxIterator.workPerBox)
        if child.type == "tfdt" { run.time = decodeTime(child) ?? run.time }
        guard child.type == "trun" else { continue }
        guard try forEach(inRun: child, &run, &budget, body) else { return false }
      }
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

  /// The values that apply to samples for which a run states none.
  private struct RunDefaults {
    /// The position to which those of runs are relative.
    let base: Int
    var duration: Int
    var byteCount: Int
    var flags: UInt32
    /// The position after the run before; the first one starts at `base`.
    var next: Int
    /// The time at which the next sample is decoded.
    var time = 0

    /// Reads a track fragment header; `nil` if it is that of another track or ends early.
    init?(_ bytes: Span<UInt8>, _ header: ISOBox, _ fragmentStart: Int, _ defaults: FragmentDefaults) {
      var reader = ByteReader(bytes.extracting(header.payload))
      guard let flags = try? reader.readUInt32BigEndian(), let id = try? reader.readUInt32BigEndian(),
        id == defaults.trackID
      else { return nil }
      func field(_ flag: UInt32, _ byteCount: Int, _ reader: inout ByteReader) -> UInt64? {
        guard flags & flag != 0 else { return nil }
        return try? reader.readInteger(byteCount: byteCount, isBigEndian: true)
      }
      base = field(1, 8, &reader).map { Int(clamping: $0) } ?? fragmentStart
      _ = field(2, 4, &reader)
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
      let sample = FragmentSample(
        range: position..<end, time: defaults.time &+ entry.compositionOffset,
        isSync: sampleFlags & Self.nonSyncFlag == 0)
      guard try body(sample, &budget) else { return false }
      position = end
      defaults.time &+= entry.duration
    }
    defaults.next = position
    return true
  }
}
