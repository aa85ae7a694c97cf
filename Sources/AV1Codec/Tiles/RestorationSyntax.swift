// The syntax of loop restoration units (sections 5.11.57 and 5.11.58).

extension TileDecoder {
  /// `Wiener_Taps_Min`, `Wiener_Taps_Max` and `Wiener_Taps_K`.
  private static let tapRanges: InlineArray<3, ClosedRange<Int>> = [-5...10, -23...8, -17...46]
  private static let tapOrders: InlineArray<3, Int> = [1, 2, 3]
  /// `Sgrproj_Xqd_Min` and `Sgrproj_Xqd_Max`.
  private static let weightRanges: InlineArray<2, ClosedRange<Int>> = [-96...31, -32...95]

  /// `read_lr`: the units that are coded in a superblock.
  mutating func readRestorationUnits(
    row: Int, column: Int, _ restoration: inout RestorationUnits, _ bytes: Span<UInt8>
  ) {
    guard parameters.restoration.isEnabled else { return }
    let units = parameters.superblockUnits
    for plane in 0..<parameters.planeCount where parameters.restoration.types[plane] != .none {
      let coded = restoration.coded(
        plane, columns: column..<column + units, rows: row..<row + units, parameters)
      for unitRow in coded.rows {
        for unitColumn in coded.columns {
          let unit = readUnit(plane, bytes)
          restoration.units[restoration.index(plane, column: unitColumn, row: unitRow)] = unit
        }
      }
    }
  }

  /// `read_lr_unit`.
  private mutating func readUnit(_ plane: Int, _ bytes: Span<UInt8>) -> RestorationUnit {
    var unit = RestorationUnit()
    switch parameters.restoration.types[plane] {
    case .wiener: unit.type = symbols.decodeFlag(CDFIndex.useWiener, contexts, bytes) ? .wiener : .none
    case .selfGuided:
      unit.type = symbols.decodeFlag(CDFIndex.useSelfGuided, contexts, bytes) ? .selfGuided : .none
    case .switchable, .none:
      let symbol = symbols.decodeSymbol4(CDFIndex.restorationType, count: 3, contexts, bytes)
      unit.type = RestorationType(rawValue: UInt8(symbol)) ?? .none
    }
    switch unit.type {
    case .wiener: readTaps(plane, &unit, bytes)
    case .selfGuided: readWeights(plane, &unit, bytes)
    case .none, .switchable: break
    }
    return unit
  }

  private mutating func readTaps(_ plane: Int, _ unit: inout RestorationUnit, _ bytes: Span<UInt8>) {
    for pass in 0..<2 {
      for tap in (plane > 0 ? 1 : 0)..<3 {
        let reference = Int(referenceUnits[plane].taps[pass * 3 + tap])
        let value = readNear(reference, in: Self.tapRanges[tap], order: Self.tapOrders[tap], bytes)
        unit.taps[pass * 3 + tap] = Int16(value)
        referenceUnits[plane].taps[pass * 3 + tap] = Int16(value)
      }
    }
  }

  private mutating func readWeights(_ plane: Int, _ unit: inout RestorationUnit, _ bytes: Span<UInt8>) {
    let set = symbols.decodeLiteral(4, bytes)
    unit.set = UInt8(set)
    for index in 0..<2 {
      let range = Self.weightRanges[index]
      var value = 0
      if selfGuidedRadius(set, pass: index) > 0 {
        value = readNear(Int(referenceUnits[plane].weights[index]), in: range, order: 4, bytes)
      } else if index == 1 {
        value = min(max(128 - Int(referenceUnits[plane].weights[0]), range.lowerBound), range.upperBound)
      }
      unit.weights[index] = Int16(value)
      referenceUnits[plane].weights[index] = Int16(value)
    }
  }

  /// `decode_signed_subexp_with_ref_bool`: a number whose code is short if it is near another one.
  private mutating func readNear(
    _ reference: Int, in range: ClosedRange<Int>, order: Int, _ bytes: Span<UInt8>
  ) -> Int {
    let count = range.count
    let near = reference - range.lowerBound
    let code = readSubexponential(count, order: order, bytes)
    // `inverse_recenter`.
    func recentered(_ center: Int) -> Int {
      if code > 2 * center { return code }
      return code & 1 == 1 ? center - (code + 1) >> 1 : center + code >> 1
    }
    let value = 2 * near <= count ? recentered(near) : count - 1 - recentered(count - 1 - near)
    return min(max(value + range.lowerBound, range.lowerBound), range.upperBound)
  }

  /// `decode_subexp_bool`.
  private mutating func readSubexponential(_ count: Int, order: Int, _ bytes: Span<UInt8>) -> Int {
    var first = 0
    var bitCount = order
    while count > first + 3 << bitCount {
      if symbols.decodeBit(bytes) == 0 { return first + symbols.decodeLiteral(bitCount, bytes) }
      first += 1 << bitCount
      // The first two ranges have the same size.
      if first > 1 << order { bitCount += 1 }
    }
    return first + symbols.decodeNonSymmetric(count - first, bytes)
  }
}
