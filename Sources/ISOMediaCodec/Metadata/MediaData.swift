// The media data of a rewritten file: the bytes that its items and tracks use, in their order, then those of new items.

internal import ImageCoding

/// The content of the media data box and of the item data box.
struct MediaData {
  /// Bytes that are copied, and their positions in the result.
  struct Kept {
    /// Disjoint ranges of the file in ascending order.
    private(set) var ranges: [Range<Int>] = []
    private var positions: [Int] = []
    private(set) var byteCount = 0

    init(_ unsorted: [Range<Int>]) {
      for range in unsorted.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
        if let last = ranges.last, range.lowerBound <= last.upperBound {
          ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
        } else {
          ranges.append(range)
        }
      }
      for range in ranges {
        positions.append(byteCount)
        byteCount += range.count
      }
    }

    /// Returns the position of a byte of the file in the result; `nil` if it is not kept.
    func position(of offset: Int) -> Int? {
      var (low, high) = (0, ranges.count)
      while low < high {
        let middle = (low + high) / 2
        if ranges[middle].upperBound <= offset { low = middle + 1 } else { high = middle }
      }
      guard low < ranges.count, ranges[low].contains(offset) else { return nil }
      return positions[low] + offset - ranges[low].lowerBound
    }
  }

  /// The bytes of the file in the media data box.
  let kept: Kept
  /// The bytes of the old item data box in the new one.
  let keptItemData: Kept
  /// The positions of data that is not copied, by item.
  private(set) var newPositions: [UInt32: Range<Int>] = [:]
  private var newData: [UInt8] = []

  /// - Throws: `CodecError.Kind.truncated` if data is not all in the file; `CodecError.Kind.malformed` if it is not
  ///   all in the item data box.
  init(
    _ items: ItemSelection, _ sampleRanges: [Range<Int>], _ bytes: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) {
    var ranges = sampleRanges
    var itemDataRanges: [Range<Int>] = []
    let itemData = items.table.dataRange ?? 0..<0
    for id in items.kept where items.replacements[id] == nil {
      // Decoders look for all data in the file, wherever the location says that it is.
      guard let location = items.table.locations[id] else { continue }
      try budget.allocate(count: location.extents.count, bytesEach: 48)
      try budget.chargeWork(count: location.extents.count, unitsEach: 200)
      switch location.constructionMethod {
      case 0: ranges += location.extents
      case 1:
        guard location.extents.allSatisfy({ $0.upperBound <= itemData.count }) else {
          throw CodecError(
            .malformed, "the data of item \(id) exceeds the item data box", format: ISOMediaDecoder.heif)
        }
        itemDataRanges += location.extents.map {
          itemData.lowerBound + $0.lowerBound..<itemData.lowerBound + $0.upperBound
        }
      default: break
      }
    }
    if let end = ranges.map({ $0.upperBound }).max(), end > bytes.count {
      throw CodecError(
        .truncated, "the file ends within the data of its images", format: ISOMediaDecoder.heif,
        byteOffset: bytes.count, neededByteCount: end)
    }
    kept = Kept(ranges)
    keptItemData = Kept(itemDataRanges)
    for (id, data) in items.replacements.sorted(by: { $0.key < $1.key }) { add(id, data) }
    for addition in items.additions { add(addition.id, addition.data) }
  }

  private mutating func add(_ id: UInt32, _ data: [UInt8]) {
    let start = kept.byteCount + newData.count
    newPositions[id] = start..<start + data.count
    newData += data
  }

  /// The bytes of the media data box after its header.
  var byteCount: Int { kept.byteCount + newData.count }

  func append(to writer: inout ByteWriter, _ bytes: Span<UInt8>) {
    for range in kept.ranges { writer.append(copying: bytes.extracting(range)) }
    writer.append(newData)
  }
}
