// The parameters of sample adaptive offset (SAO, sections 7.3.8.3 and 7.4.9.3).

/// The sample adaptive offsets of a CTB.
struct SAOParameters {
  /// The offsets of one component.
  struct Component {
    /// 0 for none, 1 for band offsets, 2 for edge offsets.
    var type: UInt8 = 0
    /// The first band, or the direction of edges.
    var position: UInt8 = 0
    /// Four offsets of bands, or of edge categories 1, 2, 3 and 4.
    var offsets = SIMD4<Int16>()
  }

  var luma = Component()
  var cb = Component()
  var cr = Component()
}

extension SliceDecoder {
  /// Reads the offsets of the current CTB.
  mutating func readSAO(_ picture: borrowing DecodedPicture, _ bytes: Span<UInt8>) -> SAOParameters {
    if position.hasLeft, cabac.decode(ContextIndex.saoMerge, &models, bytes) == 1 {
      return picture[position.address - 1].offsets
    }
    if position.hasTop, cabac.decode(ContextIndex.saoMerge, &models, bytes) == 1 {
      return picture[position.address - picture.layout.columnCount].offsets
    }
    var offsets = SAOParameters()
    if slice.isSAOLumaEnabled {
      let type = readSAOType(bytes)
      offsets.luma = readSAOComponent(type: type, direction: nil, shift: parameters.lumaOffsetShift, bytes)
    }
    if slice.isSAOChromaEnabled {
      let type = readSAOType(bytes)
      offsets.cb = readSAOComponent(type: type, direction: nil, shift: parameters.chromaOffsetShift, bytes)
      offsets.cr = readSAOComponent(
        type: type, direction: offsets.cb.position, shift: parameters.chromaOffsetShift, bytes)
    }
    return offsets
  }

  private mutating func readSAOType(_ bytes: Span<UInt8>) -> UInt8 {
    if cabac.decode(ContextIndex.saoType, &models, bytes) == 0 { return 0 }
    return cabac.decodeBypass(bytes) == 0 ? 1 : 2
  }

  /// - Parameter direction: that of edges, if it is that of another component.
  private mutating func readSAOComponent(
    type: UInt8, direction: UInt8?, shift: Int, _ bytes: Span<UInt8>
  ) -> SAOParameters.Component {
    var component = SAOParameters.Component()
    guard type > 0 else { return component }
    component.type = type
    let maximum = 1 << (min(parameters.bitDepth, 10) - 5) - 1
    var offsets = SIMD4<Int16>()
    for index in 0..<4 {
      var value = 0
      while value < maximum, cabac.decodeBypass(bytes) == 1 { value += 1 }
      offsets[index] = Int16(truncatingIfNeeded: value)
    }
    if type == 1 {
      for index in 0..<4 where offsets[index] != 0 {
        if cabac.decodeBypass(bytes) == 1 { offsets[index] = 0 &- offsets[index] }
      }
      component.position = UInt8(cabac.decodeBypass(count: 5, bytes))
    } else {
      offsets[2] = 0 &- offsets[2]
      offsets[3] = 0 &- offsets[3]
      component.position = direction ?? UInt8(cabac.decodeBypass(count: 2, bytes))
    }
    component.offsets = offsets &<< SIMD4(repeating: Int16(truncatingIfNeeded: shift))
    return component
  }
}
