// Converts pixels to the zlib stream of an image or frame: passes, packing, filters, DEFLATE.

internal import ByteCompression
internal import ImageCore

/// Encodes the image data of bitmaps that share a layout.
struct ImageDataEncoder {
  let layout: EncodingLayout
  private let options: PNGEncoder.Options
  private let packer: RowPacker

  init(layout: EncodingLayout, options: PNGEncoder.Options) {
    self.layout = layout
    self.options = options
    packer = RowPacker(layout: layout)
  }

  /// Returns the zlib stream of a bitmap.
  func encode(_ bitmap: Bitmap) throws(CodecError) -> [UInt8] {
    let header = layout.header(size: bitmap.pixelSize, isInterlaced: options.isInterlaced)
    let isFilterable = layout.colorType != .palette && layout.bitDepth >= 8
    let stream = DeflateStream(
      level: options.compressionLevel, strategy: isFilterable && options.filtering != .none ? .filtered : .standard)
    var filters = FilterSelection(
      options.filtering, distance: header.filterDistance, isFilterable: isFilterable)
    var converter = PixelRowConverter(from: bitmap.format, to: layout.rowFormat)
    var pixels = [UInt8](repeating: 0, count: bitmap.width * layout.rowFormat.bytesPerPixel)
    var filtered: [UInt8] = []
    var isSound = true
    for pass in InterlacePass.passes(of: header) {
      var row: [UInt8] = []
      var above = [UInt8](repeating: 0, count: header.rowByteCount(width: pass.width))
      for line in 0..<pass.height {
        var output = pixels.mutableSpan
        converter.convert(bitmap.row(pass.firstRow + line * pass.rowStep), into: &output)
        packer.pack(pixels.span, pass: pass, into: &row)
        filters.filter(row, above: above, into: &filtered)
        isSound = isSound && stream.append(filtered.span)
        swap(&row, &above)
      }
    }
    guard isSound, let bytes = stream.finish() else {
      throw CodecError(.encodingFailed, "zlib cannot compress the image data", format: PNGDecoder.type)
    }
    guard bytes.count <= 0x7FFF_FFFF - 4 else {
      throw CodecError(.encodingFailed, "the image data exceeds 2³¹ - 1 bytes", format: PNGDecoder.type)
    }
    return bytes
  }
}
