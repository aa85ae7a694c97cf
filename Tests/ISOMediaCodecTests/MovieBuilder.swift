// Movies and image sequences put together by hand from ISO/IEC 14496-12.

/// A movie with one track of pattern pictures, or with a second track of alpha planes.
struct MovieBuilder {
  var brand = "isom"
  var compatible: [String] = []
  var coding = "hvc1"
  var handler = "vide"
  var size = (width: 16, height: 12)
  var samples: [[UInt8]] = []
  /// The sync samples, counted from 1; `nil` without a table.
  var syncSamples: [Int]?
  var samplesPerChunk = 1
  var durations: [(count: Int, units: Int)] = [(.max, 100)]
  var compositionOffsets: [(count: Int, units: Int)] = []
  /// Durations and media times; −1 for empty edits.
  var edits: [(duration: Int, time: Int)] = []
  var repeats = false
  var matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000]
  /// Boxes in the sample entry.
  var properties: [UInt8] = []
  /// Further sample entries, and the number of the entry of each chunk if it is not the first one.
  var moreEntries: [UInt8] = []
  var moreEntryCount = 0
  var descriptions: [Int: Int] = [:]
  /// Further boxes of the sample table, or of each track fragment.
  var tables: [UInt8] = []
  /// The number of bits of a sample's size.
  var sizeBitCount = 32
  var alpha: [[UInt8]] = []
  var isFragmented = false
  var isDataFirst = false
  /// Boxes at the end of the movie box.
  var extra: [UInt8] = []

  private func big(_ value: Int, _ count: Int) -> [UInt8] { ISOBuilder.big(value, count) }

  /// A visual sample entry.
  static func entry(_ coding: String, _ size: (width: Int, height: Int), _ properties: [UInt8] = []) -> [UInt8] {
    let big = ISOBuilder.big
    return ISOBuilder.box(
      coding,
      big(0, 6) + big(1, 2) + big(0, 16) + big(size.width, 2) + big(size.height, 2) + big(0, 50) + properties)
  }

  /// A table of the sizes of samples.
  private func sizes(_ samples: [[UInt8]]) -> [UInt8] {
    let counts = samples.map(\.count)
    switch sizeBitCount {
    case 4:
      let pairs = stride(from: 0, to: counts.count, by: 2).map { counts[$0] << 4 | (counts + [0])[$0 + 1] }
      return ISOBuilder.fullBox("stz2", big(4, 4) + big(counts.count, 4) + pairs.flatMap { big($0, 1) })
    case 8, 16:
      return ISOBuilder.fullBox(
        "stz2", big(sizeBitCount, 4) + big(counts.count, 4) + counts.flatMap { big($0, sizeBitCount / 8) })
    default: return ISOBuilder.fullBox("stsz", big(0, 4) + big(counts.count, 4) + counts.flatMap { big($0, 4) })
    }
  }

  private func sampleTable(_ samples: [[UInt8]], at start: Int, _ properties: [UInt8]) -> [UInt8] {
    let entry = Self.entry(coding, size, properties)
    var offsets: [Int] = []
    var position = start
    for chunk in stride(from: 0, to: samples.count, by: samplesPerChunk) {
      offsets.append(position)
      position += samples[chunk..<min(chunk + samplesPerChunk, samples.count)].reduce(0) { $0 + $1.count }
    }
    let last = samples.count % samplesPerChunk
    var runs = [big(1, 4) + big(samplesPerChunk, 4) + big(descriptions[1] ?? 1, 4)]
    for (chunk, number) in descriptions.sorted(by: { $0.key < $1.key }) where chunk > 1 {
      runs.append(big(chunk, 4) + big(samplesPerChunk, 4) + big(number, 4))
    }
    if last > 0 { runs.append(big(offsets.count, 4) + big(last, 4) + big(descriptions.values.max() ?? 1, 4)) }
    func table(_ runs: [(count: Int, units: Int)]) -> [UInt8] {
      big(runs.count, 4) + runs.flatMap { big(min($0.count, samples.count), 4) + big($0.units, 4) }
    }
    var boxes = ISOBuilder.fullBox("stsd", big(1 + moreEntryCount, 4) + entry + moreEntries)
    if isFragmented {
      for type in ["stts", "stsc", "stco"] { boxes += ISOBuilder.fullBox(type, big(0, 4)) }
      return boxes + ISOBuilder.fullBox("stsz", big(0, 8))
    }
    boxes += ISOBuilder.fullBox("stts", table(durations))
    if !compositionOffsets.isEmpty { boxes += ISOBuilder.fullBox("ctts", version: 1, table(compositionOffsets)) }
    if let syncSamples {
      boxes += ISOBuilder.fullBox("stss", big(syncSamples.count, 4) + syncSamples.flatMap { big($0, 4) })
    }
    boxes += ISOBuilder.fullBox("stsc", big(runs.count, 4) + runs.flatMap { $0 }) + sizes(samples) + tables
    return boxes + ISOBuilder.fullBox("co64", big(offsets.count, 4) + offsets.flatMap { big($0, 8) })
  }

  private func track(_ id: Int, _ handler: String, _ samples: [[UInt8]], at start: Int, _ properties: [UInt8])
    -> [UInt8]
  {
    let header = ISOBuilder.fullBox(
      "tkhd",
      big(0, 8) + big(id, 4) + big(0, 24) + matrix.flatMap { big($0, 4) } + big(size.width << 16, 4)
        + big(size.height << 16, 4))
    let list = ISOBuilder.fullBox(
      "elst", flags: repeats ? 1 : 0,
      big(edits.count, 4) + edits.flatMap { big($0.duration, 4) + big($0.time, 4) + big(0x10000, 4) })
    let media =
      ISOBuilder.fullBox("mdhd", big(0, 8) + big(1000, 4) + big(100 * samples.count, 4) + big(0, 4))
      + ISOBuilder.fullBox("hdlr", big(0, 4) + Array(handler.utf8) + big(0, 12) + Array("Handler\0".utf8))
      + ISOBuilder.box("minf", ISOBuilder.box("stbl", sampleTable(samples, at: start, properties)))
    return ISOBuilder.box(
      "trak", header + (edits.isEmpty && !repeats ? [] : ISOBuilder.box("edts", list)) + ISOBuilder.box("mdia", media))
  }

  private func movie(at start: Int) -> [UInt8] {
    var content = ISOBuilder.fullBox("mvhd", big(0, 8) + big(1000, 4) + big(100 * samples.count, 4) + big(0, 80))
    content += track(1, handler, samples, at: start, properties)
    if !alpha.isEmpty {
      let type = ISOBuilder.fullBox("auxi", Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0".utf8))
      content += track(2, "auxv", alpha, at: start + samples.reduce(0) { $0 + $1.count }, type)
    }
    if isFragmented {
      content += ISOBuilder.box(
        "mvex", ISOBuilder.fullBox("trex", big(1, 4) + big(1, 4) + big(100, 4) + big(0, 4) + big(0x1_0000, 4)))
    }
    return ISOBuilder.box("moov", content + extra)
  }

  /// A fragment for each sample. Those that are not sync samples have the default flags.
  private func fragments() -> [UInt8] {
    samples.enumerated().flatMap { index, sample in
      let isSync = syncSamples?.contains(index + 1) ?? true
      func fragment(_ offset: Int) -> [UInt8] {
        let run = ISOBuilder.fullBox(
          "trun", flags: isSync ? 0x205 : 0x201,
          big(1, 4) + big(offset, 4) + (isSync ? big(0, 4) : []) + big(sample.count, 4))
        let number = descriptions[index + 1]
        let header = ISOBuilder.fullBox(
          "tfhd", flags: number == nil ? 0x2_0000 : 0x2_0002, big(1, 4) + (number.map { big($0, 4) } ?? []))
        return ISOBuilder.box(
          "moof", ISOBuilder.fullBox("mfhd", big(index, 4)) + ISOBuilder.box("traf", header + run + tables))
      }
      return fragment(fragment(0).count + 8) + ISOBuilder.box("mdat", sample)
    }
  }

  /// The file.
  var file: [UInt8] {
    let start = ISOBuilder.fileType(brand, compatible)
    let data = (samples + alpha).flatMap { $0 }
    if isFragmented { return start + movie(at: 0) + fragments() }
    if isDataFirst { return start + ISOBuilder.box("mdat", data) + movie(at: start.count + 8) }
    return start + movie(at: start.count + movie(at: 0).count + 8) + ISOBuilder.box("mdat", data)
  }
}
