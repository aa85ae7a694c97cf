// The movie box of a rewritten image sequence: its tracks without metadata, and where their samples are.

internal import ImageCoding

/// A copy of a movie box whose chunk positions are set when the positions of the media data are known.
struct MovieCopy {
  /// Positions of chunks in the copy.
  private struct ChunkTable {
    let position: Int
    let count: Int
    let byteCount: Int
  }

  private(set) var bytes: [UInt8] = []
  /// The ranges of the samples in the old file.
  private(set) var sampleRanges: [Range<Int>] = []
  private var chunkTables: [ChunkTable] = []
  private let keepsUnknown: Bool

  /// The boxes that contain others, from the movie to its sample tables.
  private static let containers: [FourCharacterCode] = ["trak", "mdia", "minf", "stbl"]
  /// Boxes of a movie and its tracks that are copied when metadata is stripped.
  private static let tables: Set<FourCharacterCode> = [
    "mvhd", "tkhd", "edts", "tref", "trgr", "mdhd", "hdlr", "vmhd", "smhd", "nmhd", "dinf", "stsd", "stts", "ctts",
    "cslg", "stss", "stps", "stsc", "stsz", "stz2", "stco", "co64", "sdtp", "sbgp", "sgpd", "subs", "stsh", "padb",
  ]

  /// - Throws: `CodecError.Kind.limitExceeded`, `CodecError.Kind.malformed`.
  init(
    _ movie: ISOBox, _ bytes: Span<UInt8>, keepsUnknown: Bool, budget: inout ResourceBudget
  ) throws(CodecError) {
    self.keepsUnknown = keepsUnknown
    try budget.allocate(movie.payload.count + 8)
    self.bytes.reserveCapacity(movie.payload.count + 8)
    try append(movie, bytes, level: 0, &budget)
  }

  /// Returns the box.
  ///
  /// - Parameter dataStart: the position of the content of the media data box in the file.
  func bytes(_ data: MediaData, dataStart: Int) throws(CodecError) -> [UInt8] {
    var writer = ByteWriter(.bigEndian, after: bytes)
    for table in chunkTables {
      for index in 0..<table.count {
        let place = table.position + index * table.byteCount
        var old: UInt64 = 0
        for offset in place..<place + table.byteCount { old = old << 8 | UInt64(bytes[offset]) }
        // A chunk without samples has no place.
        let new = data.kept.position(of: Int(clamping: old)).map { $0 + dataStart } ?? 0
        guard table.byteCount == 8 || new <= UInt32.max else {
          throw CodecError(.encodingFailed, "the file would exceed 4 GiB", format: ISOMediaDecoder.heif)
        }
        writer.overwrite(at: place, with: UInt64(new), byteCount: table.byteCount)
      }
    }
    return writer.bytes
  }

  /// Copies a container. The level is that of its children in ``containers``, so that the depth is limited.
  private mutating func append(
    _ box: ISOBox, _ bytes: Span<UInt8>, level: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let start = self.bytes.count
    appendHeader(box.type, byteCount: 0)
    var samples = SampleTable()
    var boxes = ISOBoxIterator(bytes, in: box.payload)
    while let child = boxes.next() {
      try budget.chargeWork(ISOBoxIterator.workPerBox)
      guard child.end <= box.payload.upperBound else { break }
      if level < Self.containers.count, child.type == Self.containers[level] {
        if child.type == "trak", !keepsUnknown, !isShown(child, bytes) { continue }
        try append(child, bytes, level: level + 1, &budget)
        continue
      }
      switch child.type {
      case "udta", "meta", "free", "skip": continue
      case "uuid" where bytes.isXMP(child): continue
      default: guard keepsUnknown || Self.tables.contains(child.type) else { continue }
      }
      samples.read(child, bytes)
      switch child.type {
      case "stsd" where !keepsUnknown:
        append(child.type, try SampleDescriptionCopy.payload(child, bytes, budget: &budget))
      case "dinf" where !keepsUnknown:
        try budget.chargeWork(child.payload.count)
        append(child.type, SampleDescriptionCopy.dataReferences(child, bytes))
      default: appendLeaf(child, bytes)
      }
    }
    if box.type == "stbl" {
      let chunkCount = samples.chunkCount
      try budget.allocate(count: chunkCount, bytesEach: 48)
      var ranges: [Range<Int>] = []
      try samples.forEachChunk(bytes, budget: &budget) { _, chunk in
        ranges.append(chunk.range)
        return true
      }
      sampleRanges += ranges
    }
    setSize(from: start)
  }

  private mutating func appendHeader(_ type: FourCharacterCode, byteCount: Int) {
    for value in [UInt32(truncatingIfNeeded: byteCount), type.rawValue] {
      for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
  }

  private mutating func setSize(from start: Int) {
    for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: (bytes.count - start) >> (24 - 8 * index)) }
  }

  private mutating func append(_ type: FourCharacterCode, _ payload: [UInt8]) {
    appendHeader(type, byteCount: payload.count + 8)
    bytes += payload
  }

  private mutating func appendLeaf(_ box: ISOBox, _ source: Span<UInt8>) {
    appendHeader(box.type, byteCount: box.payload.count + 8)
    let start = bytes.count
    bytes.append(copying: source.extracting(box.payload))
    switch box.type {
    case "stco", "co64":
      let byteCount = box.type == "stco" ? 4 : 8
      guard box.payload.count >= 8, let count = FourCharacterCode(source, at: box.payload.lowerBound + 4) else {
        return
      }
      let stored = min(Int(clamping: count.rawValue), (box.payload.count - 8) / byteCount)
      chunkTables.append(ChunkTable(position: start + 8, count: stored, byteCount: byteCount))
    case "hdlr" where !keepsUnknown:
      // The name of a handler follows 24 bytes.
      for index in min(start + 24, bytes.count)..<bytes.count { bytes[index] = 0 }
    case "mvhd" where !keepsUnknown, "tkhd" where !keepsUnknown, "mdhd" where !keepsUnknown:
      // Version and flags, then the times of creation and modification.
      guard start < bytes.count else { return }
      let end = start + (bytes[start] == 1 ? 20 : 12)
      for index in min(start + 4, bytes.count)..<min(end, bytes.count) { bytes[index] = 0 }
    default: break
    }
  }

  /// Whether a track is shown or heard, in contrast to timed metadata.
  private func isShown(_ track: ISOBox, _ bytes: Span<UInt8>) -> Bool {
    var boxes = ISOBoxIterator(bytes, in: track.payload)
    guard let media = boxes.first("mdia") else { return false }
    var children = ISOBoxIterator(bytes, in: media.payload)
    guard let handler = children.first("hdlr"),
      let type = FourCharacterCode(bytes, at: handler.payload.lowerBound + 8)
    else { return false }
    return type == "pict" || type == "vide" || type == "auxv" || type == "soun"
  }
}
