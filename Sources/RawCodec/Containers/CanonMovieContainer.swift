// CR3: an ISO base media file. Canon's boxes hold the directories of EXIF and the smaller pictures; the largest is the
// sample of the first track.

internal import ISOMediaCodec
internal import ImageCoding
internal import MetadataFormats

/// Reads raw files of Canon since 2018.
enum CanonMovieContainer {
  /// The identifier of Canon's box of metadata in the movie box.
  private static let metadataIdentifier: [UInt8] = [
    0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
  ]
  /// The identifier of the box of the preview.
  private static let previewIdentifier: [UInt8] = [
    0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D, 0x16,
  ]
  /// The number of boxes after which others are ignored.
  private static let maximumBoxCount = 1_024

  /// The contents of the boxes.
  private struct Contents {
    var pictures: [(range: Range<Int>, kind: EmbeddedPicture.Kind)] = []
    var image = 0..<0
    var exif = 0..<0
    var gps = 0..<0
  }

  static func read(
    _ bytes: Span<UInt8>, _ collector: inout PictureCollector, budget: inout ResourceBudget
  ) throws(CodecError) -> RawFile {
    budget.format = RawFormat.cr3.type
    var contents = Contents()
    // Boxes that contain others: the movie, its tracks, and Canon's.
    var containers = [0..<bytes.count]
    var track = Track()
    var count = 0
    while let range = containers.popLast() {
      var boxes = ISOBoxIterator(bytes, in: range)
      var inner: [Range<Int>] = []
      while count < maximumBoxCount, let box = boxes.next() {
        count += 1
        try budget.chargeWork(ISOBoxIterator.workPerBox * 4)
        switch box.type {
        case "moov", "mdia", "minf", "stbl": inner.append(box.payload)
        case "trak":
          track = Track()
          inner.append(box.payload)
        case "uuid":
          let start = box.payload.lowerBound
          guard box.payload.count >= 24 else { break }
          if isBox(bytes, at: start, metadataIdentifier) { inner.append(start + 16..<box.payload.upperBound) }
          if isBox(bytes, at: start, previewIdentifier) { inner.append(start + 24..<box.payload.upperBound) }
        case "CMT1": contents.image = box.payload
        case "CMT2": contents.exif = box.payload
        case "CMT4": contents.gps = box.payload
        case "THMB": contents.pictures.append((stream(in: box, bytes), .thumbnail))
        case "PRVW": contents.pictures.append((stream(in: box, bytes), .preview))
        case "stsd", "stsz", "co64", "stco": track.read(box, bytes)
        default: break
        }
      }
      if let picture = track.picture {
        contents.pictures.append((picture, .fullSize))
        track = Track()
      }
      containers += inner.reversed()
    }
    for picture in contents.pictures {
      try collector.addJPEG(picture.range, as: picture.kind, in: bytes, budget: &budget)
    }
    let image = bytes.extracting(contents.image)
    return RawFile(
      format: .cr3, pictures: collector.pictures, orientation: ImageOrientation(exif: image) ?? .up,
      metadata: .boxes(image: contents.image, exif: contents.exif, gps: contents.gps),
      sensor: .unsupported("sensor data of CR3 files"))
  }

  private static func isBox(_ bytes: Span<UInt8>, at start: Int, _ identifier: [UInt8]) -> Bool {
    (0..<16).allSatisfy { bytes[start + $0] == identifier[$0] }
  }

  /// Returns the JPEG stream at the end of a box; the size of what precedes it depends on the version of the box. Empty
  /// if the box is not completely in the file.
  private static func stream(in box: ISOBox, _ bytes: Span<UInt8>) -> Range<Int> {
    let payload = box.payload
    let end = box.isComplete ? payload.upperBound : payload.lowerBound
    for start in payload.lowerBound..<max(payload.lowerBound, min(payload.lowerBound + 32, end - 1))
    where bytes[start] == 0xFF && bytes[start + 1] == 0xD8 {
      return start..<end
    }
    return payload.lowerBound..<payload.lowerBound
  }

  /// The boxes of a track that tell where its only sample is.
  private struct Track {
    private var isJPEG = false
    private var byteCount: Int?
    private var offset: Int?

    /// The position of the sample, once all boxes have been read and it is a JPEG stream.
    var picture: Range<Int>? { isJPEG ? offset.flatMap { byteRange(at: $0, count: byteCount) } : nil }

    mutating func read(_ box: ISOBox, _ bytes: Span<UInt8>) {
      let payload = bytes.extracting(box.payload)
      func word(at offset: Int) -> Int? { FourCharacterCode(payload, at: offset).map { Int(clamping: $0.rawValue) } }
      switch box.type {
      case "stsd":
        // One entry: a video sample entry of 86 bytes, followed by a box that names the coding.
        isJPEG =
          FourCharacterCode(payload, at: 12) == "CRAW"
          && (8 + 86..<8 + 110).contains { FourCharacterCode(payload, at: $0) == "JPEG" }
      case "stsz":
        // The size of all samples, or 0 and a table.
        let common = word(at: 4) ?? 0
        byteCount = common > 0 ? common : word(at: 12)
      case "stco": offset = word(at: 8)
      default:
        guard let high = FourCharacterCode(payload, at: 8), let low = FourCharacterCode(payload, at: 12) else { return }
        offset = Int(exactly: UInt64(high.rawValue) << 32 | UInt64(low.rawValue))
      }
    }
  }
}
