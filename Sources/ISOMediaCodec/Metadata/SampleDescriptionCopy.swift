// The sample descriptions of pictures without texts and boxes that are not needed to show them (ISO/IEC 14496-12, 8.5.2
// and 12.1.3).

internal import ImageCoding

/// Copies sample descriptions.
enum SampleDescriptionCopy {
  /// The codings of pictures.
  private static let pictureCodings: Set<FourCharacterCode> = ["hvc1", "hev1", "av01", "avc1", "avc3", "vvc1", "mjpg"]
  /// The boxes of a visual sample entry that stay.
  private static let boxes: Set<FourCharacterCode> = [
    "hvcC", "lhvC", "av1C", "avcC", "vvcC", "colr", "pasp", "clap", "ccst", "auxi", "clli", "mdcv", "cclv", "amve",
    "fiel", "jpgC", "vexu",
  ]
  /// The number of bytes of a visual sample entry before its boxes, and the range of the name of the compressor.
  private static let entryByteCount = 78
  private static let name = 42..<74

  /// Returns the payload of `stsd`. Entries that are not of pictures are copied.
  static func payload(_ box: ISOBox, _ bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> [UInt8] {
    let start = box.fullPayload.lowerBound
    guard box.payload.count >= 8 else { return Array(copying: bytes.extracting(box.payload)) }
    var output = ByteWriter(.bigEndian, after: Array(copying: bytes.extracting(box.payload.lowerBound..<start + 4)))
    var entries = ISOBoxIterator(bytes, in: start + 4..<box.payload.upperBound)
    while let entry = entries.next() {
      try budget.chargeWork(ISOBoxIterator.workPerBox + entry.payload.count)
      guard pictureCodings.contains(entry.type), entry.payload.count >= entryByteCount else {
        output.append(entry.type, copying: bytes.extracting(entry.payload))
        continue
      }
      let boxStart = entry.payload.lowerBound + entryByteCount
      var fields = Array(copying: bytes.extracting(entry.payload.lowerBound..<boxStart))
      for index in name { fields[index] = 0 }
      var content = ByteWriter(.bigEndian, after: fields)
      var children = ISOBoxIterator(bytes, in: boxStart..<entry.payload.upperBound)
      while let child = children.next() {
        try budget.chargeWork(ISOBoxIterator.workPerBox)
        guard boxes.contains(child.type) else { continue }
        let payload = bytes.extracting(child.payload)
        if child.type == "hvcC", let configuration = HEVCContent.configuration(payload) {
          content.append(child.type, configuration)
        } else if child.type == "avcC", let configuration = AVCContent.configuration(payload) {
          content.append(child.type, configuration)
        } else {
          content.append(child.type, copying: payload)
        }
      }
      output.append(entry.type, content.bytes)
    }
    return output.bytes
  }

  /// Returns the payload of `dinf` with the same number of data references, all to the file itself (8.7.2).
  static func dataReferences(_ box: ISOBox, _ bytes: Span<UInt8>) -> [UInt8] {
    var boxes = ISOBoxIterator(bytes, in: box.payload)
    guard let references = boxes.first("dref") else { return [] }
    // Version, flags and the count.
    let start = references.payload.lowerBound + 8
    var entries = ISOBoxIterator(bytes, in: start..<max(start, references.payload.upperBound))
    var count = 0
    while entries.next() != nil { count += 1 }
    var content = ByteWriter(.bigEndian, after: [0, 0, 0, 0])
    content.append(UInt32(truncatingIfNeeded: count))
    for _ in 0..<count { content.append("url ", [0, 0, 0, 1]) }
    var output = ByteWriter(.bigEndian)
    output.append("dref", content.bytes)
    return output.bytes
  }
}
