// Strips and tiles that are JPEG streams, WebP files or codestreams of JPEG 2000 and JPEG XL, which have their own metadata.

internal import ImageCoding

/// Removes the metadata of embedded images with the rewriters passed to ``TIFFMetadataRewriter``.
struct EmbeddedBlocks {
  let jpegRewriter: AnyMetadataRewriter?
  let webPRewriter: AnyMetadataRewriter?
  let jpeg2000Rewriter: AnyMetadataRewriter?
  let jpegXLRewriter: AnyMetadataRewriter?
  /// The tables shared by all JPEG streams, without SOI and EOI; empty if there are none.
  let jpegTables: [UInt8]

  /// - Parameter tables: the content of JPEGTables; `nil` if there are none.
  init(
    _ rewriter: TIFFMetadataRewriter, tables: Span<UInt8>?, budget: inout ResourceBudget
  ) throws(CodecError) {
    jpegRewriter = rewriter.jpegRewriter
    webPRewriter = rewriter.webPRewriter
    jpeg2000Rewriter = rewriter.jpeg2000Rewriter
    jpegXLRewriter = rewriter.jpegXLRewriter
    guard let tables else {
      jpegTables = []
      return
    }
    try budget.allocate(2 * tables.count)
    let stream = Self.start + jpegSegments(tables) + Self.end
    let rewritten = try Self.rewrite(stream.span, with: jpegRewriter, "JPEG", &budget)
    jpegTables = Array(rewritten.dropFirst(Self.start.count).dropLast(Self.end.count))
  }

  /// The work units for copying, reading and comparing a byte of the shared tables, once for each block.
  private static let workPerTableByte = 16

  private static let start: [UInt8] = [0xFF, 0xD8]
  private static let end: [UInt8] = [0xFF, 0xD9]

  /// The content of JPEGTables.
  var jpegTablesField: [UInt8] { Self.start + jpegTables + Self.end }

  /// Returns whether blocks of a compression are images with separate metadata that can be removed.
  static func areBlocks(ofCompression code: Int) -> Bool {
    code == lossyJPEG || Compression(code: code)?.isEmbeddedImage ?? false
  }

  /// JPEG in DNG, which is not decoded.
  private static let lossyJPEG = 34892

  /// Returns a block without metadata.
  ///
  /// - Throws: `CodecError.Kind.unsupported` if no rewriter was passed; its errors.
  func rewritten(
    _ block: Span<UInt8>, compression: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    switch Compression(code: compression) {
    case .webP: return try Self.rewrite(block, with: webPRewriter, "WebP", &budget)
    case .jpeg2000, .jpeg2000YCbCr: return try Self.rewrite(block, with: jpeg2000Rewriter, "JPEG 2000", &budget)
    case .jpegXL: return try Self.rewrite(block, with: jpegXLRewriter, "JPEG XL", &budget)
    default: break
    }
    // The stream may need the tables to be read.
    let byteCount = jpegTables.count + block.count + 4
    try budget.allocate(byteCount)
    defer { budget.release(byteCount) }
    try budget.chargeWork(count: jpegTables.count, unitsEach: Self.workPerTableByte)
    let stream = Self.start + jpegTables + jpegSegments(block) + Self.end
    let result = try Self.rewrite(stream.span, with: jpegRewriter, "JPEG", &budget)
    let prefix = Self.start + jpegTables
    return result.starts(with: prefix) ? Self.start + result.dropFirst(prefix.count) : result
  }

  private static func rewrite(
    _ stream: Span<UInt8>, with rewriter: AnyMetadataRewriter?, _ name: String,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    guard let rewriter else {
      throw CodecError(
        .unsupported, "the metadata in \(name)-compressed strips or tiles cannot be removed", format: TIFFDecoder.type)
    }
    try budget.descend()
    defer {
      budget.ascend()
      budget.format = TIFFDecoder.type
    }
    return try rewriter.stripNested(stream, budget: &budget)
  }
}
