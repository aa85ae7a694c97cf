// The public face of the JPEG encoder.

public import ImageCoding

/// Encodes JPEG files (ITU-T T.81): baseline or progressive, Huffman-coded, with 8-bit samples.
///
/// With the same settings, the tables and scans are byte-identical to those of libjpeg-turbo's `cjpeg -dct int`.
public struct JPEGEncoder: ImageFormatEncoder {
  /// The options of encoding. Values out of range are rejected when an image is encoded.
  public var options: Options

  /// Creates an encoder with the given options.
  public init(options: Options = Options()) {
    self.options = options
  }

  /// The type identifier `public.jpeg`.
  public var type: AssetType { JPEGDecoder.type }

  /// Encodes a bitmap. 16-bit samples are rounded to 8 bits, and transparency is flattened onto ``Options/background``.
  ///
  /// The orientation is written to the EXIF block. The profile of the bitmap's colour space is written, or
  /// that of `metadata` if the bitmap has no colour space.
  ///
  /// The budget is charged row by row for buffers, output and work: for a few rows; if the file is progressive,
  /// optimised or limited in size, for two bytes per sample; for a limited size twice that, and two files.
  ///
  /// - Throws: `CodecError.Kind.encodingFailed` if the bitmap is empty or has more than 65,535 rows or columns, or if
  ///   the metadata or the maximum size does not fit; `CodecError.Kind.invalidArgument` if an option is out of range;
  ///   `CodecError.Kind.limitExceeded`, `CodecError.Kind.cancelled` or `CodecError.Kind.deadlineExceeded`.
  public func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata? = nil, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    try encodedFile(bitmap, metadata: metadata, budget: &budget)
  }
}

extension JPEGEncoder: StreamingImageEncoder {
  /// Encodes a bitmap and passes its data on by rows of MCUs. A file of a limited size is held until the search ends;
  /// the parts that several threads encode, until all are done.
  package func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata?, to output: inout EncodedOutput, budget: inout ResourceBudget
  ) throws(CodecError) {
    let heldByteCount = budget.heldByteCount - output.chargedByteCount
    var rows = try JPEGRowEncoder(
      width: bitmap.width, height: bitmap.height, format: bitmap.format, options: options,
      metadata: metadata ?? ImageMetadata(), colorSpace: bitmap.colorSpace, orientation: bitmap.orientation,
      budget: &budget)
    if let slabs = rows.slabs {
      try rows.encode(bitmap, slabs: slabs, to: &output, budget: &budget)
    } else {
      for y in 0..<bitmap.height {
        try rows.append(bitmap.row(y), budget: &budget)
        try rows.drain(to: &output, &budget)
      }
      try rows.finish(to: &output, budget: &budget)
    }
    budget.settle(heldByteCount: heldByteCount + output.chargedByteCount)
  }
}
