// EXIF tag numbers and their names in the standard (CIPA DC-008, sections 4.6.4–4.6.7).

/// The number of an EXIF tag. Its meaning depends on the directory.
public struct EXIFTag: Hashable, Sendable, RawRepresentable, ExpressibleByIntegerLiteral {
  /// The tag number, unique within a directory.
  public let rawValue: UInt16

  /// Creates a tag from its number.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Creates a tag from its number.
  public init(integerLiteral value: UInt16) {
    rawValue = value
  }

  /// Returns the name of the tag in the standard, such as `"ExposureTime"`; `nil` if it is not a standard tag.
  public func name(in directory: EXIFMetadata.Directory) -> String? {
    switch directory {
    case .image, .thumbnail: imageTagNames[rawValue] ?? exifTagNames[rawValue]
    case .exif: exifTagNames[rawValue] ?? imageTagNames[rawValue]
    case .gps: gpsTagNames[rawValue]
    case .interoperability: interoperabilityTagNames[rawValue]
    }
  }
}

extension EXIFTag {
  /// ImageDescription.
  public static let imageDescription: EXIFTag = 0x010E
  /// Make.
  public static let make: EXIFTag = 0x010F
  /// Model.
  public static let model: EXIFTag = 0x0110
  /// Orientation.
  public static let orientation: EXIFTag = 0x0112
  /// XResolution.
  public static let xResolution: EXIFTag = 0x011A
  /// YResolution.
  public static let yResolution: EXIFTag = 0x011B
  /// ResolutionUnit.
  public static let resolutionUnit: EXIFTag = 0x0128
  /// Software.
  public static let software: EXIFTag = 0x0131
  /// DateTime.
  public static let dateTime: EXIFTag = 0x0132
  /// Artist.
  public static let artist: EXIFTag = 0x013B
  /// Copyright.
  public static let copyright: EXIFTag = 0x8298
  /// ExifIFDPointer.
  public static let exifDirectory: EXIFTag = 0x8769
  /// GPSInfoIFDPointer.
  public static let gpsDirectory: EXIFTag = 0x8825
  /// JPEGInterchangeFormat.
  public static let thumbnailOffset: EXIFTag = 0x0201
  /// JPEGInterchangeFormatLength.
  public static let thumbnailByteCount: EXIFTag = 0x0202
  /// XMLPacket.
  public static let xmpPacket: EXIFTag = 0x02BC
  /// IPTC/NAA.
  public static let iptcRecords: EXIFTag = 0x83BB
  /// ICCProfile.
  public static let iccProfile: EXIFTag = 0x8773
  /// ExposureTime.
  public static let exposureTime: EXIFTag = 0x829A
  /// FNumber.
  public static let fNumber: EXIFTag = 0x829D
  /// PhotographicSensitivity.
  public static let photographicSensitivity: EXIFTag = 0x8827
  /// DateTimeOriginal.
  public static let dateTimeOriginal: EXIFTag = 0x9003
  /// DateTimeDigitized.
  public static let dateTimeDigitized: EXIFTag = 0x9004
  /// OffsetTime.
  public static let offsetTime: EXIFTag = 0x9010
  /// OffsetTimeOriginal.
  public static let offsetTimeOriginal: EXIFTag = 0x9011
  /// OffsetTimeDigitized.
  public static let offsetTimeDigitized: EXIFTag = 0x9012
  /// ExposureBiasValue.
  public static let exposureBiasValue: EXIFTag = 0x9204
  /// Flash.
  public static let flash: EXIFTag = 0x9209
  /// FocalLength.
  public static let focalLength: EXIFTag = 0x920A
  /// MakerNote.
  public static let makerNote: EXIFTag = 0x927C
  /// UserComment.
  public static let userComment: EXIFTag = 0x9286
  /// SubSecTime.
  public static let subseconds: EXIFTag = 0x9290
  /// SubSecTimeOriginal.
  public static let subsecondsOriginal: EXIFTag = 0x9291
  /// SubSecTimeDigitized.
  public static let subsecondsDigitized: EXIFTag = 0x9292
  /// PixelXDimension.
  public static let pixelXDimension: EXIFTag = 0xA002
  /// PixelYDimension.
  public static let pixelYDimension: EXIFTag = 0xA003
  /// InteroperabilityIFDPointer.
  public static let interoperabilityDirectory: EXIFTag = 0xA005
  /// FocalLengthIn35mmFilm.
  public static let focalLengthIn35mmFilm: EXIFTag = 0xA405
  /// LensSpecification.
  public static let lensSpecification: EXIFTag = 0xA432
  /// LensMake.
  public static let lensMake: EXIFTag = 0xA433
  /// LensModel.
  public static let lensModel: EXIFTag = 0xA434
  /// GPSLatitudeRef.
  public static let gpsLatitudeReference: EXIFTag = 0x0001
  /// GPSLatitude.
  public static let gpsLatitude: EXIFTag = 0x0002
  /// GPSLongitudeRef.
  public static let gpsLongitudeReference: EXIFTag = 0x0003
  /// GPSLongitude.
  public static let gpsLongitude: EXIFTag = 0x0004
  /// GPSAltitudeRef.
  public static let gpsAltitudeReference: EXIFTag = 0x0005
  /// GPSAltitude.
  public static let gpsAltitude: EXIFTag = 0x0006
  /// GPSTimeStamp.
  public static let gpsTimeStamp: EXIFTag = 0x0007
  /// GPSImgDirection.
  public static let gpsImageDirection: EXIFTag = 0x0011
  /// GPSDateStamp.
  public static let gpsDateStamp: EXIFTag = 0x001D
}

private let imageTagNames: [UInt16: String] = [
  0x010E: "ImageDescription",
  0x010F: "Make",
  0x0110: "Model",
  0x0112: "Orientation",
  0x011A: "XResolution",
  0x011B: "YResolution",
  0x0128: "ResolutionUnit",
  0x0131: "Software",
  0x0132: "DateTime",
  0x013B: "Artist",
  0x0213: "YCbCrPositioning",
  0x8298: "Copyright",
  0x8769: "ExifIFDPointer",
  0x8825: "GPSInfoIFDPointer",
  0x0100: "ImageWidth",
  0x0101: "ImageLength",
  0x0102: "BitsPerSample",
  0x0103: "Compression",
  0x0106: "PhotometricInterpretation",
  0x0115: "SamplesPerPixel",
  0x011C: "PlanarConfiguration",
  0x012D: "TransferFunction",
  0x013C: "HostComputer",
  0x013E: "WhitePoint",
  0x013F: "PrimaryChromaticities",
  0x0201: "JPEGInterchangeFormat",
  0x0202: "JPEGInterchangeFormatLength",
  0x0211: "YCbCrCoefficients",
  0x0212: "YCbCrSubSampling",
  0x0214: "ReferenceBlackWhite",
  0x02BC: "XMLPacket",
  0x4746: "Rating",
  0x83BB: "IPTC/NAA",
  0x8649: "ImageResources",
  0x8773: "ICCProfile",
  0x9C9B: "XPTitle",
  0x9C9C: "XPComment",
  0x9C9D: "XPAuthor",
  0x9C9E: "XPKeywords",
  0x9C9F: "XPSubject",
  0xC4A5: "PrintImageMatching",
]

private let exifTagNames: [UInt16: String] = [
  0x829A: "ExposureTime",
  0x829D: "FNumber",
  0x8822: "ExposureProgram",
  0x8824: "SpectralSensitivity",
  0x8827: "PhotographicSensitivity",
  0x8828: "OECF",
  0x8830: "SensitivityType",
  0x8831: "StandardOutputSensitivity",
  0x8832: "RecommendedExposureIndex",
  0x8833: "ISOSpeed",
  0x9000: "ExifVersion",
  0x9003: "DateTimeOriginal",
  0x9004: "DateTimeDigitized",
  0x9010: "OffsetTime",
  0x9011: "OffsetTimeOriginal",
  0x9012: "OffsetTimeDigitized",
  0x9101: "ComponentsConfiguration",
  0x9102: "CompressedBitsPerPixel",
  0x9201: "ShutterSpeedValue",
  0x9202: "ApertureValue",
  0x9203: "BrightnessValue",
  0x9204: "ExposureBiasValue",
  0x9205: "MaxApertureValue",
  0x9206: "SubjectDistance",
  0x9207: "MeteringMode",
  0x9208: "LightSource",
  0x9209: "Flash",
  0x920A: "FocalLength",
  0x9214: "SubjectArea",
  0x927C: "MakerNote",
  0x9286: "UserComment",
  0x9290: "SubSecTime",
  0x9291: "SubSecTimeOriginal",
  0x9292: "SubSecTimeDigitized",
  0xA000: "FlashpixVersion",
  0xA001: "ColorSpace",
  0xA002: "PixelXDimension",
  0xA003: "PixelYDimension",
  0xA004: "RelatedSoundFile",
  0xA005: "InteroperabilityIFDPointer",
  0xA20B: "FlashEnergy",
  0xA20C: "SpatialFrequencyResponse",
  0xA20E: "FocalPlaneXResolution",
  0xA20F: "FocalPlaneYResolution",
  0xA210: "FocalPlaneResolutionUnit",
  0xA214: "SubjectLocation",
  0xA215: "ExposureIndex",
  0xA217: "SensingMethod",
  0xA300: "FileSource",
  0xA301: "SceneType",
  0xA302: "CFAPattern",
  0xA401: "CustomRendered",
  0xA402: "ExposureMode",
  0xA403: "WhiteBalance",
  0xA404: "DigitalZoomRatio",
  0xA405: "FocalLengthIn35mmFilm",
  0xA406: "SceneCaptureType",
  0xA407: "GainControl",
  0xA408: "Contrast",
  0xA409: "Saturation",
  0xA40A: "Sharpness",
  0xA40B: "DeviceSettingDescription",
  0xA40C: "SubjectDistanceRange",
  0xA420: "ImageUniqueID",
  0xA430: "CameraOwnerName",
  0xA431: "BodySerialNumber",
  0xA432: "LensSpecification",
  0xA433: "LensMake",
  0xA434: "LensModel",
  0xA435: "LensSerialNumber",
  0xA460: "CompositeImage",
  0xA500: "Gamma",
]

private let gpsTagNames: [UInt16: String] = [
  0x0000: "GPSVersionID",
  0x0001: "GPSLatitudeRef",
  0x0002: "GPSLatitude",
  0x0003: "GPSLongitudeRef",
  0x0004: "GPSLongitude",
  0x0005: "GPSAltitudeRef",
  0x0006: "GPSAltitude",
  0x0007: "GPSTimeStamp",
  0x0008: "GPSSatellites",
  0x0009: "GPSStatus",
  0x000A: "GPSMeasureMode",
  0x000B: "GPSDOP",
  0x000C: "GPSSpeedRef",
  0x000D: "GPSSpeed",
  0x000E: "GPSTrackRef",
  0x000F: "GPSTrack",
  0x0010: "GPSImgDirectionRef",
  0x0011: "GPSImgDirection",
  0x0012: "GPSMapDatum",
  0x0013: "GPSDestLatitudeRef",
  0x0014: "GPSDestLatitude",
  0x0015: "GPSDestLongitudeRef",
  0x0016: "GPSDestLongitude",
  0x0017: "GPSDestBearingRef",
  0x0018: "GPSDestBearing",
  0x0019: "GPSDestDistanceRef",
  0x001A: "GPSDestDistance",
  0x001B: "GPSProcessingMethod",
  0x001C: "GPSAreaInformation",
  0x001D: "GPSDateStamp",
  0x001E: "GPSDifferential",
  0x001F: "GPSHPositioningError",
]

private let interoperabilityTagNames: [UInt16: String] = [
  0x0001: "InteroperabilityIndex",
  0x0002: "InteroperabilityVersion",
]
