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
    var firstOffset: Int?
    var firstByteCount: Int?
    var boxes = ISOBoxIterator(bytes, in: range)
    while let box = boxes.next() {
      track.samples.read(box, bytes)
      var reader = ByteReader(bytes.extracting(box.payload), baseOffset: box.payload.lowerBound)
      guard (try? reader.skip(4)) != nil else { continue }
      switch box.type {
      case "stsd": try? readSampleEntry(&reader, into: &track)
      case "stsz":
        guard let common = try? reader.readUInt32BigEndian(), let count = try? reader.readUInt32BigEndian() else {
          continue
        }
        // A table of sizes has to be present, whereas one common size may apply to any number of samples.
        track.sampleCount = common == 0 ? min(Int(clamping: count), reader.remaining / 4) : Int(clamping: count)
        firstByteCount =
          common == 0 ? (try? reader.readUInt32BigEndian()).map { Int(clamping: $0) } : Int(clamping: common)
      case "stco", "co64":
        guard let count = try? reader.readUInt32BigEndian(), count > 0 else { continue }
        firstOffset = (try? reader.readInteger(byteCount: box.type == "stco" ? 4 : 8, isBigEndian: true))
          .map { Int(clamping: $0) }
      default: break
      }
    }
    if let firstOffset, let firstByteCount, firstOffset <= Int.max - firstByteCount, track.sampleCount > 0 {
      track.firstSampleRange = firstOffset..<firstOffset + firstByteCount
    }
  }

  /// Reads the first entry of the sample description box: size, type and, for visual entries, the picture's size.
  private func readSampleEntry(
    _ reader: inout ByteReader, into track: inout VideoAssetInfo.Track
  ) throws(CodecError) {
    guard try reader.readUInt32BigEndian() > 0 else { return }
    let start = reader.byteOffset
    let byteCount = Int(clamping: try reader.readUInt32BigEndian())
    let type = FourCharacterCode(rawValue: try reader.readUInt32BigEndian())
    track.coding = type.description
    // Handlers precede sample tables. Sound and text have no size.
    guard track.handler == "vide" || track.handler == "pict" || track.handler == "auxv" else { return }
    try reader.skip(6 + 2 + 16)
    let width = Int(try reader.readUInt16BigEndian())
    let height = Int(try reader.readUInt16BigEndian())
    track.codedSize = PixelSize(width: width, height: height)
    switch type {
    case "jpeg": track.imageType = ISOMediaDecoder.jpeg
    case "png ": track.imageType = ISOMediaDecoder.png
    default: break
    }
    // Boxes with codec properties follow the entry's 86 bytes.
    guard byteCount > 86, start + 86 <= bytes.count else { return }
    var boxes = ISOBoxIterator(bytes, in: start + 86..<min(start + byteCount, bytes.count))
    while let box = boxes.next() { readProperty(box, into: &track) }
  }

  /// Reads a box of a visual sample entry.
  private func readProperty(_ box: ISOBox, into track: inout VideoAssetInfo.Track) {
    var reader = ByteReader(bytes.extracting(box.payload))
    switch box.type {
    case "auxi":
      let text = bytes.extracting(box.fullPayload)
      track.auxiliaryType = String(utf8: text.extracting(..<min(text.count, 256)).upToNUL())
    case "esds": track.imageType = imageType(ofStreamDescriptor: box.fullPayload) ?? track.imageType
    case "hvcC", "av1C", "avcC": track.configuration = box.payload
    case "clap":
      if let size = track.codedSize { track.cleanAperture = try? CleanAperture(parsing: &reader).region(in: size) }
    case "pasp":
      guard let width = try? reader.readUInt32BigEndian(), let height = try? reader.readUInt32BigEndian(), width > 0,
        height > 0
      else { return }
      track.pixelShape = PixelSize(width: Int(clamping: width), height: Int(clamping: height))
    case "colr":
      let type = FourCharacterCode(bytes, at: box.payload.lowerBound)
      if type == "prof" || type == "rICC" { track.profile = box.payload.dropFirst(4) }
      if type == "nclx" || type == "nclc" {
        track.codePoints = codePoints(&reader)
        track.statesRange = type == "nclx" && track.codePoints != nil
      }
    default: break
    }
  }

  /// Reads code points after their type. QuickTime's `nclc` states no range.
  private func codePoints(_ reader: inout ByteReader) -> CodingIndependentCodePoints? {
    guard (try? reader.skip(4)) != nil, let primaries = try? reader.readUInt16BigEndian(),
      let transfer = try? reader.readUInt16BigEndian(), let matrix = try? reader.readUInt16BigEndian()
    else { return nil }
    let flags = (try? reader.readUInt8()) ?? 0
    return CodingIndependentCodePoints(
      colorPrimaries: UInt8(truncatingIfNeeded: primaries), transferFunction: UInt8(truncatingIfNeeded: transfer),
      matrixCoefficients: UInt8(truncatingIfNeeded: matrix), isFullRange: flags & 0x80 != 0)
  }

  /// Returns the object type of an elementary stream descriptor if it is an image type (ISO/IEC 14496-1, 7.2.6.5–6).
  private func imageType(ofStreamDescriptor range: Range<Int>) -> AssetType? {
    var reader = ByteReader(bytes.extracting(range))
    guard (try? reader.readUInt8()) == 3, skipLength(&reader), (try? reader.skip(2)) != nil,
      let flags = try? reader.readUInt8(), flags & 0xE0 == 0, (try? reader.readUInt8()) == 4, skipLength(&reader),
      let objectType = try? reader.readUInt8()
    else { return nil }
    return objectType == 0x6C ? ISOMediaDecoder.jpeg : objectType == 0x6D ? ISOMediaDecoder.png : nil
  }

  /// Skips a length in groups of seven bits.
  private func skipLength(_ reader: inout ByteReader) -> Bool {
    for _ in 0..<4 {
      guard let byte = try? reader.readUInt8() else { return false }
      if byte & 0x80 == 0 { return true }
    }
    return false
  }
}
