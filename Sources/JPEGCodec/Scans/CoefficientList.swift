// The coefficients that one thread reads for another to transform: only those that are not zero, since to clear and copy
// whole blocks would take as long as reading them.

internal import ImageCoding

/// The dequantised coefficients of rows of MCUs, block by block.
///
/// A block has a word for DC and one for each AC coefficient, with the value in the high 16 bits. Below it, the first
/// word has the zigzag index of the last coefficient and the number of AC coefficients, 8 bits each; other words have the
/// position in paired order.
struct CoefficientList {
  /// The words of all rows.
  private(set) var words: [UInt32] = []
  /// The index of the first word of each row.
  private var starts: [Int] = []
  /// Where a row is read to. Reading can then stop within a row, and no row needs more room than one of full blocks.
  private var row: [UInt32]

  /// The bytes that a block takes at high qualities.
  static let usualByteCount = 48
  /// The most words of a block.
  static let mostWordsPerBlock = 64

  /// Creates an empty list for rows of this many blocks.
  init(blocksPerRow: Int) {
    row = [UInt32](repeating: 0, count: blocksPerRow * Self.mostWordsPerBlock)
  }

  /// The memory that rows of blocks take at most.
  static func byteCount(blocksPerRow: Int, rowCount: Int) -> Int {
    // An array that grows is held twice, and has up to twice the capacity that it needs.
    (rowCount * 4 + 1) * blocksPerRow * mostWordsPerBlock * 4
  }

  /// Removes all rows.
  mutating func removeAll() {
    words.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
  }

  /// Adds a row.
  ///
  /// - Parameter read: receives the storage of a row, and the number of words in it, which it changes.
  mutating func appendRow<Result>(_ read: (inout MutableSpan<UInt32>, inout Int) -> Result) -> Result {
    var count = 0
    var storage = row.mutableSpan
    let result = read(&storage, &count)
    starts.append(words.count)
    words += row[..<count]
    return result
  }

  /// The words of a row.
  @_lifetime(borrow self)
  func row(_ index: Int) -> Span<UInt32> {
    words.span.extracting(starts[index]..<(index + 1 < starts.count ? starts[index + 1] : words.count))
  }

  /// The first word of a block.
  @inline(__always)
  static func head(dc: Int16, last: Int, count: Int) -> UInt32 {
    UInt32(UInt16(bitPattern: dc)) &<< 16 | UInt32(truncatingIfNeeded: last) &<< 8 | UInt32(truncatingIfNeeded: count)
  }
}

/// AC coefficients as words of a list.
enum ListedCoefficients: CoefficientForm {
  @inline(__always)
  static func store(_ value: Int16, place: Int, number: Int, in words: inout MutableSpan<UInt32>) {
    words[number &+ 1] = UInt32(UInt16(bitPattern: value)) &<< 16 | UInt32(truncatingIfNeeded: place)
  }
}

extension SampleBands {
  /// Transforms a row of listed coefficients to samples.
  ///
  /// - Parameter targets: the locations of an MCU's blocks in the row's band.
  mutating func transform(_ words: Span<UInt32>, mcusPerRow: Int, _ targets: [SampleTarget]) {
    let targets = targets.span
    var samples = samples.mutableSpan
    var storage = InlineArray<64, Int16>(repeating: 0)
    var next = 0
    for column in 0..<mcusPerRow {
      for index in targets.indices {
        var block = storage.mutableSpan
        for place in 0..<64 { block[place] = 0 }
        let head = words[next]
        let end = next &+ 1 &+ Int(head & 0xFF)
        block[0] = Int16(truncatingIfNeeded: head &>> 16)
        next &+= 1
        while next < end {
          let word = words[next]
          block[Int(word & 63)] = Int16(truncatingIfNeeded: word &>> 16)
          next &+= 1
        }
        targets[index].transform(
          block.span, lastIndex: Int(head &>> 8 & 0xFF), column: column, into: &samples)
      }
    }
  }
}
