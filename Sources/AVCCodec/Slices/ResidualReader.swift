// The residual blocks of a macroblock (section 7.3.5.3) in both codings.

extension SliceDecoder {
  /// `residual`.
  mutating func readResidual(_ map: inout MacroblockMap, _ bytes: Span<UInt8>) {
    for component in 0..<format.lumaLikeCount {
      readLuma(component, &map, bytes)
      if damage != nil { return }
    }
    guard format.hasSubsampledChroma, data.codedPattern >> 4 > 0 else { return }
    for component in 1...2 {
      readChromaDC(component, &map, bytes)
      if damage != nil { return }
    }
    guard data.codedPattern >> 4 == 2 else { return }
    for component in 1...2 {
      for index in 0..<format.chromaBlockCount {
        let place = BlockPlace(
          component: component, x: index & 1, y: index >> 1, columnCount: 2,
          height: format.macroblockHeight(component))
        let target = LevelTarget(small: component * 256 + index * 16, first: 1, isField: data.isField)
        guard readBlock(.chromaAC, 15, place, target, &map, bytes) else { return }
        if blockCount > 0 { data.markCoded(component, index) }
      }
    }
  }

  /// `residual_luma`, also of Cb and Cr in 4:4:4.
  private mutating func readLuma(_ component: Int, _ map: inout MacroblockMap, _ bytes: Span<UInt8>) {
    let is16x16 = data.kind == .intra16x16
    if is16x16 {
      let place = BlockPlace(component: component, x: 0, y: 0, columnCount: 4, height: 16)
      let target = LevelTarget(small: component * 16, first: 0, isField: data.isField)
      guard readBlock(.intra16x16DC, 16, place, target, &map, bytes) else { return }
      noteDC(component, &map)
    }
    for quarter in 0..<4 where data.codedPattern >> quarter & 1 == 1 {
      if data.hasLargeTransform, isCABAC {
        readLarge(component, quarter, &map, bytes)
        if damage != nil { return }
        continue
      }
      for index in quarter * 4..<quarter * 4 + 4 {
        let (x, y) = MacroblockData.place(index)
        let place = BlockPlace(component: component, x: x, y: y, columnCount: 4, height: 16)
        let target =
          data.hasLargeTransform
          ? LevelTarget(large: component * 256 + quarter * 64, step: 4, first: index & 3, isField: data.isField)
          : LevelTarget(small: component * 256 + index * 16, first: is16x16 ? 1 : 0, isField: data.isField)
        guard readBlock(is16x16 ? .intra16x16AC : .small, is16x16 ? 15 : 16, place, target, &map, bytes) else { return }
        if blockCount > 0 { data.markCoded(component, data.hasLargeTransform ? quarter * 4 : index) }
      }
    }
  }

  /// An 8 × 8 block in arithmetic coding.
  private mutating func readLarge(
    _ component: Int, _ quarter: Int, _ map: inout MacroblockMap, _ bytes: Span<UInt8>
  ) {
    let (x, y) = MacroblockData.place(quarter * 4)
    let place = BlockPlace(component: component, x: x, y: y, columnCount: 4, height: 16)
    let target = LevelTarget(large: component * 256 + quarter * 64, step: 1, first: 0, isField: data.isField)
    guard readBlock(.large, 64, place, target, &map, bytes) else { return }
    let first = countIndex(place)
    let count = UInt8(truncatingIfNeeded: min(16, blockCount))
    (map.counts[first + 1], map.counts[first + 4], map.counts[first + 5]) = (count, count, count)
    guard blockCount > 0 else { return }
    data.markCoded(component, quarter * 4)
  }

  private mutating func readChromaDC(_ component: Int, _ map: inout MacroblockMap, _ bytes: Span<UInt8>) {
    let place = BlockPlace(component: component, x: 0, y: 0, columnCount: 2, height: 8)
    let count = format.chromaBlockCount
    guard readBlock(.chromaDC, count, place, LevelTarget(chromaDC: component * 16, count: count), &map, bytes) else {
      return
    }
    noteDC(component, &map)
  }

  private mutating func noteDC(_ component: Int, _ map: inout MacroblockMap) {
    guard blockCount > 0 else { return }
    data.codedDC |= 1 << component
    map.macroblocks[neighbours.current].codedDC = UInt8(truncatingIfNeeded: data.codedDC)
  }

  // MARK: Blocks

  /// The place of a block in its component, in units of 4 × 4 blocks.
  struct BlockPlace {
    let component: Int
    let x: Int
    let y: Int
    /// Blocks in a row of a macroblock, and rows of samples.
    let columnCount: Int
    let height: Int
  }

  private func countIndex(_ place: BlockPlace) -> Int {
    neighbours.current &* MacroblockMap.countsPerMacroblock &+ place.component &* 16
      &+ place.y &* place.columnCount &+ place.x
  }

  /// The numbers of coefficients of the blocks at the left and above; `nil` outside the slice.
  private func neighbourCounts(_ place: BlockPlace, _ map: MacroblockMap) -> (left: UInt8?, above: UInt8?) {
    let start = place.component &* 16
    let own = countIndex(place)
    var left: UInt8?
    if place.x > 0 {
      left = map.counts[own &- 1]
    } else if neighbours.hasLeft {
      let (index, row) = neighbours.left(ofRow: place.y &* 4, height: place.height)
      left =
        map.counts[
          index &* MacroblockMap.countsPerMacroblock &+ start &+ ((row &>> 2) &+ 1) &* place.columnCount &- 1]
    }
    var above: UInt8?
    if place.y > 0 {
      above = map.counts[own &- place.columnCount]
    } else if neighbours.hasAbove {
      above =
        map.counts[
          neighbours.above &* MacroblockMap.countsPerMacroblock &+ start
            &+ ((place.height &>> 2) &- 1) &* place.columnCount &+ place.x]
    }
    return (left, above)
  }

  /// Reads the levels of a block to their places, and notes the number of its coefficients, if it is not a DC block.
  ///
  /// - Returns: `false` if it is damaged.
  private mutating func readBlock(
    _ category: BlockCategory, _ maximumCount: Int, _ place: BlockPlace, _ target: LevelTarget,
    _ map: inout MacroblockMap, _ bytes: Span<UInt8>
  ) -> Bool {
    let isDC = category == .chromaDC || category == .intra16x16DC
    if isCABAC {
      let contexts = self.contexts[
        BlockContexts.index(
          category, component: format.chromaType == 3 ? place.component : 0, isField: data.isField)]
      blockCount = 0
      // The pattern states that 8 × 8 blocks have coefficients, except in 4:4:4.
      let isCoded =
        category == .large && format.chromaType != 3
        || readCodedFlag(category, contexts.codedBlockFlag, place, map, bytes)
      if isCoded {
        let bins = ResidualBins(category, maximumCount, contexts, target, isField: data.isField)
        let result =
          isDC
          ? bins.read(&cabac, &models, tables, to: &levels.dc, bytes)
          : bins.read(&cabac, &models, tables, to: &levels.values, bytes)
        blockCount = result.count
        countBins(result.binCount)
      }
    } else {
      let tokens: CAVLCReader.TokenTable
      if category == .chromaDC {
        tokens = maximumCount == 4 ? .chromaDC420 : .chromaDC422
      } else {
        let counts = neighbourCounts(place, map)
        let sum = Int(counts.left ?? 0) &+ Int(counts.above ?? 0)
        tokens = .neighbours(count: counts.left != nil && counts.above != nil ? (sum &+ 1) &>> 1 : sum)
      }
      guard cavlc.readBlock(tokens, maximumCount: maximumCount, into: &block, bytes) else {
        damage = "a residual block has an invalid code"
        return false
      }
      blockCount = block.count
      if isDC {
        block.store(to: &levels.dc, target, tables)
      } else {
        block.store(to: &levels.values, target, tables)
      }
    }
    if !isDC { map.counts[countIndex(place)] = UInt8(truncatingIfNeeded: min(16, blockCount)) }
    return true
  }

  /// `coded_block_flag`.
  private mutating func readCodedFlag(
    _ category: BlockCategory, _ context: Int, _ place: BlockPlace, _ map: MacroblockMap, _ bytes: Span<UInt8>
  ) -> Bool {
    var (left, above) = (true, true)
    if category == .chromaDC || category == .intra16x16DC {
      let bit = UInt8(1) << UInt8(place.component)
      if neighbours.hasLeft { left = map.macroblocks[neighbours.left].codedDC & bit != 0 }
      if neighbours.hasAbove { above = map.macroblocks[neighbours.above].codedDC & bit != 0 }
    } else {
      let counts = neighbourCounts(place, map)
      if let count = counts.left { left = count != 0 }
      if let count = counts.above { above = count != 0 }
      if category == .large {
        // Smaller blocks of neighbours do not count.
        if place.x == 0, neighbours.hasLeft {
          let index = neighbours.left(ofRow: place.y &* 4, height: 16).index
          if !map.macroblocks[index].hasLargeTransform { left = isCodedWithoutLargeBlocks(map.macroblocks[index]) }
        }
        if place.y == 0, neighbours.hasAbove, !map.macroblocks[neighbours.above].hasLargeTransform {
          above = isCodedWithoutLargeBlocks(map.macroblocks[neighbours.above])
        }
      }
    }
    return cabac.decode(context + (left ? 1 : 0) + (above ? 2 : 0), &models, bytes) == 1
  }

  private func isCodedWithoutLargeBlocks(_ macroblock: Macroblock) -> Bool {
    countsSmallBlocks || macroblock.kind == .pcm
  }
}
