// Movie fragments: the samples of tracks whose sample tables are empty (ISO/IEC 14496-12, 8.8).

internal import ImageCoding

/// The defaults of a track's samples in fragments (`trex`).
struct FragmentDefaults: Hashable, Sendable {
  var trackID: UInt32 = 0
  var sampleByteCount = 0
  var sampleFlags: UInt32 = 0

  /// Reads the payload of a track extends box.
  init?(_ payload: Span<UInt8>) {
    var reader = ByteReader(payload)
    guard (try? reader.skip(4)) != nil, let id = try? reader.readUInt32BigEndian(), (try? reader.skip(8)) != nil,
      let byteCount = try? reader.readUInt32BigEndian(), let flags = try? reader.readUInt32BigEndian()
    else { return nil }
    (trackID, sampleByteCount, sampleFlags) = (id, Int(clamping: byteCount), flags)
  }
}

/// A search for the first sync sample of a track in movie fragments.
struct FragmentSearch: ~Escapable {
  private let bytes: Span<UInt8>
  private let defaults: FragmentDefaults

  /// `sample_is_non_sync_sample`.
  private static let nonSyncFlag: UInt32 = 0x1_0000
  private static let workPerSample = 10

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, _ defaults: FragmentDefaults) {
    self.bytes = bytes
    self.defaults = defaults
  }

  /// Returns the range of the first sync sample, which may exceed the input; `nil` if no fragment contains one.
  ///
  /// - Throws: ``CodecError/Kind/truncated`` with the needed byte count if the input ends before one is found.
  func firstSyncSample(type: AssetType, budget: inout ResourceBudget) throws(CodecError) -> Range<Int>? {
    var boxes = ISOBoxIterator(bytes, in: 0..<bytes.count)
    var start = 0
    while let box = boxes.next() {
      defer { start = box.end }
      try budget.chargeWork(ISOBoxIterator.workPerBox, byteOffset: start)
      guard box.type == "moof" else { continue }
      try box.requireComplete(type)
      if let range = try firstSyncSample(inFragment: box, at: start, budget: &budget) { return range }
    }
    guard start >= bytes.count else { return nil }
    if start == bytes.count { return nil }
    throw CodecError(
      .truncated, "the file ends before the first sync sample", format: type, byteOffset: bytes.count,
      neededByteCount: start > Int.max - 8 ? nil : start + 8)
  }

  private func firstSyncSample(
    inFragment fragment: ISOBox, at start: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> Range<Int>? {
    var boxes = ISOBoxIterator(bytes, in: fragment.payload)
    while let box = boxes.next() {
      try budget.chargeWork(ISOBoxIterator.workPerBox)
      guard box.type == "traf" else { continue }
      var children = ISOBoxIterator(bytes, in: box.payload)
      guard let header = children.first("tfhd"), var run = RunDefaults(bytes, header, start, defaults) else { continue }
      while let child = children.next() {
        try budget.chargeWork(ISOBoxIterator.workPerBox)
        guard child.type == "trun" else { continue }
        if let range = try firstSyncSample(inRun: child, &run, budget: &budget) { return range }
      }
    }
    return nil
  }

  /// The values that apply to samples for which a run states none.
  private struct RunDefaults {
    /// The position to which those of runs are relative.
    let base: Int
    var byteCount: Int
    var flags: UInt32
    /// The position after the run before; the first one starts at `base`.
    var next: Int

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
      _ = field(8, 4, &reader)
      byteCount = field(0x10, 4, &reader).map { Int(clamping: $0) } ?? defaults.sampleByteCount
      self.flags = field(0x20, 4, &reader).map { UInt32(truncatingIfNeeded: $0) } ?? defaults.sampleFlags
      next = base
    }
  }

  private func firstSyncSample(
    inRun run: ISOBox, _ defaults: inout RunDefaults, budget: inout ResourceBudget
  ) throws(CodecError) -> Range<Int>? {
    var reader = ByteReader(bytes.extracting(run.payload))
    guard let flags = try? reader.readUInt32BigEndian(), let count = try? reader.readUInt32BigEndian() else {
      return nil
    }
    var position = defaults.next
    if flags & 1 != 0 {
      guard let offset = try? reader.readUInt32BigEndian() else { return nil }
      let (sum, overflow) = defaults.base.addingReportingOverflow(Int(Int32(bitPattern: offset)))
      guard !overflow, sum >= 0 else { return nil }
      position = sum
    }
    var firstFlags: UInt32?
    if flags & 4 != 0 { firstFlags = try? reader.readUInt32BigEndian() }
    for index in 0..<count {
      try budget.chargeWork(Self.workPerSample)
      var (byteCount, sampleFlags) = (defaults.byteCount, defaults.flags)
      if flags & 0x100 != 0 { guard (try? reader.skip(4)) != nil else { return nil } }
      if flags & 0x200 != 0 {
        guard let stated = try? reader.readUInt32BigEndian() else { return nil }
        byteCount = Int(clamping: stated)
      }
      if flags & 0x400 != 0 {
        guard let stated = try? reader.readUInt32BigEndian() else { return nil }
        sampleFlags = stated
      }
      if flags & 0x800 != 0 { guard (try? reader.skip(4)) != nil else { return nil } }
      if index == 0, let firstFlags { sampleFlags = firstFlags }
      let (end, overflow) = position.addingReportingOverflow(byteCount)
      guard !overflow else { return nil }
      if sampleFlags & Self.nonSyncFlag == 0, byteCount > 0 { return position..<end }
      position = end
    }
    defaults.next = position
    return nil
  }
}
