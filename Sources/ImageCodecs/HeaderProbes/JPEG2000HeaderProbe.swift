// JPEG 2000: the image header box, or the SIZ segment of a bare codestream (ITU-T T.800, I.5.3.1 and A.5.1).

internal import ISOMediaCodec
internal import ImageCoding

/// Reads the dimensions of JPEG 2000 files.
struct JPEG2000HeaderProbe: HeaderProbe {
  let types: [AssetType] = [.jpeg2000]

  /// Checks the signature box, or the first two markers of a codestream.
  func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    ProbeResult(
      prefix,
      signatures: [
        [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A], [0xFF, 0x4F, 0xFF, 0x51],
      ], type: .jpeg2000)
  }

  func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    var reader = ByteReader(bytes, format: .jpeg2000)
    if bytes.count > 0, bytes[0] == 0xFF { return try readCodestream(&reader) }
    var boxes = ISOBoxIterator(bytes, in: 0..<bytes.count)
    guard let header = boxes.first("jp2h") else {
      throw CodecError(.truncated, "no JP2 header box", format: .jpeg2000, byteOffset: bytes.count)
    }
    var children = ISOBoxIterator(bytes, in: header.payload)
    guard let imageHeader = children.first("ihdr") else {
      throw CodecError(.malformed, "no image header box", format: .jpeg2000, byteOffset: header.payload.lowerBound)
    }
    try reader.seek(to: imageHeader.payload.lowerBound)
    let height = Int(clamping: try reader.readUInt32BigEndian())
    let width = Int(clamping: try reader.readUInt32BigEndian())
    let componentCount = Int(try reader.readUInt16BigEndian())
    let depth = try reader.readUInt8()
    return makeInfo(width: width, height: height, componentCount: componentCount, depth: depth)
  }

  private func readCodestream(_ reader: inout ByteReader) throws(CodecError) -> ImageInfo {
    try reader.seek(to: 8)
    let right = Int(clamping: try reader.readUInt32BigEndian())
    let bottom = Int(clamping: try reader.readUInt32BigEndian())
    let left = Int(clamping: try reader.readUInt32BigEndian())
    let top = Int(clamping: try reader.readUInt32BigEndian())
    guard right > left, bottom > top else { throw reader.error(.malformed, "SIZ states an empty image") }
    try reader.skip(16)
    let componentCount = Int(try reader.readUInt16BigEndian())
    let depth = try reader.readUInt8()
    return makeInfo(width: right - left, height: bottom - top, componentCount: componentCount, depth: depth)
  }

  /// - Parameter depth: the bit depth minus one, with the sign in the top bit; 255 if components differ.
  private func makeInfo(width: Int, height: Int, componentCount: Int, depth: UInt8) -> ImageInfo {
    ImageInfo(
      type: .jpeg2000, width: width, height: height, bitDepth: depth == 255 ? nil : Int(depth & 0x7F) + 1,
      colorModel: componentCount <= 2 ? .gray : nil, hasAlpha: componentCount == 2 || componentCount == 4)
  }
}
