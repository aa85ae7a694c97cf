// COD and COC: the coding style of all components, or of one (ITU-T T.800, A.6.1 and A.6.2).

internal import ImageCoding

/// The order in which the packets of a tile follow one another.
enum Progression: UInt8, Sendable {
  case layerResolutionComponentPosition
  case resolutionLayerComponentPosition
  case resolutionPositionComponentLayer
  case positionComponentResolutionLayer
  case componentPositionResolutionLayer
}

/// The parameters of COD that concern all components.
struct TileCodingStyle: Sendable {
  let progression: Progression
  /// The number of quality layers, 1…65535.
  let layerCount: Int
  /// Whether the first three components have been transformed (RCT or ICT).
  let usesComponentTransform: Bool
  let allowsPacketMarkers: Bool
  let usesHeaderMarkers: Bool

  init(style: UInt8, parsing reader: inout ByteReader) throws(CodecError) {
    let order = try reader.readUInt8()
    guard let progression = Progression(rawValue: order) else {
      throw reader.error(.malformed, "the progression order is \(order)")
    }
    self.progression = progression
    layerCount = Int(try reader.readUInt16BigEndian())
    guard layerCount > 0 else { throw reader.error(.malformed, "there are no layers") }
    let transform = try reader.readUInt8()
    guard transform <= 1 else {
      throw reader.error(.unsupported, "component transforms of Part 2 are not supported")
    }
    usesComponentTransform = transform == 1
    allowsPacketMarkers = style & 2 != 0
    usesHeaderMarkers = style & 4 != 0
  }
}

/// The coding style of a component.
struct ComponentCodingStyle: Sendable {
  /// The variants of the block coder.
  struct BlockStyle: OptionSet, Sendable {
    let rawValue: UInt8
    static let bypass = BlockStyle(rawValue: 0x01)
    static let resetsContexts = BlockStyle(rawValue: 0x02)
    static let terminatesPasses = BlockStyle(rawValue: 0x04)
    static let verticallyCausal = BlockStyle(rawValue: 0x08)
    static let predictableTermination = BlockStyle(rawValue: 0x10)
    static let segmentationSymbols = BlockStyle(rawValue: 0x20)
    static let highThroughput = BlockStyle(rawValue: 0x40)
    static let mixed = BlockStyle(rawValue: 0x80)
  }

  /// The number of decompositions, 0…32.
  let levelCount: Int
  /// The binary logarithms of the largest size of code-blocks.
  let blockWidthExponent: Int
  let blockHeightExponent: Int
  let blockStyle: BlockStyle
  /// Whether the 5/3 wavelet was used, not the 9/7 wavelet.
  let isReversible: Bool
  /// The exponents of the size of precincts: 4 bits each for the height and the width, by resolution. Empty if all are
  /// 15.
  private let precinctExponents: [UInt8]

  init(hasPrecincts: Bool, parsing reader: inout ByteReader) throws(CodecError) {
    levelCount = Int(try reader.readUInt8())
    guard levelCount <= 32 else { throw reader.error(.malformed, "there are \(levelCount) decomposition levels") }
    let (width, height) = (Int(try reader.readUInt8()), Int(try reader.readUInt8()))
    guard width <= 8, height <= 8, width + height <= 8 else {
      throw reader.error(.malformed, "the size of code-blocks is invalid")
    }
    (blockWidthExponent, blockHeightExponent) = (width + 2, height + 2)
    blockStyle = BlockStyle(rawValue: try reader.readUInt8())
    let wavelet = try reader.readUInt8()
    guard wavelet <= 1 else {
      throw reader.error(.unsupported, "arbitrary transformation kernels (ATK) are not supported")
    }
    isReversible = wavelet == 1
    var exponents: [UInt8] = []
    if hasPrecincts {
      for resolution in 0...levelCount {
        let byte = try reader.readUInt8()
        guard resolution == 0 || (byte & 15 != 0 && byte >> 4 != 0) else {
          throw reader.error(.malformed, "the size of precincts is invalid")
        }
        exponents.append(byte)
      }
    }
    precinctExponents = exponents
  }

  /// The binary logarithms of the size of the precincts of a resolution.
  func precinctExponents(resolution: Int) -> (width: Int, height: Int) {
    guard resolution < precinctExponents.count else { return (15, 15) }
    return (Int(precinctExponents[resolution] & 15), Int(precinctExponents[resolution] >> 4))
  }

  /// Throws unless the code-blocks can be decoded.
  func checkSupport() throws(CodecError) {
    guard blockStyle.contains([.highThroughput, .mixed]), !blockStyle.isDisjoint(with: [.bypass, .terminatesPasses])
    else { return }
    throw .jpeg2000(.unsupported, "HTJ2K mixed with code-blocks of several codeword segments is not supported")
  }
}
