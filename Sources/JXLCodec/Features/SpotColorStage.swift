// Spot colours: inks that are mixed with the colours (ISO/IEC 18181-1, A.9).

internal import ImageCoding

/// Mixes the inks of an image into its colours, after composition.
struct SpotColorStage: RowStage {
  /// An ink and the plane of its amounts.
  private struct Ink {
    var color: [Float]
    var solidity: Float
    var plane: Int
  }

  private let inks: [Ink]
  private let colorCount: Int

  /// Creates the stage; `nil` if the image has no spot colours.
  init?(_ image: ImageHeader, colorCount: Int) {
    self.colorCount = colorCount
    inks = image.extraChannels.enumerated().compactMap { index, channel in
      guard case .spot(let red, let green, let blue, let solidity) = channel.kind else { return nil }
      return Ink(color: [red, green, blue], solidity: solidity, plane: colorCount + index)
    }
    if inks.isEmpty { return nil }
  }

  var unitsPerSample: Int { 2 * inks.count }

  func process(row y: Int, of frame: inout RenderedFrame) {
    for ink in inks {
      let amounts = frame.planes[ink.plane]
      let start = y * frame.width
      for plane in 0..<colorCount {
        let color = ink.color[min(plane, 2)]
        frame.withRow(plane, y) { row in
          for x in 0..<row.count {
            let mix = amounts[start &+ x] * ink.solidity
            row[x] = mix * color + (1 - mix) * row[x]
          }
        }
      }
    }
  }
}
