// The values of an entropy-coded stream (ISO/IEC 18181-1, C.2 and C.3).

internal import ImageCoding

/// The state of an entropy decoder. One state serves all contexts of a stream.
///
/// Nothing throws while values are read: bits past the end are zeros. ``finish(_:_:)`` checks the end of the input and
/// the final state. The copies of earlier values take part only if the code has them.
struct SymbolReader: ~Copyable {
  /// The state of ANS, which loops can hold in a variable.
  var state: UInt32 = 0
  /// The latest values, if there are copies.
  private var window: [UInt32] = []
  private var valueCount = 0
  private var remainingCopyCount: UInt32 = 0
  private var copyIndex = 0
  private let distanceMultiplier: Int
  private var isDamaged = false

  private static let initialState: UInt32 = 0x13_0000
  /// The number of values that copies can refer to.
  static let windowSize = 1 << 20
  private static let initialWindowSize = 1 << 12

  /// Starts a stream. The window grows with the number of values, to at most 4 MiB, which
  /// ``windowByteCount(_:valueCount:)`` states.
  ///
  /// - Parameter distanceMultiplier: the width of the image for distances in two dimensions, or 0.
  init(_ bits: inout BitReader, _ code: borrowing EntropyCode, distanceMultiplier: Int = 0) {
    self.distanceMultiplier = distanceMultiplier
    if code.coding == .ans { state = bits.read(32) }
    if code.copies != nil { window = [UInt32](repeating: 0, count: Self.initialWindowSize) }
  }

  /// The memory that the window takes for a number of values.
  static func windowByteCount(_ code: borrowing EntropyCode, valueCount: Int) -> Int {
    code.copies == nil ? 0 : 8 * min(windowSize, max(valueCount, initialWindowSize))
  }

  /// Reads the next value of a context.
  @_lifetime(bits: copy bits)
  mutating func read(context: Int, _ code: borrowing EntropyCode, _ bits: inout BitReader) -> UInt32 {
    let view = EntropyView(code)
    return read(cluster: Int(view.contextMap[context]), view, &bits)
  }

  /// Returns the value of a cluster all of whose values are equal and take no bits; `nil` for other clusters.
  func constantValue(cluster: Int, _ code: borrowing EntropyView) -> UInt32? {
    let configuration = code.clusters[cluster]
    // A lesser state, which damaged streams have, is refilled.
    guard code.copies == nil, configuration.singleToken >= 0, code.isPrefixCoded || state >= 1 << 16 else { return nil }
    let token = UInt32(truncatingIfNeeded: configuration.singleToken)
    return token < 1 << UInt32(configuration.integers.splitExponent) ? token : nil
  }

  /// Reads the next value of a cluster.
  @inline(__always)
  @_lifetime(bits: copy bits)
  mutating func read(cluster: Int, _ code: borrowing EntropyView, _ bits: inout BitReader) -> UInt32 {
    if code.copies != nil { return readOrCopy(cluster: cluster, code, &bits) }
    let configuration = code.clusters[cluster]
    bits.refill()
    return configuration.integers.value(token(configuration, code, &bits), &bits)
  }

  /// Reads a token from loaded bits.
  @inline(__always)
  @_lifetime(bits: copy bits)
  private mutating func token(
    _ cluster: EntropyCode.Cluster, _ code: borrowing EntropyView, _ bits: inout BitReader
  ) -> UInt32 {
    let start = Int(truncatingIfNeeded: cluster.tableStart)
    if code.isPrefixCoded {
      var entry = code.table[start &+ Int(truncatingIfNeeded: bits.loadedBits & 0xFF)]
      if entry & 0x80 != 0 {
        bits.consume(PrefixCode.rootBitCount)
        let mask: UInt64 = 1 &<< (entry & 0x7F) &- 1
        entry = code.table[start &+ Int(truncatingIfNeeded: entry &>> 8 &+ bits.loadedBits & mask)]
      }
      bits.consume(Int(truncatingIfNeeded: entry & 0xFF))
      return UInt32(truncatingIfNeeded: entry &>> 8)
    }
    return Self.token(&state, start, code, &bits)
  }

  /// Reads a token that is coded by ANS from loaded bits.
  @inline(__always)
  @_lifetime(bits: copy bits)
  static func token(
    _ state: inout UInt32, _ start: Int, _ code: borrowing EntropyView, _ bits: inout BitReader
  ) -> UInt32 {
    let place = state & 0xFFF
    let bucket = place &>> code.logBucketSize
    let position = place & (1 &<< code.logBucketSize &- 1)
    let entry = code.table[start &+ Int(truncatingIfNeeded: bucket)]
    let isOther = position >= UInt32(truncatingIfNeeded: entry & 0xFF)
    let symbol = isOther ? UInt32(truncatingIfNeeded: entry &>> 8 & 0xFF) : bucket
    let offset = position &+ (isOther ? UInt32(truncatingIfNeeded: entry &>> 16 & 0xFFFF) : 0)
    let probability = UInt32(truncatingIfNeeded: (entry &>> (isOther ? 48 : 32)) & 0xFFFF)
    state = (state &>> 12) &* probability &+ offset
    if state < 1 << 16 { state = state &<< 16 | bits.takeLoaded(16) }
    return symbol
  }

  @inline(never)
  @_lifetime(bits: copy bits)
  private mutating func readOrCopy(
    cluster: Int, _ code: borrowing EntropyView, _ bits: inout BitReader
  ) -> UInt32 {
    guard let copies = code.copies else { return 0 }
    if remainingCopyCount == 0 {
      let configuration = code.clusters[cluster]
      bits.refill()
      let token = token(configuration, code, &bits)
      guard token >= copies.firstToken else {
        return remember(configuration.integers.value(token, &bits))
      }
      remainingCopyCount = copies.lengths.value(token &- copies.firstToken, &bits) &+ copies.minimumLength
      bits.refill()
      let distances = code.clusters[copies.distanceCluster]
      let distanceToken = self.token(distances, code, &bits)
      start(distanceCode: Int(truncatingIfNeeded: distances.integers.value(distanceToken, &bits)))
    }
    remainingCopyCount &-= 1
    let value = window[copyIndex & (window.count &- 1)]
    copyIndex &+= 1
    return remember(value)
  }

  private mutating func start(distanceCode code: Int) {
    guard valueCount > 0 else {
      // There is nothing to copy: the values are zeros, and the stream is rejected at its end.
      isDamaged = true
      copyIndex = 0
      if remainingCopyCount == 0 { remainingCopyCount = 1 }
      return
    }
    var distance: Int
    if distanceMultiplier == 0 {
      distance = code &+ 1
    } else if code >= 0, code < 120 {
      let rows = Int(CopyDistances.rows[code])
      distance = max(1, Int(CopyDistances.columns[code]) &+ distanceMultiplier &* rows)
    } else {
      distance = code &- 119
    }
    if distance <= 0 || distance > min(valueCount, Self.windowSize) { distance = min(valueCount, Self.windowSize) }
    copyIndex = valueCount &- distance
    // A length that has overflowed is not 0.
    if remainingCopyCount == 0 { remainingCopyCount = 1 }
  }

  private mutating func remember(_ value: UInt32) -> UInt32 {
    if valueCount == window.count, window.count < Self.windowSize {
      window += [UInt32](repeating: 0, count: window.count)
    }
    window[valueCount & (window.count &- 1)] = value
    valueCount &+= 1
    return value
  }

  /// Checks the final state.
  mutating func finish(_ bits: inout BitReader, _ code: borrowing EntropyCode) throws(CodecError) {
    try bits.checkEnd()
    guard !isDamaged else { throw bits.error(.malformed, "a copy precedes all values") }
    guard code.coding == .prefix || state == Self.initialState else {
      throw bits.error(.malformed, "the final state of the entropy decoder is wrong")
    }
  }
}
