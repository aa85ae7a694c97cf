// The header of each macroblock: segment, skip flag and prediction modes (RFC 6386, sections 10 and 11).

/// The prediction mode of a block. The first four are the modes of whole macroblocks and of chroma.
enum PredictionMode {
  static let dc: UInt8 = 0
  static let trueMotion: UInt8 = 1
  static let vertical: UInt8 = 2
  static let horizontal: UInt8 = 3
  static let leftDown: UInt8 = 4
  static let rightDown: UInt8 = 5
  static let verticalRight: UInt8 = 6
  static let verticalLeft: UInt8 = 7
  static let horizontalDown: UInt8 = 8
  static let horizontalUp: UInt8 = 9
}

/// The content of a macroblock header.
struct MacroblockHeader {
  var segment: UInt8 = 0
  /// Whether the macroblock has no coefficients.
  var isSkipped = false
  /// Whether luma is predicted by subblocks.
  var hasSubblocks = false
  /// The mode of luma if it is predicted as a whole.
  var lumaMode = PredictionMode.dc
  var chromaMode = PredictionMode.dc
  /// The modes of the sixteen subblocks of luma, in raster order.
  var subblockModes = InlineArray<16, UInt8>(repeating: 0)
}

/// Reads macroblock headers, row by row.
struct MacroblockHeaderReader {
  private let segmentProbabilities: [UInt8]?
  private let skipProbability: UInt8?
  /// The modes of the subblocks above, four per macroblock.
  private var above: [UInt8]

  init(_ header: LossyHeader, macroblockColumns: Int) {
    segmentProbabilities = header.segmentProbabilities
    skipProbability = header.skipProbability
    above = [UInt8](repeating: PredictionMode.dc, count: macroblockColumns * 4)
  }

  /// Reads the headers of a row. The decoder is a parameter and a result, so that it stays in registers.
  @inline(never)
  mutating func readRow(
    into headers: inout [MacroblockHeader], _ decoder: BoolDecoder, _ bytes: Span<UInt8>
  ) -> BoolDecoder {
    var local = decoder
    var left = InlineArray<4, UInt8>(repeating: PredictionMode.dc)
    let table = SubblockModeProbabilities.values
    let probabilities = table.span
    let (segmentProbabilities, skipProbability) = (segmentProbabilities, skipProbability)
    var above = above.mutableSpan
    for column in headers.indices {
      var header = MacroblockHeader()
      if let segmentProbabilities {
        header.segment =
          local.read(segmentProbabilities[0], bytes)
          ? (local.read(segmentProbabilities[2], bytes) ? 3 : 2) : (local.read(segmentProbabilities[1], bytes) ? 1 : 0)
      }
      if let skipProbability { header.isSkipped = local.read(skipProbability, bytes) }
      if local.read(145, bytes) {
        header.lumaMode = Self.readLumaMode(&local, bytes)
        for index in 0..<4 {
          above[column * 4 + index] = header.lumaMode
          left[index] = header.lumaMode
        }
      } else {
        header.hasSubblocks = true
        let modes = Self.readSubblockModes(probabilities, above: &above, column: column, left: &left, local, bytes)
        header.subblockModes = modes.modes
        local = modes.decoder
      }
      header.chromaMode = Self.readChromaMode(&local, bytes)
      headers[column] = header
    }
    return local
  }

  @inline(__always)
  private static func readLumaMode(_ decoder: inout BoolDecoder, _ bytes: Span<UInt8>) -> UInt8 {
    if decoder.read(156, bytes) {
      return decoder.read(128, bytes) ? PredictionMode.trueMotion : PredictionMode.horizontal
    }
    return decoder.read(163, bytes) ? PredictionMode.vertical : PredictionMode.dc
  }

  @inline(__always)
  private static func readChromaMode(_ decoder: inout BoolDecoder, _ bytes: Span<UInt8>) -> UInt8 {
    guard decoder.read(142, bytes) else { return PredictionMode.dc }
    guard decoder.read(114, bytes) else { return PredictionMode.vertical }
    return decoder.read(183, bytes) ? PredictionMode.trueMotion : PredictionMode.horizontal
  }

  /// Reads the modes of the sixteen subblocks of a macroblock.
  ///
  /// - Parameters:
  ///   - above: the modes above, of four subblocks per macroblock, replaced by the last row.
  ///   - left: the modes to the left, replaced by the last column.
  @inline(never)
  private static func readSubblockModes(
    _ probabilities: Span<UInt8>, above: inout MutableSpan<UInt8>, column: Int, left: inout InlineArray<4, UInt8>,
    _ decoder: BoolDecoder, _ bytes: Span<UInt8>
  ) -> (modes: InlineArray<16, UInt8>, decoder: BoolDecoder) {
    var decoder = decoder
    var modes = InlineArray<16, UInt8>(repeating: PredictionMode.dc)
    for index in 0..<16 {
      let (x, y) = (column &* 4 &+ index & 3, index &>> 2)
      let node = (Int(above[x]) &* 10 &+ Int(left[y])) &* 9
      // The mode tree. The decoder is not passed to a function, which would keep it in memory.
      var mode = PredictionMode.dc
      if decoder.read(probabilities[node], bytes) {
        mode = PredictionMode.trueMotion
        if decoder.read(probabilities[node &+ 1], bytes) {
          mode = PredictionMode.vertical
          if decoder.read(probabilities[node &+ 2], bytes) {
            if decoder.read(probabilities[node &+ 3], bytes) {
              mode = PredictionMode.leftDown
              if decoder.read(probabilities[node &+ 6], bytes) {
                mode = PredictionMode.verticalLeft
                if decoder.read(probabilities[node &+ 7], bytes) {
                  mode = PredictionMode.horizontalDown
                  if decoder.read(probabilities[node &+ 8], bytes) { mode = PredictionMode.horizontalUp }
                }
              }
            } else {
              mode = PredictionMode.horizontal
              if decoder.read(probabilities[node &+ 4], bytes) {
                mode = PredictionMode.rightDown
                if decoder.read(probabilities[node &+ 5], bytes) { mode = PredictionMode.verticalRight }
              }
            }
          }
        }
      }
      modes[index] = mode
      above[x] = mode
      left[y] = mode
    }
    return (modes, decoder)
  }
}
