// The structure of a file: its codestream, and the metadata next to it (ISO/IEC 18181-2, 9).

internal import ImageCoding

/// The location of everything in a file that has been received so far.
struct JXLContainer: Sendable {
  /// A box with metadata.
  struct MetadataBox: Sendable {
    let type: FourCharacterCode
    let content: Range<Int>
    let isCompressed: Bool
  }

  /// The parts of the codestream, in order and within the bytes received.
  private(set) var codestreamParts: [Range<Int>] = []
  /// Whether the end of the codestream has been received, if it is known where it ends.
  private(set) var hasCodestreamEnd = false
  private(set) var metadata: [MetadataBox] = []
  /// The level that the file states; 5 is the default.
  private(set) var level = 5
  /// The location of the data from which a JPEG file can be reconstructed, within the bytes received.
  private(set) var reconstruction: Range<Int>?
  /// The number of bytes that the file has if it ends with the last box that was found.
  private(set) var expectedByteCount = 0
  /// The number of parts of a codestream that is divided, and whether it has a single box.
  private var partCount: UInt32 = 0
  private var hasWholeCodestream = false

  static let signature: [UInt8] = [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]

  /// Finds all boxes in the bytes received so far.
  init(scanning bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    guard bytes.count > 0, bytes[0] != 0xFF else {
      codestreamParts = [0..<bytes.count]
      return
    }
    for (index, expected) in Self.signature.enumerated() where index < bytes.count {
      guard bytes[index] == expected else {
        throw CodecError(.unrecognizedFormat, "the signature is wrong", format: JXLDecoder.type, byteOffset: 0)
      }
    }
    var offset = Self.signature.count
    while let box = try Box(bytes, at: offset, format: JXLDecoder.type) {
      try budget.chargeWork(50, byteOffset: offset)
      try add(box, bytes, &budget)
      expectedByteCount = box.content.upperBound
      guard box.content.upperBound < bytes.count else { break }
      offset = box.content.upperBound
    }
  }

  private mutating func add(
    _ box: Box, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let content = box.content.clamped(to: 0..<bytes.count)
    let isComplete = box.content.upperBound <= bytes.count
    func error(_ reason: String) -> CodecError {
      CodecError(.malformed, reason, format: JXLDecoder.type, byteOffset: box.content.lowerBound)
    }
    switch box.type {
    case "jxlc":
      guard codestreamParts.isEmpty else { throw error("there is more than one codestream") }
      hasWholeCodestream = true
      hasCodestreamEnd = isComplete
      codestreamParts = [content]
    case "jxlp":
      guard !hasWholeCodestream else { throw error("there is more than one codestream") }
      try addPart(content, box, bytes, &budget)
    case "jxll": if let byte = content.first { level = Int(bytes[byte]) }
    case "jbrd": reconstruction = reconstruction ?? content
    case "Exif", "xml ": try add(content, box.type, isCompressed: false, &budget)
    case "brob":
      guard let type = FourCharacterCode(bytes, at: content.lowerBound), type == "Exif" || type == "xml " else { break }
      try add(content.dropFirst(4), type, isCompressed: true, &budget)
    default: break
    }
  }

  private mutating func add(
    _ content: Range<Int>, _ type: FourCharacterCode, isCompressed: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    // As for other formats, the first block of a kind is the one that counts.
    guard !metadata.contains(where: { $0.type == type }) else { return }
    metadata.append(MetadataBox(type: type, content: content, isCompressed: isCompressed))
  }

  private mutating func addPart(
    _ content: Range<Int>, _ box: Box, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    guard let index = FourCharacterCode(bytes, at: content.lowerBound)?.rawValue, content.count >= 4 else {
      guard box.content.upperBound > bytes.count else {
        throw CodecError(
          .malformed, "a part of the codestream has no index", format: JXLDecoder.type,
          byteOffset: box.content.lowerBound)
      }
      return
    }
    guard index & 0x7FFF_FFFF == partCount, !hasCodestreamEnd else {
      throw CodecError(
        .malformed, "the parts of the codestream are not in order", format: JXLDecoder.type,
        byteOffset: box.content.lowerBound)
    }
    try budget.allocate(32)
    partCount += 1
    codestreamParts.append(content.dropFirst(4))
    hasCodestreamEnd = index >> 31 == 1 && box.content.upperBound <= bytes.count
  }
}

extension Range where Bound == Int {
  /// The range without its first elements; empty if it has no more of them.
  fileprivate func dropFirst(_ count: Int) -> Range<Int> { Swift.min(lowerBound + count, upperBound)..<upperBound }
}
