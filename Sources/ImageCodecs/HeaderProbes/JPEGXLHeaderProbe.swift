// JPEG XL without its decoder: the size header of the codestream, bare or in its container (ISO/IEC 18181-1, D.2;
// 18181-2, 9).

#if !JPEGXL
  internal import ISOMediaCodec
  internal import ImageCoding

  /// Reads the dimensions of JPEG XL files where the package's traits leave out their decoder.
  struct JPEGXLHeaderProbe: HeaderProbe {
    let types: [AssetType] = [.jxl]
    let trait: String? = "JPEGXL"

    /// Checks the signature box, or the first two bytes of a codestream.
    func probe(_ prefix: Span<UInt8>) -> ProbeResult {
      ProbeResult(
        prefix, signatures: [[0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A], [0xFF, 0x0A]], type: .jxl)
    }

    func info(
      _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
    ) throws(CodecError) -> ImageInfo {
      var bits = SizeHeaderBits(bytes, from: try codestreamStart(bytes) + 2)
      let isSmall = try bits.read(1) == 1
      let height = try bits.readDimension(isSmall: isSmall)
      let ratio = try bits.read(3)
      // The ratios 1…7 as width : height.
      let ratios: [(Int64, Int64)] = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
      let width =
        ratio == 0
        ? try bits.readDimension(isSmall: isSmall)
        : Int(clamping: Int64(height) * ratios[ratio - 1].0 / ratios[ratio - 1].1)
      return ImageInfo(type: .jxl, width: width, height: height)
    }

    private func codestreamStart(_ bytes: Span<UInt8>) throws(CodecError) -> Int {
      if bytes.count > 0, bytes[0] == 0xFF { return 0 }
      var boxes = ISOBoxIterator(bytes, in: 0..<bytes.count)
      while let box = boxes.next() {
        if box.type == "jxlc" { return box.payload.lowerBound }
        // In a partial codestream box, the data follows a four-byte index.
        if box.type == "jxlp" { return box.payload.lowerBound + 4 }
      }
      throw CodecError(.truncated, "no codestream box", format: .jxl, byteOffset: bytes.count)
    }
  }

  /// Reads bits, least significant first.
  private struct SizeHeaderBits: ~Escapable {
    private let bytes: Span<UInt8>
    private var position: Int

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, from byteOffset: Int) {
      self.bytes = bytes
      position = byteOffset * 8
    }

    mutating func read(_ count: Int) throws(CodecError) -> Int {
      var value = 0
      for index in 0..<count {
        guard position / 8 < bytes.count else {
          throw CodecError(.truncated, "the size header is cut off", format: .jxl, byteOffset: bytes.count)
        }
        value |= Int(bytes[position / 8] >> UInt8(position % 8) & 1) << index
        position += 1
      }
      return value
    }

    mutating func readDimension(isSmall: Bool) throws(CodecError) -> Int {
      if isSmall { return (try read(5) + 1) * 8 }
      let bitCount = [9, 13, 18, 30][try read(2)]
      return try read(bitCount) + 1
    }
  }
#endif
