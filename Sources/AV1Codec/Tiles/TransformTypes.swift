// The types of transform blocks (sections 5.11.40, 5.11.47 and 5.11.48).

extension TileDecoder {
  /// `transform_type`, of a luma block.
  mutating func readTransformType(_ transform: TransformBlock, _ bytes: Span<UInt8>) -> TransformType {
    let type = codedTransformType(transform.size, bytes)
    if block.isCopied { setTransformType(type, transform) }
    return type
  }

  private mutating func codedTransformType(_ size: TransformSize, _ bytes: Span<UInt8>) -> TransformType {
    guard !block.isLossless, size.longerSide <= 3,
      parameters.quantizerIndex(block.segment, current: parameters.quantization.baseIndex) > 0
    else { return .dct }
    if block.isCopied { return copiedTransformType(size, bytes) }
    guard size.longerSide < 3 else { return .dct }
    // The filter's direction replaces the mode: `Filter_Intra_Mode_To_Intra_Dir`.
    let filterDirections: InlineArray<8, UInt8> = [0, 1, 2, 6, 0, 0, 0, 0]
    let direction = block.filterMode.map { Int(filterDirections[$0 & 7]) } ?? Int(block.mode.rawValue)
    let context = (size.shorterSide &* 13 &+ direction) &* 2
    if parameters.hasReducedTransformSet || size.shorterSide == 2 {
      let symbol = symbols.decodeSymbol8(CDFIndex.intraTransformSet2 &+ context, count: 5, contexts, bytes)
      return TransformType(rawValue: TransformSet.intra2[symbol & 7])
    }
    let symbol = symbols.decodeSymbol8(CDFIndex.intraTransformSet1 &+ context, count: 7, contexts, bytes)
    return TransformType(rawValue: TransformSet.intra1[symbol & 7])
  }

  private mutating func copiedTransformType(_ size: TransformSize, _ bytes: Span<UInt8>) -> TransformType {
    if parameters.hasReducedTransformSet || size.longerSide == 3 {
      let isDCT = symbols.decodeFlag(CDFIndex.interTransformSet3 + size.shorterSide, contexts, bytes)
      return isDCT ? .dct : .identity
    }
    if size.shorterSide == 2 {
      let symbol = symbols.decodeSymbol16(CDFIndex.interTransformSet2, count: 12, contexts, bytes)
      return TransformType(rawValue: TransformSet.inter2[symbol & 15])
    }
    let group = CDFIndex.interTransformSet1 + size.shorterSide * 4
    let symbol = symbols.decodeSymbol16(group, count: 16, contexts, bytes)
    return TransformType(rawValue: TransformSet.inter1[symbol & 15])
  }

  /// Stores the type of a luma block for its chroma.
  mutating func setTransformType(_ type: TransformType, _ transform: TransformBlock) {
    for row in transform.row..<transform.row + transform.size.rows {
      for column in transform.column..<transform.column + transform.size.columns {
        transformTypes[(row & 31) * 32 + column & 31] = type.rawValue
      }
    }
  }

  /// `compute_tx_type` of a chroma block.
  mutating func chromaTransformType(_ transform: TransformBlock) -> TransformType {
    let size = transform.size
    guard !block.isLossless, size.longerSide <= 3 else { return .dct }
    let isReduced = parameters.hasReducedTransformSet
    guard block.isCopied else {
      guard size.longerSide < 3 else { return .dct }
      let type = block.chromaMode.transformType
      let members = isReduced || size.shorterSide == 2 ? TransformSet.intra2Members : TransformSet.intra1Members
      return members &>> UInt16(type.rawValue) & 1 != 0 ? type : .dct
    }
    let column = max(block.column, transform.column << parameters.subsamplingX)
    let row = max(block.row, transform.row << parameters.subsamplingY)
    let type = TransformType(rawValue: transformTypes[(row & 31) * 32 + column & 31])
    let members: UInt16 =
      isReduced || size.longerSide == 3
      ? TransformSet.inter3Members : size.shorterSide == 2 ? TransformSet.inter2Members : .max
    return members &>> UInt16(type.rawValue) & 1 != 0 ? type : .dct
  }
}
