// One track of a movie box: tkhd, edts, mdia (ISO/IEC 14496-12, 8.3–8.7).

internal import ImageCoding

/// Reads the content of a track box. Damaged parts are left out.
struct TrackReader: ~Escapable {
  private let bytes: Span<UInt8>

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
  }

  /// Reads a track box.
  func read(_ box: ISOBox) -> VideoAssetInfo.Track {
    var track = VideoAssetInfo.Track()
    var boxes = ISOBoxIterator(bytes, in: box.payload)
    while let child = boxes.next() {
      var reader = ByteReader(bytes.extracting(child.payload), baseOffset: child.payload.lowerBound)
      switch child.type {
      case "tkhd": try? readTrackHeader(&reader, into: &track)
      case "edts":
        var edits = ISOBoxIterator(bytes, in: child.payload)
        if let list = edits.first("elst") { track.edits = EditList(bytes, in: list.payload) }
      case "mdia": readMedia(child.payload, into: &track)
      default: break
      }
    }
    if track.handler == "soun" { track.displaySize = nil }
    return track
  }

  private func readTrackHeader(
    _ reader: inout ByteReader, into track: inout VideoAssetInfo.Track
  ) throws(CodecError) {
    let version = try reader.readUInt8()
    try reader.skip(version == 1 ? 19 : 11)
    track.id = try reader.readUInt32BigEndian()
    try reader.skip((version == 1 ? 12 : 8) + 16)
    var matrix: [Int32] = []
    for _ in 0..<9 { matrix.append(Int32(bitPattern: try reader.readUInt32BigEndian())) }
    track.orientation = orientation(a: matrix[0], b: matrix[1], c: matrix[3], d: matrix[4])
    // 16.16 fixed-point numbers.
    let width = Int(try reader.readUInt32BigEndian() >> 16)
    let height = Int(try reader.readUInt32BigEndian() >> 16)
    track.displaySize = PixelSize(width: width, height: height)
  }

  /// x' = a·x + c·y, y' = b·x + d·y, with y downwards.
  private func orientation(a: Int32, b: Int32, c: Int32, d: Int32) -> ImageOrientation {
    switch (a.signum(), b.signum(), c.signum(), d.signum()) {
    case (0, 1, -1, 0): .right
    case (-1, 0, 0, -1): .down
    case (0, -1, 1, 0): .left
    case (-1, 0, 0, 1): .upMirrored
    case (1, 0, 0, -1): .downMirrored
    case (0, 1, 1, 0): .leftMirrored
    case (0, -1, -1, 0): .rightMirrored
    default: .up
    }
  }

  private func readMedia(_ range: Range<Int>, into track: inout VideoAssetInfo.Track) {
    var boxes = ISOBoxIterator(bytes, in: range)
    while let box = boxes.next() {
      var reader = ByteReader(bytes.extracting(box.payload), baseOffset: box.payload.lowerBound)
      switch box.type {
      case "mdhd":
        let header = try? MediaHeader(parsing: &reader)
        track.duration = header?.duration
        track.timescale = header?.timescale ?? 0
      case "hdlr":
        if let handler = FourCharacterCode(bytes, at: box.payload.lowerBound + 8), box.payload.count >= 12 {
          track.handler = handler.description
        }
      case "minf":
        var children = ISOBoxIterator(bytes, in: box.payload)
        if let table = children.first("stbl") { readSampleTable(table.payload, into: &track) }
      default: break
      }
    }
  }

  private func readSampleTable(_ range: Range<Int>, into track: inout VideoAssetInfo.Track) {
    var boxes = ISOBoxIterator(bytes, in: range)
    while let box = boxes.next() {
      track.samples.read(box, bytes)
      // Version, flags and the number of entries.
      if box.type == "stsd" { track.descriptions = box.payload.dropFirst(8) }
    }
    track.sampleCount = track.samples.sampleCount
    track.firstSampleRange = track.samples.firstRange(bytes)
    readDescription(into: &track)
  }

  /// Reads the description of the first sample. Handlers precede sample tables.
  private func readDescription(into track: inout VideoAssetInfo.Track) {
    var entries = ISOBoxIterator(bytes, in: track.descriptions)
    var index = track.samples.firstDescription(bytes)
    while let entry = entries.next() {
      if index == 0 {
        track.description = SampleDescription(entry, isVisual: track.isVisual, bytes)
        return
      }
      index -= 1
    }
  }
}
