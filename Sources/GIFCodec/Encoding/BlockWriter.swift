// The blocks of a GIF: screen, extensions, images, trailer. GIF89a sections 17 to 27.

internal import ByteCompression
internal import ImageCoding

/// Writes a GIF block by block.
struct BlockWriter {
  private var writer: ByteWriter

  /// Writes the header, logical screen descriptor and global colour table.
  init(screen: PixelSize, globalColors: EncodingColorTable) {
    writer = ByteWriter(.littleEndian, after: LogicalScreen.signatures[1])
    writer.append(UInt16(truncatingIfNeeded: screen.width))
    writer.append(UInt16(truncatingIfNeeded: screen.height))
    let size = UInt8(truncatingIfNeeded: globalColors.bitCount - 1)
    // Packed field: there is a global table, its size, eight bits of colour resolution.
    writer.append([0x80 | 0x70 | size, UInt8(truncatingIfNeeded: globalColors.transparentIndex ?? 0), 0])
    appendColors(globalColors)
  }

  /// Creates a writer of extensions only.
  init() {
    writer = ByteWriter(.littleEndian)
  }

  /// The bytes written so far.
  var bytes: [UInt8] { writer.bytes }

  private mutating func appendColors(_ table: EncodingColorTable) {
    for color in table.colors {
      writer.append(UInt64(color), byteCount: 3)
    }
    writer.append(repeatElement(0, count: (1 << table.bitCount - table.colors.count) * 3))
  }

  private mutating func appendSubBlocks(_ data: [UInt8]) {
    for start in stride(from: 0, to: data.count, by: 255) {
      let part = data[start..<min(start + 255, data.count)]
      writer.append(UInt8(truncatingIfNeeded: part.count))
      writer.append(part)
    }
    writer.append(0 as UInt8)
  }

  private mutating func appendExtension(_ label: UInt8, application: String? = nil, _ data: [UInt8]) {
    writer.append([BlockReader.extensionIntroducer, label])
    if let application {
      writer.append(UInt8(truncatingIfNeeded: application.utf8.count))
      writer.append(application.utf8)
    }
    appendSubBlocks(data)
  }

  /// Appends the Netscape looping extension. Without it an animation plays once.
  mutating func appendLoopCount(_ count: LoopCount) {
    let repetitions: Int
    switch count {
    case .infinite: repetitions = 0
    case .finite(let count) where count <= 1: return
    case .finite(let count): repetitions = min(count - 1, 0xFFFF)
    }
    let value = UInt16(truncatingIfNeeded: repetitions)
    appendExtension(
      0xFF, application: "NETSCAPE2.0",
      [1, UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)])
  }

  /// Appends the comments, the XMP packet and the ICC profile.
  ///
  /// - Throws: `CodecError.Kind.encodingFailed` if the packet has null bytes.
  mutating func appendMetadata(_ metadata: ImageMetadata?, colorSpace: ColorSpace) throws(CodecError) {
    if let profile = (metadata?.colorSpace(for: colorSpace) ?? colorSpace).iccProfile(for: .rgb) {
      appendExtension(0xFF, application: "ICCRGBG1012", profile)
    }
    if let packet = metadata?.xmp { try appendXMP(packet) }
    for comment in metadata?.comments ?? [] where !comment.isEmpty { appendExtension(0xFE, Array(comment.utf8)) }
  }

  /// The packet is not divided into sub-blocks. A parser that takes its characters for sub-block sizes lands in the
  /// trailing ramp, from any byte of which it reaches the terminator. A null byte would end the extension.
  private mutating func appendXMP(_ packet: [UInt8]) throws(CodecError) {
    guard !packet.contains(0) else {
      throw CodecError(.encodingFailed, "GIF cannot hold an XMP packet with null bytes", format: GIFDecoder.type)
    }
    writer.append([BlockReader.extensionIntroducer, 0xFF, 11] + Array("XMP DataXMP".utf8) + packet + [1])
    writer.append((0...255).reversed().map { UInt8($0) } + [0])
  }

  /// Appends the delay, disposal method and transparent index of the image that follows.
  mutating func appendGraphicControl(
    _ disposal: AnimationFrameInfo.Disposal, delay: Int, table: EncodingColorTable
  ) {
    let disposal: UInt8 =
      switch disposal {
      case .keep: 1
      case .clear: 2
      case .restorePrevious: 3
      }
    let delay = UInt16(truncatingIfNeeded: delay)
    appendExtension(
      0xF9,
      [
        disposal << 2 | (table.transparentIndex == nil ? 0 : 1), UInt8(truncatingIfNeeded: delay),
        UInt8(truncatingIfNeeded: delay >> 8), UInt8(truncatingIfNeeded: table.transparentIndex ?? 0),
      ])
  }

  /// The work of choosing a pixel's colour and compressing it, besides that of reading it.
  static let workPerPixel = 40
  /// The work of starting an image.
  private static let workPerImage = 20_000
  /// The number of bytes of image data that are collected before they are divided into sub-blocks.
  private static let dataByteCount = 64 << 10

  /// Appends an image, and charges its work row by row.
  ///
  /// - Parameters:
  ///   - origin: the position of the image on the canvas.
  ///   - drain: called when a part of the image has been written, so that it can be passed on.
  mutating func appendImage(
    _ pixels: inout some PixelRows, at origin: (x: Int, y: Int), table: EncodingColorTable, isLocal: Bool,
    options: GIFEncoder.Options, budget: inout ResourceBudget,
    drain: (inout BlockWriter, inout ResourceBudget) throws(CodecError) -> Void
  ) throws(CodecError) {
    let heldByteCount = budget.heldByteCount
    let size = pixels.size
    try budget.chargeWork(Self.workPerImage)
    writer.append(BlockReader.imageSeparator)
    for value in [origin.x, origin.y, size.width, size.height] { writer.append(UInt16(truncatingIfNeeded: value)) }
    let tableSize = isLocal ? 0x80 | UInt8(truncatingIfNeeded: table.bitCount - 1) : 0
    writer.append(tableSize | (options.isInterlaced ? 0x40 : 0))
    if isLocal { appendColors(table) }
    // The specification requires at least two bits.
    let literalWidth = max(2, table.bitCount)
    writer.append(UInt8(truncatingIfNeeded: literalWidth))
    // A row of pixels, its indices, the dictionary and the data that is being divided.
    try budget.allocate(count: size.width, bytesEach: 8)
    try budget.allocate(2 * Self.dataByteCount)
    var indexing = try PixelIndexing(table, width: size.width, dithering: options.dithering, &budget)
    var encoder = LZWEncoder(LZWCoding(literalWidth: literalWidth, bitOrder: .leastSignificantFirst))
    var data: [UInt8] = []
    var row = [UInt32](repeating: 0, count: size.width)
    var indices: [UInt8] = []
    // Errors diffuse from the top to the bottom, so that interlaced pictures are indexed first.
    if options.isInterlaced { try budget.allocate(count: size.width, bytesEach: size.height) }
    let bufferByteCount = budget.heldByteCount - heldByteCount
    for y in 0..<size.height {
      try budget.chargeWork(count: size.width, unitsEach: BitmapRows.workPerPixel + Self.workPerPixel)
      pixels.read(y, into: &row)
      if !options.isInterlaced { indices.removeAll(keepingCapacity: true) }
      try indexing.append(row.span, to: &indices, &budget)
      guard !options.isInterlaced else { continue }
      encoder.append(indices.span)
      guard encoder.outputByteCount >= Self.dataByteCount else { continue }
      data += encoder.takeOutput()
      appendSubBlocks(of: &data)
      try drain(&self, &budget)
    }
    if options.isInterlaced {
      for pass in Interlacing(height: size.height, isInterlaced: true).passes {
        for row in 0..<pass.rowCount {
          let start = (pass.firstRow + row * pass.step) * size.width
          encoder.append(indices.span.extracting(start..<start + size.width))
        }
      }
    }
    appendSubBlocks(data + encoder.finish())
    budget.release(bufferByteCount)
    try drain(&self, &budget)
  }

  /// Appends complete sub-blocks and leaves the rest.
  private mutating func appendSubBlocks(of data: inout [UInt8]) {
    let count = data.count / 255 * 255
    for start in stride(from: 0, to: count, by: 255) {
      writer.append(255 as UInt8)
      writer.append(data[start..<start + 255])
    }
    data.removeFirst(count)
  }

  /// Moves the bytes written so far out.
  mutating func takeBytes() -> [UInt8] {
    defer { writer = ByteWriter(.littleEndian) }
    return writer.bytes
  }

  /// Appends the trailer.
  mutating func finish() -> [UInt8] {
    writer.append(BlockReader.trailer)
    return writer.bytes
  }
}
