// The assignment of contexts to clusters (ISO/IEC 18181-1, C.2.2).

internal import ImageCoding

package enum ContextMap {
  /// Reads the clusters of contexts: all numbers from 0 to the greatest one.
  static func read(
    _ bits: inout BitReader, count: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    var map: [UInt8] = []
    map.reserveCapacity(count)
    if try bits.readFlag() {
      let bitCount = try bits.readInt(2)
      for _ in 0..<count { map.append(UInt8(truncatingIfNeeded: bits.read(bitCount))) }
      try bits.checkEnd()
    } else {
      let usesMoveToFront = try bits.readFlag()
      // A code of one context has no map, and with copies a map of two, which has no copies: the depth is three.
      let code = try EntropyCode(parsing: &bits, contextCount: 1, allowsCopies: count > 2, budget: &budget)
      var symbols = SymbolReader(&bits, code)
      try budget.chargeWork(count: count, unitsEach: usesMoveToFront ? 100 : 20)
      for _ in 0..<count {
        let cluster = symbols.read(context: 0, code, &bits)
        guard cluster < 256 else { throw bits.error(.malformed, "a context is in cluster \(cluster)") }
        map.append(UInt8(truncatingIfNeeded: cluster))
      }
      try symbols.finish(&bits, code)
      if usesMoveToFront { invertMoveToFront(&map) }
    }
    var isUsed = [Bool](repeating: false, count: 256)
    for cluster in map { isUsed[Int(cluster)] = true }
    let clusterCount = Int(map.max() ?? 0) + 1
    guard isUsed[..<clusterCount].allSatisfy({ $0 }) else {
      throw bits.error(.malformed, "a cluster has no context")
    }
    return map
  }

  package static func invertMoveToFront(_ map: inout [UInt8]) {
    var list = (0...255).map { UInt8($0) }
    for index in map.indices {
      var place = Int(map[index])
      let value = list[place]
      map[index] = value
      while place > 0 {
        list[place] = list[place - 1]
        place -= 1
      }
      list[0] = value
    }
  }
}
