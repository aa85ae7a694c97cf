// JPEG 2000 codestreams of items and samples as files, so that the boxes of their colours are read with them
// (ISO/IEC 15444-16, 6; ISO/IEC 15444-3, 6).

internal import ImageCoding

/// Wraps codestreams in the boxes of JPEG 2000 files.
enum JP2Wrapping {
  /// The signature of a file.
  private static let signature: [UInt8] = [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]

  /// The number of bytes of the signature and the headers of two boxes.
  private static let addedByteCount = 28

  /// Returns a file with a header and a codestream. It is charged to the budget.
  ///
  /// - Parameters:
  ///   - header: the content of the header superbox; may be empty.
  ///   - data: a codestream, or a box that contains one.
  static func file(
    header: Span<UInt8>, _ data: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    let isBox = FourCharacterCode(data, at: 4) == "jp2c"
    let codestream = isBox ? data.extracting(8..<data.count) : data
    try budget.allocate(header.count + codestream.count + addedByteCount)
    try budget.chargeWork(header.count + codestream.count)
    var start = signature
    start.reserveCapacity(header.count + codestream.count + addedByteCount)
    var file = ByteWriter(.bigEndian, after: start)
    file.append("jp2h", copying: header)
    // A size of 0 extends to the end.
    file.append(0 as UInt32)
    file.append(FourCharacterCode("jp2c").rawValue)
    file.append(copying: codestream)
    return file.bytes
  }
}
