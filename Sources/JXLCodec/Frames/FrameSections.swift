// The sections of a frame as bit readers (ISO/IEC 18181-1, F.6).

internal import ImageCoding

/// Locates the sections of a frame in the codestream.
struct FrameSections: Sendable {
  private let table: TableOfContents
  /// The offset in the codestream of the first section.
  let start: Int

  init(_ table: TableOfContents, start: Int) {
    (self.table, self.start) = (table, start)
  }

  /// The offset in the codestream of the next frame.
  var end: Int {
    let (sum, overflow) = start.addingReportingOverflow(table.byteCount)
    return overflow ? .max : sum
  }

  /// The number of bytes of all sections.
  var byteCount: Int { table.byteCount }

  /// Returns whether a section is complete if the codestream has a number of bytes so far.
  func isComplete(_ section: Int, byteCount: Int) -> Bool {
    table.sections[section].upperBound <= byteCount - start
  }

  /// Returns the range of a section in the codestream.
  ///
  /// - Parameter isPartial: whether the start of a section suffices.
  /// - Throws: `CodecError.Kind.truncated` if the section is not complete.
  func range(_ section: Int, in codestream: Span<UInt8>, isPartial: Bool) throws(CodecError) -> Range<Int> {
    let range = table.sections[section]
    guard range.upperBound <= codestream.count - start else {
      if isPartial, range.lowerBound < codestream.count - start { return start + range.lowerBound..<codestream.count }
      throw CodecError(
        .truncated, "the section \(section) of a frame is cut off", format: JXLDecoder.type,
        byteOffset: codestream.count)
    }
    return start + range.lowerBound..<start + range.upperBound
  }
}
