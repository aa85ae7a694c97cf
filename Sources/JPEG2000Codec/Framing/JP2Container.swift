// The structure of a file: its codestreams, its header and the metadata next to them (ITU-T T.800, annex I).

internal import ImageCoding

/// The location of everything in a file that has been received so far.
struct JP2Container: Sendable {
  /// The location of a codestream.
  struct Codestream: Sendable {
    /// The range within the bytes received.
    let bytes: Range<Int>
    /// Whether its end has been received.
    let isComplete: Bool
  }

  private(set) var codestreams: [Codestream] = []
  /// The content of the header superbox, within the bytes received.
  private(set) var header: Range<Int>?
  /// The boxes that can contain metadata.
  private(set) var metadata: [Box] = []
  /// Whether the file is a compound of documents and rasters (JPM), which is another format.
  private(set) var isCompound = false
  /// Whether the codestream was found without boxes, because they are damaged.
  private(set) var isRecovered = false

  static let signature: [UInt8] = [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]

  /// Finds the boxes in the bytes received so far.
  ///
  /// - Parameter stopsAtCodestream: whether boxes after the first codestream are of no interest.
  init(
    scanning bytes: Span<UInt8>, stopsAtCodestream: Bool, budget: inout ResourceBudget
  ) throws(CodecError) {
    if bytes.count > 0, bytes[0] == 0xFF {
      codestreams = [Codestream(bytes: 0..<bytes.count, isComplete: true)]
      return
    }
    for (index, expected) in Self.signature.enumerated() where index < bytes.count {
      guard bytes[index] == expected else {
        throw .jpeg2000(.unrecognizedFormat, "the signature is wrong", at: 0)
      }
    }
    var offset = Self.signature.count
    while let box = try Self.box(bytes, at: offset, isRequired: codestreams.isEmpty) {
      try budget.chargeWork(50, byteOffset: offset)
      try add(box, bytes, &budget)
      guard box.content.upperBound < bytes.count, !(stopsAtCodestream && !codestreams.isEmpty) else { break }
      offset = box.content.upperBound
    }
    if codestreams.isEmpty { try recover(bytes, &budget) }
  }

  /// Finds a codestream by its first markers. OpenJPEG, too, decodes files whose boxes have wrong sizes.
  private mutating func recover(_ bytes: Span<UInt8>, _ budget: inout ResourceBudget) throws(CodecError) {
    for offset in bytes.indices.dropLast(3) {
      if offset & 0xFFFF == 0 { try budget.chargeWork(0x10000, byteOffset: offset) }
      guard bytes[offset] == 0xFF, FourCharacterCode(bytes, at: offset)?.rawValue == 0xFF4F_FF51 else { continue }
      codestreams = [Codestream(bytes: offset..<bytes.count, isComplete: true)]
      isRecovered = true
      return
    }
  }

  /// Reads a box. Bytes after the codestream may be garbage.
  private static func box(_ bytes: Span<UInt8>, at offset: Int, isRequired: Bool) throws(CodecError) -> Box? {
    do throws(CodecError) {
      return try Box(bytes, at: offset, format: JPEG2000Decoder.type)
    } catch {
      if isRequired { throw error }
      return nil
    }
  }

  private mutating func add(_ box: Box, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget) throws(CodecError) {
    let content = box.content.clamped(to: 0..<bytes.count)
    switch box.type {
    case "ftyp": isCompound = FourCharacterCode(bytes, at: content.lowerBound) == "jpm "
    case "jp2h": header = header ?? content
    case "jp2c":
      try budget.allocate(MemoryLayout<Codestream>.stride)
      // The last box may extend to the end of the file, wherever that is.
      let isComplete = box.content.upperBound <= bytes.count || box.content.upperBound == .max
      codestreams.append(Codestream(bytes: content, isComplete: isComplete))
    case "uuid":
      try budget.allocate(MemoryLayout<Box>.stride)
      metadata.append(box)
    default: break
    }
  }
}
