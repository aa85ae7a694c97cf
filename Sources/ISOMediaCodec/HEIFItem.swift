// One image item of a HEIF file with its properties applied (ISO/IEC 23008-12, 6.5).

public import ImageCore

/// An image inside of a HEIF file: coded, or derived from others.
public struct HEIFItem: Hashable, Sendable {
  /// The item's number in the file.
  public let id: UInt32
  /// The coding or derivation, such as `"hvc1"`, `"av01"`, `"jpeg"` or `"grid"`.
  public let coding: String
  /// Whether the item is only there for others.
  public let isHidden: Bool
  /// Columns and rows as coded (`ispe`).
  public internal(set) var codedSize = PixelSize(width: 0, height: 0)
  /// The part of the coded picture that is shown (`clap`); `nil` where all of it is.
  public internal(set) var cleanAperture: PixelRegion?
  /// How the part that is shown is to be turned (`irot`, `imir`).
  public internal(set) var orientation = ImageOrientation.up
  /// Bits of each channel (`pixi`, or the coding's own configuration); empty where the file does not say.
  public internal(set) var bitsPerChannel: [Int] = []
  /// The code points of colours (`colr` of type `nclx`).
  public internal(set) var codePoints: CodingIndependentCodePoints?
  /// The ICC profile (`colr` of type `prof` or `rICC`).
  public internal(set) var iccProfile: [UInt8]?
  /// The display on which an HDR picture was graded (`mdcv`).
  public internal(set) var masteringDisplay: MasteringDisplay?
  /// The light levels of an HDR picture (`clli`).
  public internal(set) var contentLightLevel: ContentLightLevel?
  /// What an auxiliary image is for (`auxC`), such as `"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"`.
  public internal(set) var auxiliaryType: String?
  /// Of a derived image the items that it is made of, row by row.
  public internal(set) var tileIDs: [UInt32] = []

  /// Columns and rows as shown.
  public var size: PixelSize {
    let shown = cleanAperture.map { PixelSize(width: $0.width, height: $0.height) } ?? codedSize
    return orientation.swapsAxes ? shown.transposed : shown
  }

  /// Whether the item is a plane of alpha.
  public var isAlpha: Bool {
    auxiliaryType == "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha" || auxiliaryType == "urn:mpeg:hevc:2015:auxid:1"
  }

  /// Whether the item is a gain map of Apple's.
  var isAppleGainMap: Bool { auxiliaryType == "urn:com:apple:photo:2020:aux:hdrgainmap" }

  /// The meaning of the samples. A profile takes precedence over code points (ISO/IEC 23008-12, 6.5.5).
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
  /// Units of work that applying a property costs.
  private static let workPerProperty = 300

  /// Collects an item's properties.
  ///
  /// - Parameters:
  ///   - budget: is charged for every property.
  ///   - keepsProfile: whether the ICC profile is copied: of the picture that is shown, but not of every other.
  /// - Throws: ``CodecError/Kind/malformed`` for a property that is cut off, what `budget` throws.
  init(
    _ id: UInt32, in table: ItemTable, _ bytes: Span<UInt8>, budget: inout ResourceBudget, keepsProfile: Bool = false
  ) throws(CodecError) {
    let item = table.items[id]
    self.id = id
    coding = item?.type.description ?? ""
    isHidden = item?.isHidden ?? false
    var turn = PictureTurn()
    for index in table.associations[id] ?? [] where index >= 1 && index <= table.properties.count {
      let property = table.properties[index - 1]
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
      // The third byte: tier, high bit depth, twelve bits, monochrome …
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
      // A property may be named any number of times.
      guard keepsProfile, iccProfile == nil, budget.admitMetadata(reader.remaining) else { return }
      iccProfile = Array(copying: try reader.read(reader.remaining))
    default: break
    }
  }
}

/// The clean aperture box: a size and an offset of centres, as fractions (ISO/IEC 14496-12, 12.1.4).
private struct CleanAperture {
  let width: Double
  let height: Double
  let offsetX: Double
  let offsetY: Double

  init(parsing reader: inout ByteReader) throws(CodecError) {
    func fraction(_ reader: inout ByteReader) throws(CodecError) -> Double {
      let numerator = Int32(bitPattern: try reader.readUInt32BigEndian())
      let denominator = Int32(bitPattern: try reader.readUInt32BigEndian())
      guard denominator > 0 else { throw reader.error(.malformed, "a clean aperture divides by zero") }
      return Double(numerator) / Double(denominator)
    }
    width = try fraction(&reader)
    height = try fraction(&reader)
    offsetX = try fraction(&reader)
    offsetY = try fraction(&reader)
  }

  /// Whole pixels; `nil` where the aperture is empty, or not within the picture.
  func region(in size: PixelSize) -> PixelRegion? {
    let left = (offsetX + (Double(size.width) - 1) / 2 - (width - 1) / 2).rounded(.down)
    let top = (offsetY + (Double(size.height) - 1) / 2 - (height - 1) / 2).rounded(.down)
    guard let x = Int(exactly: left), let y = Int(exactly: top), let width = Int(exactly: width.rounded()),
      let height = Int(exactly: height.rounded()), width > 0, height > 0
    else { return nil }
    let region = PixelRegion(x: x, y: y, width: width, height: height)
    return region.fits(in: size) ? region : nil
  }
}

/// Turns and mirrors, one after the other: first perhaps a mirror left to right, then quarter turns.
struct PictureTurn {
  private var isMirrored = false
  private var clockwiseQuarters = 0

  /// Turns what is there.
  mutating func rotate(counterClockwiseQuarters quarters: Int) {
    clockwiseQuarters = (clockwiseQuarters + 4 - quarters & 3) & 3
  }

  /// Mirrors what is there: left to right, or top to bottom.
  mutating func mirror(exchangesLeftAndRight: Bool) {
    // Mirror · turn by a = turn by -a · mirror; top to bottom is left to right and half a turn.
    clockwiseQuarters = ((exchangesLeftAndRight ? 4 : 6) - clockwiseQuarters) & 3
    isMirrored.toggle()
  }

  /// The same as an orientation.
  var orientation: ImageOrientation {
    isMirrored
      ? [.upMirrored, .rightMirrored, .downMirrored, .leftMirrored][clockwiseQuarters]
      : [.up, .right, .down, .left][clockwiseQuarters]
  }
}

extension MasteringDisplay {
  /// Reads the payload of `mdcv` (ISO/IEC 14496-12, 12.1.7): the primaries in the order green, blue, red, then the white
  /// point, in units of 0.00002, and luminances in units of 0.0001 cd/m².
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
