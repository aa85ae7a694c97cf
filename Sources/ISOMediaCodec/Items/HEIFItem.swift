// One image item of a HEIF file with its properties applied (ISO/IEC 23008-12, 6.5).

public import ImageCoding

/// An image in a HEIF file, coded or derived from others.
public struct HEIFItem: Hashable, Sendable {
  /// The identifier by which the boxes of the file refer to the item.
  public let id: UInt32
  /// The item type: a coding or a derivation, such as `"hvc1"`, `"av01"`, `"jpeg"` or `"grid"`.
  public let coding: String
  /// Whether the item is hidden, that is, used only by other items.
  public let isHidden: Bool
  /// The coded size in pixels (`ispe`).
  public internal(set) var codedSize = PixelSize(width: 0, height: 0)
  /// The part of the coded picture that is shown (`clap`); `nil` for all of it.
  public internal(set) var cleanAperture: PixelRegion?
  /// The orientation to apply to the part that is shown (`irot`, `imir`).
  public internal(set) var orientation = ImageOrientation.up
  /// The bits of each channel (`pixi` or the codec configuration); empty if not stated.
  public internal(set) var bitsPerChannel: [Int] = []
  /// The colour code points (`colr` of type `nclx`).
  public internal(set) var codePoints: CodingIndependentCodePoints?
  /// The ICC profile (`colr` of type `prof` or `rICC`).
  public internal(set) var iccProfile: [UInt8]?
  /// The display on which an HDR picture was mastered (`mdcv`).
  public internal(set) var masteringDisplay: MasteringDisplay?
  /// The content light level of an HDR picture (`clli`).
  public internal(set) var contentLightLevel: ContentLightLevel?
  /// The type of an auxiliary image (`auxC`), such as `"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"`.
  public internal(set) var auxiliaryType: String?
  /// The source items of a derived image, row by row.
  public internal(set) var tileIDs: [UInt32] = []

  /// The size in pixels after cropping and rotation.
  public var size: PixelSize {
    let shown = cleanAperture.map { PixelSize(width: $0.width, height: $0.height) } ?? codedSize
    return orientation.swapsAxes ? shown.transposed : shown
  }

  /// Whether the item is an alpha plane.
  public var isAlpha: Bool {
    auxiliaryType == "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha" || auxiliaryType == "urn:mpeg:hevc:2015:auxid:1"
  }

  /// Whether the item is an Apple gain map.
  var isAppleGainMap: Bool { auxiliaryType == "urn:com:apple:photo:2020:aux:hdrgainmap" }

  /// The colour space. A profile takes precedence over code points (ISO/IEC 23008-12, 6.5.5).
  public var colorSpace: ColorSpace {
    var space = ColorSpace()
    space.iccProfile = iccProfile
    space.codePoints = codePoints
    space.masteringDisplay = masteringDisplay
    space.contentLightLevel = contentLightLevel
    return space
  }
}

extension HEIFItem {
  /// The work units for applying a property.
  private static let workPerProperty = 300

  /// Collects an item's properties.
  ///
  /// - Parameters:
  ///   - budget: the budget to which every property is charged.
  ///   - keepsProfile: whether the ICC profile is copied, which is done only for the picture that is shown.
  /// - Throws: `CodecError.Kind.malformed` for a truncated property; errors of `budget`.
  init(
    _ id: UInt32, in table: ItemTable, _ bytes: Span<UInt8>, budget: inout ResourceBudget, keepsProfile: Bool = false
  ) throws(CodecError) {
    let item = table.items[id]
    self.id = id
    coding = item?.type.description ?? ""
    isHidden = item?.isHidden ?? false
    var turn = PictureTurn()
    for property in table.properties(of: id) {
      try budget.chargeWork(Self.workPerProperty, byteOffset: property.payload.lowerBound)
      let payload = bytes.extracting(property.payload)
      var reader = ByteReader(payload, baseOffset: property.payload.lowerBound, format: ISOMediaDecoder.heif)
      do throws(CodecError) {
        if property.type == "colr" {
          try readColor(&reader, keepsProfile: keepsProfile, budget: &budget)
        } else {
          try apply(property, &reader, &turn)
        }
      } catch {
        if error.kind != .truncated { throw error }
        throw CodecError(
          .malformed, "property '\(property.type)' is cut off", format: ISOMediaDecoder.heif,
          byteOffset: property.payload.upperBound)
      }
    }
    orientation = turn.orientation
    tileIDs = table.sources(of: id)
  }

  private mutating func apply(
    _ property: ISOBox, _ reader: inout ByteReader, _ turn: inout PictureTurn
  ) throws(CodecError) {
    switch property.type {
    case "ispe":
      try reader.skip(4)
      let width = Int(clamping: try reader.readUInt32BigEndian())
      codedSize = PixelSize(width: width, height: Int(clamping: try reader.readUInt32BigEndian()))
    case "pixi":
      try reader.skip(4)
      bitsPerChannel = Array(copying: try reader.read(Int(try reader.readUInt8()))).map { Int($0) }
    case "irot": turn.rotate(counterClockwiseQuarters: Int(try reader.readUInt8() & 3))
    case "imir": turn.mirror(exchangesLeftAndRight: try reader.readUInt8() & 1 == 1)
    case "clap": cleanAperture = try CleanAperture(parsing: &reader).region(in: codedSize)
    case "mdcv": masteringDisplay = try MasteringDisplay(parsing: &reader)
    case "clli":
      contentLightLevel = ContentLightLevel(
        maximum: Double(try reader.readUInt16BigEndian()),
        maximumFrameAverage: Double(try reader.readUInt16BigEndian()))
    case "auxC":
      try reader.skip(4)
      auxiliaryType = String(utf8: try reader.read(min(reader.remaining, 256)).upToNUL())
    case "av1C" where bitsPerChannel.isEmpty:
      // The third byte contains the tier, high bit depth, twelve-bit and monochrome flags.
      try reader.skip(2)
      let flags = try reader.readUInt8()
      let depth = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
      bitsPerChannel = Array(repeating: depth, count: flags & 0x10 == 0 ? 3 : 1)
    case "hvcC" where bitsPerChannel.isEmpty:
      try reader.skip(16)
      let chromaFormat = try reader.readUInt8() & 3
      let depth = Int(try reader.readUInt8() & 7) + 8
      bitsPerChannel = Array(repeating: depth, count: chromaFormat == 0 ? 1 : 3)
    default: break
    }
  }

  private mutating func readColor(
    _ reader: inout ByteReader, keepsProfile: Bool, budget: inout ResourceBudget
  ) throws(CodecError) {
    switch FourCharacterCode(rawValue: try reader.readUInt32BigEndian()) {
    case "nclx":
      codePoints = CodingIndependentCodePoints(
        colorPrimaries: UInt8(truncatingIfNeeded: try reader.readUInt16BigEndian()),
        transferFunction: UInt8(truncatingIfNeeded: try reader.readUInt16BigEndian()),
        matrixCoefficients: UInt8(truncatingIfNeeded: try reader.readUInt16BigEndian()),
        isFullRange: try reader.readUInt8() & 0x80 != 0)
    case "prof", "rICC":
      // A property may be referenced any number of times.
      guard keepsProfile, iccProfile == nil, budget.admitMetadata(reader.remaining) else { return }
      iccProfile = Array(copying: try reader.read(reader.remaining))
    default: break
    }
  }
}

/// A sequence of rotations and mirrors, in normal form: an optional horizontal flip followed by quarter turns.
struct PictureTurn {
  private var isMirrored = false
  private var clockwiseQuarters = 0

  /// Appends a rotation.
  mutating func rotate(counterClockwiseQuarters quarters: Int) {
    clockwiseQuarters = (clockwiseQuarters + 4 - quarters & 3) & 3
  }

  /// Appends a flip that exchanges left and right, or top and bottom.
  mutating func mirror(exchangesLeftAndRight: Bool) {
    // A flip after a rotation by a is a rotation by −a after the flip. A vertical flip is a horizontal one and a half
    // turn.
    clockwiseQuarters = ((exchangesLeftAndRight ? 4 : 6) - clockwiseQuarters) & 3
    isMirrored.toggle()
  }

  /// The equivalent orientation.
  var orientation: ImageOrientation {
    isMirrored
      ? [.upMirrored, .rightMirrored, .downMirrored, .leftMirrored][clockwiseQuarters]
      : [.up, .right, .down, .left][clockwiseQuarters]
  }
}

extension MasteringDisplay {
  /// Reads the payload of `mdcv` (ISO/IEC 14496-12, 12.1.7): the primaries in the order green, blue, red, then the
  /// white point, in units of 0.00002, and luminances in units of 0.0001 cd/m².
  fileprivate init(parsing reader: inout ByteReader) throws(CodecError) {
    var points: [Chromaticities.Point] = []
    for _ in 0..<4 {
      let x = Double(try reader.readUInt16BigEndian()) / 50_000
      let y = Double(try reader.readUInt16BigEndian()) / 50_000
      points.append(Chromaticities.Point(x: x, y: y))
    }
    let maximum = Double(try reader.readUInt32BigEndian()) / 10_000
    let minimum = Double(try reader.readUInt32BigEndian()) / 10_000
    self.init(
      chromaticities: Chromaticities(white: points[3], red: points[2], green: points[0], blue: points[1]),
      maximumLuminance: maximum, minimumLuminance: minimum)
  }
}
