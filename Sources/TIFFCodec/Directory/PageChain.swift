// The pages of a file: directories linked one after another (TIFF 6.0, section 2).

internal import ImageCoding
internal import MetadataFormats

/// Follows the links between the directories of pages, whose fields are skipped.
enum PageChain {
  /// The work units for following a link to another page.
  private static let workPerPage = 200

  /// Counts the pages.
  ///
  /// - Parameter first: the directory of the first page.
  static func count(
    _ bytes: Span<UInt8>, header: TIFFHeader, first: TIFFDirectory, budget: inout ResourceBudget
  ) throws(CodecError) -> Int {
    try follow(bytes, header: header, until: .max, budget: &budget).visitedCount
  }

  /// Returns the offset of the directory of a page.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` if there is no such page.
  static func offset(
    ofPage index: Int, _ bytes: Span<UInt8>, header: TIFFHeader, budget: inout ResourceBudget
  ) throws(CodecError) -> UInt64 {
    guard index >= 0 else {
      throw CodecError(.invalidArgument, "there is no image \(index)", format: TIFFDecoder.type)
    }
    let (offset, count) = try follow(bytes, header: header, until: index, budget: &budget)
    guard let offset else {
      let images = count == 1 ? "one image" : "\(count) images"
      throw CodecError(
        .invalidArgument, "there is no image \(index); the file has \(images)", format: TIFFDecoder.type)
    }
    return offset
  }

  /// Returns the offsets of the directories of all pages, or of the first `maximumCount`.
  static func offsets(
    _ bytes: Span<UInt8>, header: TIFFHeader, maximumCount: Int = .max, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt64] {
    var offsets: [UInt64] = []
    _ = try follow(bytes, header: header, until: maximumCount, budget: &budget) { offsets.append($0) }
    return offsets
  }

  /// Follows the links up to a page. A link to a visited or truncated directory ends the chain.
  ///
  /// - Returns: the offset of the page, `nil` if there are fewer pages; and the number of pages visited.
  private static func follow(
    _ bytes: Span<UInt8>, header: TIFFHeader, until index: Int, budget: inout ResourceBudget,
    visit: (UInt64) -> Void = { _ in }
  ) throws(CodecError) -> (offset: UInt64?, visitedCount: Int) {
    var visited: Set<UInt64> = []
    defer { budget.release(visited.count * MemoryLayout<UInt64>.stride * 2) }
    var offset = header.firstDirectoryOffset
    while offset != 0, !visited.contains(offset),
      let layout = try? TIFFDirectoryLayout(bytes, at: offset, header: header),
      visited.isEmpty || layout.linkOffset <= bytes.count
    {
      if visited.count == index { return (offset, visited.count) }
      guard visited.count < budget.limits.maximumFrameCount else {
        throw CodecError(
          .limitExceeded, "there are more than \(budget.limits.maximumFrameCount) pages", format: TIFFDecoder.type,
          byteOffset: Int(clamping: offset), limit: .count)
      }
      try budget.chargeWork(workPerPage)
      try budget.allocate(MemoryLayout<UInt64>.stride * 2)
      visited.insert(offset)
      visit(offset)
      offset = layout.nextOffset(in: bytes)
    }
    return (nil, visited.count)
  }
}
