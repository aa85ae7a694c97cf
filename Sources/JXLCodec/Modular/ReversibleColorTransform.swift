// The reversible colour transform (ISO/IEC 18181-1, H.6.3).

internal import ImageCoding

/// `RCT`: a permutation and differences of three channels.
struct ReversibleColorTransform: Sendable {
  private let first: Int
  private let type: Int

  init(parsing bits: inout BitReader) throws(CodecError) {
    first = try ModularTransform.readFirstChannel(&bits)
    type = try bits.readInt(.value(6), .bits(2), .bits(4, offset: 2), .bits(6, offset: 10))
    guard type < 42 else { throw bits.error(.malformed, "the colour transform \(type) does not exist") }
  }

  func check(_ image: ModularImage) throws(CodecError) {
    guard first + 3 <= image.channels.count else {
      throw CodecError(malformed: "a colour transform exceeds the channels")
    }
    let channels = image.channels[first..<first + 3]
    let isMeta = first < image.metaChannelCount
    guard channels.allSatisfy({ $0.hasSameShape(as: channels[first]) }),
      !isMeta || first + 3 <= image.metaChannelCount
    else { throw CodecError(malformed: "the channels of a colour transform differ in size") }
  }

  func undo(_ image: inout ModularImage, _ budget: inout ResourceBudget) throws(CodecError) {
    try check(image)
    let width = image.channels[first].width
    var (a, b, c) = (
      image.channels[first].samples, image.channels[first + 1].samples, image.channels[first + 2].samples
    )
    for index in 0..<3 { image.channels[first + index].samples = [] }
    let kind = type % 7
    if kind != 0 {
      for y in 0..<image.channels[first].height {
        try budget.chargeWork(width)
        let row = y * width..<(y + 1) * width
        var first = a.mutableSpan
        var second = b.mutableSpan
        var third = c.mutableSpan
        var firstRow = first._mutatingExtracting(row)
        var secondRow = second._mutatingExtracting(row)
        var thirdRow = third._mutatingExtracting(row)
        Self.undoRow(kind, &firstRow, &secondRow, &thirdRow)
      }
    }
    let permutation = type / 7
    let places = [
      permutation % 3, (permutation + 1 + permutation / 3) % 3, (permutation + 2 - permutation / 3) % 3,
    ]
    image.channels[first + places[0]].samples = a
    image.channels[first + places[1]].samples = b
    image.channels[first + places[2]].samples = c
  }

  /// Undoes the differences of a row, in place.
  private static func undoRow(
    _ kind: Int, _ a: inout MutableSpan<Int32>, _ b: inout MutableSpan<Int32>, _ c: inout MutableSpan<Int32>
  ) {
    let count = a.count
    precondition(b.count == count && c.count == count, "the rows differ in length")
    if kind == 6 {
      for x in 0..<count {
        let t = a[x] &- (c[x] >> 1)
        let e = c[x] &+ t
        let f = t &- (b[x] >> 1)
        a[x] = f &+ b[x]
        b[x] = e
        c[x] = f
      }
      return
    }
    let (addsToThird, second) = (kind & 1 == 1, kind >> 1)
    for x in 0..<count {
      let first = a[x]
      let third = addsToThird ? c[x] &+ first : c[x]
      if second == 1 {
        b[x] = b[x] &+ first
      } else if second == 2 {
        b[x] = b[x] &+ ((first &+ third) >> 1)
      }
      c[x] = third
    }
  }
}
