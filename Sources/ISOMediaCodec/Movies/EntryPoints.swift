// The samples with which decoding of a track can start: sync samples, partial sync samples of QuickTime and the sample
// groups of random access points (ISO/IEC 14496-12, 8.6.2, 8.9.2 and 10.4; QuickTime File Format, "stps").

internal import ImageCoding

/// The tables of a sample table box that list entry points. They are read in place.
///
/// Partial sync samples and those of the group `rap ` start an open group of pictures: they are decoded alone, but
/// pictures that follow them in the file and are shown before them are not.
struct EntryPoints: Hashable, Sendable {
  /// A table of sample numbers, counted from 1.
  fileprivate struct Numbers: Hashable {
    var position = 0
    var count = 0
  }

  /// `nil` without a table, in which case all samples are sync samples.
  fileprivate var syncSamples: Numbers?
  fileprivate var partialSyncSamples = Numbers()
  fileprivate var openGroups: SampleGroupRuns?
  fileprivate var syncGroups: SampleGroupRuns?

  /// The work units for reading an entry.
  fileprivate static let workPerEntry = 10

  /// Reads a child of the sample table box. Other boxes are ignored.
  mutating func read(_ box: ISOBox, _ bytes: Span<UInt8>) {
    switch box.type {
    case "stss": syncSamples = Self.numbers(box, bytes) ?? Numbers()
    case "stps": partialSyncSamples = Self.numbers(box, bytes) ?? Numbers()
    case "sbgp":
      guard let runs = SampleGroupRuns(box, bytes) else { return }
      if runs.type == .randomAccessPoints { openGroups = runs }
      if runs.type == .syncSamples { syncGroups = runs }
    default: break
    }
  }

  private static func numbers(_ box: ISOBox, _ bytes: Span<UInt8>) -> Numbers? {
    let start = box.fullPayload.lowerBound
    guard let count = FourCharacterCode(bytes.extracting(..<box.payload.upperBound), at: start)?.rawValue else {
      return nil
    }
    let remaining = box.payload.upperBound - start - 4
    return Numbers(position: start + 4, count: min(Int(clamping: count), remaining / 4))
  }

  /// Returns a cursor over the entry points of a number of samples.
  func makeCursor(sampleCount: Int) -> EntryPointCursor { EntryPointCursor(self, sampleCount: sampleCount) }
}

/// Iterates over the entry points of a track. They are in increasing order if the tables are.
struct EntryPointCursor {
  /// Iterates over a table of sample numbers.
  private struct NumberCursor {
    let numbers: EntryPoints.Numbers
    var index = 0

    mutating func next(below limit: Int, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget) throws(CodecError)
      -> Int?
    {
      while index < numbers.count {
        try budget.chargeWork(EntryPoints.workPerEntry)
        let number = FourCharacterCode(bytes, at: numbers.position + index * 4)?.rawValue ?? 0
        index += 1
        if number > 0, number <= limit { return Int(number) - 1 }
      }
      return nil
    }
  }

  private let sampleCount: Int
  /// Whether all samples are entry points.
  private let containsAll: Bool
  private var numbers: [NumberCursor]
  private var groups: [SampleGroupCursor]
  /// The next entry point of each table; `nil` at its end.
  private var heads: [Int?] = []
  /// The number of samples returned, if all are.
  private var position = 0

  fileprivate init(_ points: EntryPoints, sampleCount: Int) {
    self.sampleCount = sampleCount
    containsAll = points.syncSamples == nil
    numbers = [points.syncSamples ?? EntryPoints.Numbers(), points.partialSyncSamples].map { NumberCursor(numbers: $0) }
    groups = [points.openGroups, points.syncGroups].compactMap { $0.map { SampleGroupCursor($0) } }
  }

  /// Returns the next entry point; `nil` at the end. If the tables list none, as those of videos with gradual refresh,
  /// decoding starts with the first sample.
  ///
  /// - Throws: errors of `budget`, to which each entry is charged.
  mutating func next(_ bytes: Span<UInt8>, _ budget: inout ResourceBudget) throws(CodecError) -> Int? {
    if containsAll {
      try budget.chargeWork(EntryPoints.workPerEntry)
      guard position < sampleCount else { return nil }
      position += 1
      return position - 1
    }
    let isFirst = heads.isEmpty
    if isFirst {
      for table in 0..<numbers.count + groups.count { heads.append(try next(ofTable: table, bytes, &budget)) }
    }
    var sample = Int.max
    for case let head? in heads { sample = min(sample, head) }
    guard sample < .max else { return isFirst && sampleCount > 0 ? 0 : nil }
    for table in heads.indices where heads[table] == sample { heads[table] = try next(ofTable: table, bytes, &budget) }
    return sample
  }

  private mutating func next(
    ofTable table: Int, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Int? {
    if table < numbers.count { return try numbers[table].next(below: sampleCount, bytes, &budget) }
    return try groups[table - numbers.count].nextMember(below: sampleCount, bytes, &budget)
  }
}

/// Which samples belong to a group of a type (`sbgp`), in runs. It is read in place.
struct SampleGroupRuns: Hashable, Sendable {
  let type: FourCharacterCode
  fileprivate let position: Int
  fileprivate let count: Int

  private static let byteCountPerRun = 8

  /// Whether decoding can start with the samples of the groups.
  var startsGroups: Bool { type == .randomAccessPoints || type == .syncSamples }

  /// Reads a sample-to-group box; `nil` if it ends early.
  init?(_ box: ISOBox, _ bytes: Span<UInt8>) {
    var reader = ByteReader(bytes.extracting(box.payload), baseOffset: box.payload.lowerBound)
    guard let version = try? reader.readUInt8(), (try? reader.skip(3)) != nil,
      let type = try? reader.readUInt32BigEndian(), (try? reader.skip(version == 1 ? 4 : 0)) != nil,
      let count = try? reader.readUInt32BigEndian()
    else { return nil }
    self.type = FourCharacterCode(rawValue: type)
    position = reader.byteOffset
    self.count = min(Int(clamping: count), reader.remaining / Self.byteCountPerRun)
  }

  /// Returns the number of samples of a run, and whether they belong to a group.
  fileprivate func run(_ index: Int, _ bytes: Span<UInt8>) -> (count: Int, isMember: Bool) {
    func word(_ offset: Int) -> UInt32 {
      FourCharacterCode(bytes, at: position + index * Self.byteCountPerRun + offset)?.rawValue ?? 0
    }
    return (Int(clamping: word(0)), word(4) != 0)
  }
}

/// Iterates over samples in runs, in the order of the file.
struct SampleGroupCursor {
  private let runs: SampleGroupRuns
  private var index = 0
  private var sample = 0
  /// The end of the current run, whose samples are members.
  private var end = 0

  init(_ runs: SampleGroupRuns) {
    self.runs = runs
  }

  /// Returns the next sample that belongs to a group; `nil` at the end.
  mutating func nextMember(
    below limit: Int, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Int? {
    while sample == end {
      guard index < runs.count, sample < limit else { return nil }
      try budget.chargeWork(EntryPoints.workPerEntry)
      let run = runs.run(index, bytes)
      index += 1
      let (next, overflow) = end.addingReportingOverflow(run.count)
      end = overflow ? .max : next
      if !run.isMember { sample = end }
    }
    guard sample < limit else { return nil }
    sample += 1
    return sample - 1
  }
}

extension FourCharacterCode {
  /// The grouping types of samples with which decoding can start.
  fileprivate static let randomAccessPoints: FourCharacterCode = "rap "
  fileprivate static let syncSamples: FourCharacterCode = "sync"
}
