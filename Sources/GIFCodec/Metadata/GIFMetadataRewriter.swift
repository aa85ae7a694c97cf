// Replaces the comments and application data of a file and leaves its pixels unchanged.

internal import ByteCompression
public import ImageCoding

/// Rewrites a GIF with other metadata. Image data is copied.
///
/// The result ends with a trailer. Anything after it in the file is dropped.
///
/// If metadata is stripped, bytes that no decoder reads are dropped too: after the fields of a graphic control extension
/// and of a loop count, and image data after the last pixel. To find its end, the codes are read, but not decoded to
/// pixels. Image data with a code that does not exist is copied up to its last sub-block.
package struct GIFMetadataRewriter: MetadataRewriter {
  /// ``GIFDecoder/type``.
  package static var type: AssetType { GIFDecoder.type }
  /// Whether plain text and the data of unknown applications are copied. Set to `false` to strip metadata.
  package var keepsUnknownParts: Bool

  /// Creates a rewriter. By default it copies unknown extensions.
  package init(keepsUnknownParts: Bool = true) {
    self.keepsUnknownParts = keepsUnknownParts
  }

  /// The work units for a block.
  private static let workPerBlock = 50
  /// The work units for copying a byte of image data and reading its codes.
  private static let workPerCodedByte = 8

  /// Returns the file with its comments and its XMP packet replaced by those of `metadata`. Loop counts, graphic control
  /// extensions and the ICC profile are left unchanged.
  ///
  /// - Throws: `CodecError.Kind.malformed` if the file is not a GIF, `CodecError.Kind.truncated` if it ends before its
  ///   first image; `CodecError.Kind.encodingFailed` for an XMP packet with null bytes; `CodecError.Kind.limitExceeded`.
  package func rewrite(
    _ bytes: Span<UInt8>, metadata: ImageMetadata, orientation: ImageOrientation?, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    try budget.allocate(bytes.count)
    var extensions = BlockWriter()
    var written = ImageMetadata()
    (written.comments, written.xmp) = (metadata.comments, metadata.xmp)
    try extensions.appendMetadata(written, colorSpace: .unspecified)

    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + extensions.bytes.count)
    var blocks = BlockReader()
    var position = 0
    var block = Block(start: 0)
    var hasImage = false
    walk: while let event = try blocks.next(bytes, position: &position) {
      switch event {
      case .screen:
        output.append(copying: bytes.extracting(0..<position))
        output += extensions.bytes
        block = Block(start: position)
      case .extensionStart(let label): block.label = label
      case .image(let descriptor, _, let minimumCodeSize):
        block.isImage = true
        output.append(copying: bytes.extracting(block.start..<position))
        guard !keepsUnknownParts, (1...11).contains(minimumCodeSize) else { break }
        let (pixelCount, overflow) = descriptor.region.width.multipliedReportingOverflow(by: descriptor.region.height)
        block.extent = LZWExtent(
          LZWCoding(literalWidth: minimumCodeSize, bitOrder: .leastSignificantFirst),
          outputByteCount: overflow ? .max : pixelCount)
      case .subBlock(let byteCount):
        block.subBlockByteCount = byteCount
        block.subBlockIndex += 1
      case .data(let range):
        if block.isImage {
          try budget.chargeWork(count: range.count, unitsEach: Self.workPerCodedByte, byteOffset: range.lowerBound)
          append(bytes.extracting(range), of: &block, to: &output)
        } else {
          block.note(range, bytes)
        }
      case .blockEnd:
        try budget.chargeWork(Self.workPerBlock + (position - block.start) / 4, byteOffset: position)
        if block.isImage {
          output.append(0)
          hasImage = true
        } else {
          append(block, bytes.extracting(block.start..<position), bytes, to: &output)
        }
        block = Block(start: position)
      case .unknownBlock, .trailer: break walk
      }
    }
    // Image data that is cut off by the end of the file stays so.
    if block.isImage { return output }
    guard hasImage else {
      throw CodecError(
        .truncated, "the file ends before its first image", format: GIFDecoder.type, byteOffset: bytes.count)
    }
    return output + [BlockReader.trailer]
  }

  /// A block that is being read.
  private struct Block {
    let start: Int
    var label: UInt8?
    var isImage = false
    /// The size of the current sub-block as stated, which may exceed the file, and its index, starting at 1.
    var subBlockByteCount = 0
    var subBlockIndex = 0
    /// The data of the first sub-block, which names the application.
    var name: Range<Int>?
    /// The first bytes of all data.
    var firstBytes: [UInt8] = []
    /// The loop count, as in the last sub-block with one.
    var loopCount: [UInt8]?
    /// Finds the end of the image data.
    var extent: LZWExtent?

    init(start: Int) {
      self.start = start
    }

    /// Reads the data of a sub-block of an extension.
    mutating func note(_ range: Range<Int>, _ bytes: Span<UInt8>) {
      for index in range.prefix(max(0, 4 - firstBytes.count)) { firstBytes.append(bytes[index]) }
      if subBlockIndex == 1 {
        name = range
      } else if range.count >= 3, bytes[range.lowerBound] & 7 == 1 {
        loopCount = [bytes[range.lowerBound + 1], bytes[range.lowerBound + 2]]
      }
    }
  }

  /// Appends a sub-block of an image, or the part of it that its pixels need.
  private func append(_ data: Span<UInt8>, of block: inout Block, to output: inout [UInt8]) {
    let count = block.extent?.usedByteCount(of: data) ?? data.count
    guard count > 0 else { return }
    output.append(UInt8(truncatingIfNeeded: count < data.count ? count : block.subBlockByteCount))
    output.append(copying: data.extracting(0..<count))
  }

  /// Appends an extension if it is kept, without the bytes in it that decoders do not use.
  private func append(_ block: Block, _ whole: Span<UInt8>, _ bytes: Span<UInt8>, to output: inout [UInt8]) {
    guard keeps(block, bytes), let label = block.label else { return }
    if keepsUnknownParts { return output.append(copying: whole) }
    switch label {
    case 0xF9:
      guard block.firstBytes.count == 4 else { return }
      output += [BlockReader.extensionIntroducer, label, 4] + block.firstBytes + [0]
    case 0xFF where !isNamed("ICCRGBG1012", block, bytes):
      guard let name = block.name, let loopCount = block.loopCount else { return }
      output += [BlockReader.extensionIntroducer, label, UInt8(truncatingIfNeeded: name.count)]
      output.append(copying: bytes.extracting(name))
      output += [3, 1] + loopCount + [0]
    default: output.append(copying: whole)
    }
  }

  private func isNamed(_ name: String, _ block: Block, _ bytes: Span<UInt8>) -> Bool {
    guard let data = block.name, data.count == 11 else { return false }
    return bytes.extracting(data).starts(with: name)
  }

  private func keeps(_ block: Block, _ bytes: Span<UInt8>) -> Bool {
    switch block.label {
    case 0xF9: return true
    case 0xFE: return false
    case 0xFF:
      if ["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"].contains(where: { isNamed($0, block, bytes) }) { return true }
      return keepsUnknownParts && !isNamed("XMP DataXMP", block, bytes)
    default: return keepsUnknownParts
    }
  }
}

extension GIFDecoder {
  /// Returns a rewriter that copies parts of unknown kinds.
  public func metadataRewriter(of type: AssetType) -> AnyMetadataRewriter? { GIFMetadataRewriter().erased }
}
