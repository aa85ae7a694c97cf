// Apple's gain maps, whose parameters are not in the map, as maps of ISO 21496-1.

internal import ImageCoding

extension GainMap {
  /// Returns the map with samples and parameters of ISO 21496-1, so that it no longer depends on the maker's notes.
  ///
  /// In Apple's maps a sample is a share of the headroom in light, encoded by the transfer function of BT.709: the light
  /// of the base picture is multiplied by `1 + (headroom - 1) · share`. In the result, samples are shares of its logarithm.
  ///
  /// - Parameter headroom: the binary logarithm of the headroom; positive.
  func describedByISO21496(headroom: Double) -> GainMap {
    guard bitmap.format.sampleType == .uint8, !bitmap.format.hasAlpha else { return self }
    let factor = ElementaryFunctions.power(2, headroom) - 1
    let levels = (0...255).map { level -> UInt8 in
      let sample = Double(level) / 255
      let share = sample < 0.081 ? sample / 4.5 : ElementaryFunctions.power((sample + 0.099) / 1.099, 1 / 0.45)
      let gain = ElementaryFunctions.logarithm(1 + factor * share) / ElementaryFunctions.logarithm(2)
      return UInt8(clamping: Int((gain / headroom * 255).rounded()))
    }
    var result = bitmap
    for y in 0..<result.height {
      var row = result.mutableRow(y)
      for index in row.indices { row[index] = levels[Int(row[index])] }
    }
    let component = GainMapMetadata.Component(
      minimum: 0, maximum: headroom, gamma: 1, baseOffset: 0, alternateOffset: 0)
    return GainMap(
      bitmap: result,
      metadata: GainMapMetadata(components: [component], baseHeadroom: 0, alternateHeadroom: headroom))
  }
}
