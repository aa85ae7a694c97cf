// What people ask of an EXIF block, as typed values: camera, lens, exposure, dates, words.

public import ImageCore

extension EXIFMetadata {
  // MARK: The picture

  /// How the pixels must be turned to be shown upright.
  public var orientation: ImageOrientation? {
    integer(.image, .orientation).flatMap { UInt8(exactly: $0) }.flatMap(ImageOrientation.init(rawValue:))
  }
  /// What the picture shows.
  public var imageDescription: String? { text(.image, .imageDescription) }
  /// Who took the picture.
  public var artist: String? { text(.image, .artist) }
  /// Whose rights are reserved.
  public var copyright: String? { text(.image, .copyright) }
  /// The software that wrote the file.
  public var software: String? { text(.image, .software) }
  /// The user's remarks, without the name of their encoding.
  public var userComment: String? {
    guard case .bytes(let bytes)? = self[.exif, .userComment], bytes.count > 8 else { return nil }
    let text = Array(bytes[8...])
    if bytes.starts(with: "UNICODE".utf8) {
      return utf16Text(text, isBigEndian: header.isBigEndian)
    }
    let string = exifText(text.span)
    return string.isEmpty ? nil : string
  }
  /// The size that the camera gave the picture.
  public var pixelSize: PixelSize? {
    guard let width = integer(.exif, .pixelXDimension), let height = integer(.exif, .pixelYDimension) else {
      return nil
    }
    return PixelSize(width: width, height: height)
  }

  // MARK: Camera and lens

  /// Who made the camera.
  public var cameraMake: String? { text(.image, .make) }
  /// The camera's name.
  public var cameraModel: String? { text(.image, .model) }
  /// Who made the lens.
  public var lensMake: String? { text(.exif, .lensMake) }
  /// The lens's name.
  public var lensModel: String? { text(.exif, .lensModel) }
  /// The lens's shortest and longest focal length in millimetres, and its smallest f-number at either.
  public var lensSpecification: [EXIFRational]? {
    guard case .rationals(let values)? = self[.exif, .lensSpecification], values.count == 4 else { return nil }
    return values
  }

  // MARK: Exposure

  /// How long the shutter was open, in seconds.
  public var exposureTime: EXIFRational? { rational(.exif, .exposureTime) }
  /// The focal length over the diameter of the aperture.
  public var fNumber: Double? { rational(.exif, .fNumber)?.value }
  /// The sensitivity as ISO 12232 counts it.
  public var isoSpeed: Int? { integer(.exif, .photographicSensitivity) }
  /// The correction of the exposure in stops.
  public var exposureBias: Double? { rational(.exif, .exposureBiasValue)?.value }
  /// The focal length in millimetres.
  public var focalLength: Double? { rational(.exif, .focalLength)?.value }
  /// The focal length that frames the same on 35 mm film, in millimetres.
  public var focalLengthIn35mmFilm: Int? { integer(.exif, .focalLengthIn35mmFilm) }
  /// Whether the flash fired.
  public var didFlashFire: Bool? { integer(.exif, .flash).map { $0 & 1 == 1 } }

  // MARK: Dates

  /// A date as cameras know it: local, with the offset from UTC where newer cameras state it.
  public struct Date: Hashable, Sendable {
    /// Year to second, local.
    public let local: ImageMetadata.Timestamp
    /// The digits behind the second's point, such as `"25"`.
    public let subsecondDigits: String?
    /// Minutes that local time is ahead of UTC.
    public let minutesAheadOfUTC: Int?
  }

  /// When the picture was taken.
  public var dateTaken: Date? { date(.exif, .dateTimeOriginal, .subsecondsOriginal, .offsetTimeOriginal) }
  /// When the picture was digitised.
  public var dateDigitized: Date? { date(.exif, .dateTimeDigitized, .subsecondsDigitized, .offsetTimeDigitized) }
  /// When the file was last changed.
  public var dateModified: Date? { date(.image, .dateTime, .subseconds, .offsetTime) }

  private func date(_ directory: Directory, _ tag: EXIFTag, _ fraction: EXIFTag, _ offset: EXIFTag) -> Date? {
    guard let timestamp = text(directory, tag).flatMap(ImageMetadata.Timestamp.init(exif:)) else { return nil }
    return Date(
      local: timestamp, subsecondDigits: text(.exif, fraction),
      minutesAheadOfUTC: text(.exif, offset).flatMap(minutes(ofOffset:)))
  }

  /// `+02:00` as minutes.
  private func minutes(ofOffset text: String) -> Int? {
    let parts = text.dropFirst().split(separator: ":").compactMap { Int($0) }
    guard parts.count == 2, text.hasPrefix("+") || text.hasPrefix("-"), parts[0] <= 14, parts[1] < 60 else {
      return nil
    }
    return (parts[0] * 60 + parts[1]) * (text.hasPrefix("-") ? -1 : 1)
  }
}

extension EXIFMetadata {
  func integer(_ directory: Directory, _ tag: EXIFTag) -> Int? {
    guard case .integers(let values)? = self[directory, tag] else { return nil }
    return values.first
  }

  func rational(_ directory: Directory, _ tag: EXIFTag) -> EXIFRational? {
    guard case .rationals(let values)? = self[directory, tag] else { return nil }
    return values.first
  }

  /// `nil` also for text that says nothing.
  func text(_ directory: Directory, _ tag: EXIFTag) -> String? {
    guard case .text(let text)? = self[directory, tag], !text.isEmpty else { return nil }
    return text
  }
}

extension ImageMetadata.Timestamp {
  /// Reads `YYYY:MM:DD HH:MM:SS`; `nil` where it is no date, as when a clock was never set.
  init?(exif text: String) {
    let numbers = text.split { $0 == ":" || $0 == " " || $0 == "-" || $0 == "T" }.prefix(6).map { Int($0) ?? -1 }
    guard numbers.count == 6, (1...12).contains(numbers[1]), (1...31).contains(numbers[2]), numbers[0] > 0,
      (0...23).contains(numbers[3]), (0...59).contains(numbers[4]), (0...60).contains(numbers[5])
    else { return nil }
    self.init(
      year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4], second: numbers[5])
  }
}
