// JPEG files that were recompressed as JPEG XL, byte for byte as they were (ISO/IEC 18181-2).

internal import ImageCoding

extension JXLDecoder {
  /// Returns the JPEG file that a file was made from, which is byte-identical to the original.
  ///
  /// - Parameters:
  ///   - bytes: a JPEG XL file with reconstruction data.
  ///   - options: of which only the degree of parallelism applies.
  ///   - budget: charged for the coefficients, two bytes per sample, for the output, which remains charged, and for work.
  /// - Throws: `CodecError.Kind.unsupported` if the file has no reconstruction data, or the JPEG file has arithmetic
  ///   coding; `CodecError.Kind.malformed` or `CodecError.Kind.truncated` if the file is damaged, or if its metadata
  ///   or its frame have changed; `CodecError.Kind.limitExceeded`, `CodecError.Kind.cancelled`,
  ///   `CodecError.Kind.deadlineExceeded`.
  package func reconstructJPEG(
    _ bytes: Span<UInt8>, options: DecodingOptions = DecodingOptions(), budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    budget.format = Self.type
    let held = budget.heldByteCount
    var output: [UInt8]
    do throws(CodecError) {
      output = try JPEGReconstruction.file(from: bytes, options, &budget)
    } catch {
      budget.settle(heldByteCount: held)
      throw error
    }
    budget.settle(heldByteCount: held + output.count)
    return output
  }
}

/// The steps of a reconstruction.
private enum JPEGReconstruction {
  static func file(
    from bytes: Span<UInt8>, _ options: DecodingOptions, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    var container = try JXLContainer(scanning: bytes, budget: &budget)
    guard let location = container.reconstruction else {
      throw CodecError(
        .unsupported, "the file has no data from which a JPEG file can be reconstructed", format: JXLDecoder.type)
    }
    let headers = try JXLHeaders(parsing: bytes, &container, budget: &budget)
    let size = headers.image.size
    _ = try budget.limits.checkedByteCount(
      width: size.width, height: size.height, bytesPerPixel: 2, format: JXLDecoder.type)
    budget.allowWork(forPixelCount: size.width * size.height)
    var bits = BitReader(bytes.extracting(location), baseOffset: location.lowerBound)
    let structure = try JPEGStructure(parsing: &bits, budget: &budget)
    try bits.align()
    let start = location.lowerBound + bits.bytePosition
    var metadata = JPEGSegmentContents.Metadata()
    metadata.colorProfile = headers.iccProfile ?? []
    let sources = Set(structure.applications.map { $0.source })
    if sources.contains(.exif) {
      // The block follows its offset of four bytes.
      metadata.exif = try container.segment("Exif", bytes, &budget).map { Array($0.dropFirst(4)) }
    }
    if sources.contains(.xmp) { metadata.xmp = try container.segment("xml ", bytes, &budget) }
    let contents = try JPEGSegmentContents(
      structure, decompressing: bytes.extracting(start..<location.upperBound), byteOffset: start, metadata,
      budget: &budget)
    let coefficients = try headers.codestream.withBytes(of: bytes) { (codestream) throws(CodecError) in
      try Self.coefficients(headers, codestream, isGray: structure.components.count == 1, options, &budget)
    }
    let writer = try JPEGFileWriter(structure, contents, coefficients, size: size)
    return try writer.write(budget: &budget)
  }

  /// Decodes the coefficients of the only frame.
  private static func coefficients(
    _ headers: JXLHeaders, _ codestream: Span<UInt8>, isGray: Bool, _ options: DecodingOptions,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> JPEGCoefficients {
    var frames = FrameSequence(headers)
    var frame = try frames.nextFrame(codestream, &budget)
    let header = frame.header
    guard !headers.image.isXYB, !header.isModular, header.kind == .regular, header.isLast,
      header.size == headers.image.size, header.upsampling == 1, !header.flags.contains(.usesLowFrequencyFrame)
    else {
      throw CodecError(malformed: "the frame is not that of a JPEG file")
    }
    frame.retainedChannels = isGray ? [1] : header.isYCbCr ? [1, 0, 2] : [0, 1, 2]
    try frame.decode(codestream, ReferenceSlots(), parallelism: options.parallelism, budget: &budget)
    guard let coefficients = frame.coefficients else {
      throw CodecError(malformed: "the frame has no coefficients")
    }
    return coefficients
  }
}

extension JXLContainer {
  /// Returns the content of a box that is a segment of the JPEG file; `nil` if there is no such box.
  fileprivate func segment(
    _ type: FourCharacterCode, _ file: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8]? {
    guard let box = metadata.first(where: { $0.type == type }) else { return nil }
    return try content(of: box, file, maximumByteCount: 65536, &budget)
  }
}
