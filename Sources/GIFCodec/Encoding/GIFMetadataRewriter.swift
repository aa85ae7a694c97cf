// Replaces the comments and application data of a file and leaves its pixels byte-identical.

public import ImageCore

/// Rewrites a GIF with other metadata. Image data is copied, not decoded.
///
/// The result ends with a trailer. Anything after it in the file is dropped.
public struct GIFMetadataRewriter: Sendable {
  /// Whether plain text and the data of unknown applications are copied. Set to `false` to strip metadata.
  public var keepsUnknownExtensions: Bool

  /// Creates a rewriter. By default it copies unknown extensions.
  public init(keepsUnknownExtensions: Bool = true) {
    self.keepsUnknownExtensions = keepsUnknownExtensions
  }

  /// The work units for a block.
  private static let workPerBlock = 50

  /// Returns the file with its comments and its XMP packet replaced by those of `metadata`. Loop counts, graphic control
  /// extensions and the ICC profile are left unchanged.
  ///
  /// - Throws: ``CodecError/Kind/malformed`` if the file is not a GIF, ``CodecError/Kind/truncated`` if it ends before its
  ///   first image; ``CodecError/Kind/limitExceeded``.
  public func rewrite(
    _ bytes: Span<UInt8>, metadata: ImageMetadata, limits: DecodingLimits = .default
  ) throws(CodecError) -> [UInt8] {
    var budget = ResourceBudget(limits, format: GIFDecoder.type)
    return try rewrite(bytes, metadata: metadata, budget: &budget)
  }

  /// Rewrites a file within a budget, which is charged for the result and for the work of reading and copying.
  package func rewrite(
    _ bytes: Span<UInt8>, metadata: ImageMetadata, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    try budget.allocate(bytes.count)
    var extensions = BlockWriter()
    var written = ImageMetadata()
    (written.comments, written.xmp) = (metadata.comments, metadata.xmp)
    extensions.appendMetadata(written, colorSpace: .unspecified)

    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + extensions.bytes.count)
    var blocks = BlockReader()
    var position = 0
    var blockStart = 0
    var block = Block.other
    var hasImage = false
    walk: while let event = try blocks.next(bytes, position: &position) {
      switch event {
      case .screen:
        output.append(copying: bytes.extracting(0..<position))
        output += extensions.bytes
        blockStart = position
      case .extensionStart(let label): block = Block(label: label)
      case .image: block = .image
      case .subBlock: block.isFirstSubBlock = block.data == nil
      case .data(let range):
        if block.isFirstSubBlock { block.data = (block.data?.lowerBound ?? range.lowerBound)..<range.upperBound }
      case .blockEnd:
        try budget.chargeWork(Self.workPerBlock + (position - blockStart) / 4, byteOffset: position)
        if keeps(block, bytes) { output.append(copying: bytes.extracting(blockStart..<position)) }
        if block.isImage { hasImage = true }
        blockStart = position
        block = .other
      case .unknownBlock, .trailer: break walk
      }
    }
    // Image data that the end of the file cuts off is kept.
    if block.isImage, blockStart < bytes.count {
      output.append(copying: bytes.extracting(blockStart..<bytes.count))
      return output
    }
    guard hasImage else {
      throw CodecError(
        .truncated, "the file ends before its first image", format: GIFDecoder.type, byteOffset: bytes.count)
    }
    return output + [BlockReader.trailer]
  }

  /// A block that is being read.
  private struct Block {
    var label: UInt8?
    var isImage = false
    var isFirstSubBlock = false
    /// The first data sub-block, which names the application.
    var data: Range<Int>?

    static let other = Block()
    static let image = Block(isImage: true)

    init(label: UInt8? = nil, isImage: Bool = false) {
      self.label = label
      self.isImage = isImage
    }
  }

  private func keeps(_ block: Block, _ bytes: Span<UInt8>) -> Bool {
    guard let label = block.label else { return block.isImage }
    switch label {
    case 0xF9: return true
    case 0xFE: return false
    case 0xFF:
      func isNamed(_ name: String) -> Bool {
        guard let data = block.data, data.count == 11 else { return false }
        return bytes.extracting(data).starts(with: name)
      }
      if isNamed("NETSCAPE2.0") || isNamed("ANIMEXTS1.0") || isNamed("ICCRGBG1012") { return true }
      return keepsUnknownExtensions && !isNamed("XMP DataXMP")
    default: return keepsUnknownExtensions
    }
  }
}
