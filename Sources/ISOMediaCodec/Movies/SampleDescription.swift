// How the samples of a track are coded: an entry of the sample description box (ISO/IEC 14496-12, 8.5.2 and 12.1.3).

internal import ImageCoding

/// A sample entry. Fields that it lacks, or that are damaged, are `nil` or empty.
struct SampleDescription: Hashable, Sendable {
  /// The type of the entry, such as `"avc1"`; empty if there is none.
  var coding = ""
  /// The coded size in pixels; `nil` for sound.
  var codedSize: PixelSize?
  /// The number of bits per sample according to the decoder configuration.
  var bitDepth: Int?
  /// The type of samples that are images of another format.
  var imageType: AssetType?
  /// The type of an auxiliary track.
  var auxiliaryType: String?
  /// The width and the height of a pixel in the same unit (`pasp`).
  var pixelShape: PixelSize?
  /// The colour code points (`colr` of type `nclx` or `nclc`).
  var codePoints: CodingIndependentCodePoints?
  /// Whether the range of ``codePoints`` is stated, as `nclx` does.
  var statesRange = false
  /// The part of the coded picture that is shown (`clap`); `nil` for all of it.
  var cleanAperture: PixelRegion?
  /// The position of the decoder configuration record; empty if there is none.
  var configuration = 0..<0
  /// The position of the ICC profile; empty if there is none.
  var profile = 0..<0

  /// The number of bytes of a visual sample entry before its boxes.
  private static let visualByteCount = 78

  init() {}

  /// Reads an entry.
  ///
  /// - Parameters:
  ///   - entry: a child of the sample description box.
  ///   - isVisual: whether the track has pictures.
  init(_ entry: ISOBox, isVisual: Bool, _ bytes: Span<UInt8>) {
    coding = entry.type.description
    guard isVisual else { return }
    var reader = ByteReader(bytes.extracting(entry.payload), baseOffset: entry.payload.lowerBound)
    guard (try? reader.skip(6 + 2 + 16)) != nil, let width = try? reader.readUInt16BigEndian(),
      let height = try? reader.readUInt16BigEndian()
    else { return }
    codedSize = PixelSize(width: Int(width), height: Int(height))
    switch entry.type {
    case "jpeg": imageType = ISOMediaDecoder.jpeg
    case "png ": imageType = ISOMediaDecoder.png
    case "mjp2": imageType = ISOMediaDecoder.jpeg2000
    default: break
    }
    guard entry.payload.count > Self.visualByteCount else { return }
    var boxes = ISOBoxIterator(bytes, in: entry.payload.dropFirst(Self.visualByteCount))
    while let box = boxes.next() { readProperty(box, bytes) }
  }

  /// Reads a box of a visual sample entry.
  private mutating func readProperty(_ box: ISOBox, _ bytes: Span<UInt8>) {
    var reader = ByteReader(bytes.extracting(box.payload))
    switch box.type {
    case "auxi":
      let text = bytes.extracting(box.fullPayload)
      auxiliaryType = String(utf8: text.extracting(..<min(text.count, 256)).upToNUL())
    case "esds": imageType = Self.imageType(ofStreamDescriptor: bytes.extracting(box.fullPayload)) ?? imageType
    case "hvcC", "av1C", "avcC", "jp2h":
      configuration = box.payload
      bitDepth = Self.bitDepth(ofConfiguration: bytes.extracting(box.payload), type: box.type)
    case "clap":
      if let codedSize { cleanAperture = try? CleanAperture(parsing: &reader).region(in: codedSize) }
    case "pasp":
      guard let width = try? reader.readUInt32BigEndian(), let height = try? reader.readUInt32BigEndian(), width > 0,
        height > 0
      else { return }
      pixelShape = PixelSize(width: Int(clamping: width), height: Int(clamping: height))
    case "colr":
      let type = FourCharacterCode(bytes, at: box.payload.lowerBound)
      if type == "prof" || type == "rICC" { profile = box.payload.dropFirst(4) }
      if type == "nclx" || type == "nclc" {
        codePoints = Self.codePoints(&reader)
        statesRange = type == "nclx" && codePoints != nil
      }
    default: break
    }
  }

  /// Reads code points after their type. QuickTime's `nclc` states no range.
  private static func codePoints(_ reader: inout ByteReader) -> CodingIndependentCodePoints? {
    guard (try? reader.skip(4)) != nil, let primaries = try? reader.readUInt16BigEndian(),
      let transfer = try? reader.readUInt16BigEndian(), let matrix = try? reader.readUInt16BigEndian()
    else { return nil }
    let flags = (try? reader.readUInt8()) ?? 0
    return CodingIndependentCodePoints(
      colorPrimaries: UInt8(truncatingIfNeeded: primaries), transferFunction: UInt8(truncatingIfNeeded: transfer),
      matrixCoefficients: UInt8(truncatingIfNeeded: matrix), isFullRange: flags & 0x80 != 0)
  }

  /// Returns the depth of luma that a decoder configuration record states; `nil` if it ends early.
  private static func bitDepth(ofConfiguration record: Span<UInt8>, type: FourCharacterCode) -> Int? {
    switch type {
    // ISO/IEC 14496-15, 8.3.3.1: after profile, level, segmentation, parallelism and chroma format.
    case "hvcC": record.count > 17 ? Int(record[17] & 7) + 8 : nil
    // AV1 in ISOBMFF, 2.3: high_bitdepth and twelve_bit.
    case "av1C": record.count > 2 ? (record[2] & 0x40 == 0 ? 8 : record[2] & 0x20 == 0 ? 10 : 12) : nil
    case "avcC": bitDepth(ofAVCConfiguration: record)
    default: nil
    }
  }

  /// Profiles other than those of Baseline, Main and Extended state the depth after the parameter sets
  /// (ISO/IEC 14496-15, 5.3.3.1). Some encoders leave it out.
  private static func bitDepth(ofAVCConfiguration record: Span<UInt8>) -> Int? {
    guard record.count > 5 else { return nil }
    if [66, 77, 88].contains(record[1]) { return 8 }
    var reader = ByteReader(record)
    do throws(CodecError) {
      try reader.skip(5)
      for mask in [31, 255] as [UInt8] {
        for _ in 0..<(try reader.readUInt8() & mask) { try reader.skip(Int(try reader.readUInt16BigEndian())) }
      }
      try reader.skip(1)
      return Int(try reader.readUInt8() & 7) + 8
    } catch {
      return nil
    }
  }

  /// Returns the object type of an elementary stream descriptor if it is an image type (ISO/IEC 14496-1, 7.2.6.5–6).
  private static func imageType(ofStreamDescriptor bytes: Span<UInt8>) -> AssetType? {
    var reader = ByteReader(bytes)
    guard (try? reader.readUInt8()) == 3, skipLength(&reader), (try? reader.skip(2)) != nil,
      let flags = try? reader.readUInt8(), flags & 0xE0 == 0, (try? reader.readUInt8()) == 4, skipLength(&reader),
      let objectType = try? reader.readUInt8()
    else { return nil }
    return objectType == 0x6C ? ISOMediaDecoder.jpeg : objectType == 0x6D ? ISOMediaDecoder.png : nil
  }

  /// Skips a length in groups of seven bits.
  private static func skipLength(_ reader: inout ByteReader) -> Bool {
    for _ in 0..<4 {
      guard let byte = try? reader.readUInt8() else { return false }
      if byte & 0x80 == 0 { return true }
    }
    return false
  }
}
