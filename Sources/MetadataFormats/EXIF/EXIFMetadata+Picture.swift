// Common EXIF properties as typed values: camera, lens, exposure, dates, texts.

public import ImageCore

extension EXIFMetadata {
  // MARK: The picture

  /// The orientation to apply to the pixels.
  public var orientation: ImageOrientation? {
    integer(.image, .orientation).flatMap { UInt8(exactly: $0) }.flatMap(ImageOrientation.init(rawValue:))
  }
  /// The description of the image.
  public var imageDescription: String? { text(.image, .imageDescription) }
  /// The name of the photographer or creator.
  public var artist: String? { text(.image, .artist) }
  /// The copyright notice.
  public var copyright: String? { text(.image, .copyright) }
  /// The software that wrote the file.
  public var software: String? { text(.image, .software) }
  /// The user comment, without its character code.
  public var userComment: String? {
    guard case .bytes(let bytes)? = self[.exif, .userComment], bytes.count > 8 else { return nil }
    let text = Array(bytes[8...])
    if bytes.starts(with: "UNICODE".utf8) {
      return utf16Text(text, isBigEndian: header.isBigEndian)
    }
    let string = exifText(text.span)
    return string.isEmpty ? nil : string
  }
  /// The image size in pixels that the camera stated.
  public var pixelSize: PixelSize? {
    guard let width = integer(.exif, .pixelXDimension), let height = integer(.exif, .pixelYDimension) else {
      return nil
    }
    return PixelSize(width: width, height: height)
  }

  // MARK: Camera and lens

  /// The camera's manufacturer.
  public var cameraMake: String? { text(.image, .make) }
  /// The camera's model.
  public var cameraModel: String? { text(.image, .model) }
  /// The lens's manufacturer.
  public var lensMake: String? { text(.exif, .lensMake) }
  /// The lens's model.
  public var lensModel: String? { text(.exif, .lensModel) }
  /// The lens's minimum and maximum focal length in millimetres, and the minimum f-number at each of them.
  public var lensSpecification: [EXIFRational]? {
    guard case .rationals(let values)? = self[.exif, .lensSpecification], values.count == 4 else { return nil }
    return values
  }

  // MARK: Exposure

  /// The exposure time in seconds.
  public var exposureTime: EXIFRational? { rational(.exif, .exposureTime) }
  /// The f-number: the focal length divided by the diameter of the aperture.
  public var fNumber: Double? { rational(.exif, .fNumber)?.value }
  /// The sensitivity according to ISO 12232.
  public var isoSpeed: Int? { integer(.exif, .photographicSensitivity) }
  /// The exposure compensation in stops.
  public var exposureBias: Double? { rational(.exif, .exposureBiasValue)?.value }
  /// The focal length in millimetres.
  public var focalLength: Double? { rational(.exif, .focalLength)?.value }
  /// The equivalent focal length on 35 mm film, in millimetres.
  public var focalLengthIn35mmFilm: Int? { integer(.exif, .focalLengthIn35mmFilm) }
  /// Whether the flash fired.
  public var didFlashFire: Bool? { integer(.exif, .flash).map { $0 & 1 == 1 } }

  // MARK: Dates

  /// A date as cameras state it: local time, with the offset from UTC if known.
  public struct Date: Hashable, Sendable {
    /// The local date and time, from year to second.
    public let local: ImageMetadata.Timestamp
    /// The decimal digits of the fraction of a second, such as `"25"`.
    public let subsecondDigits: String?
    /// The offset of local time from UTC in minutes; positive if ahead.
    public let minutesAheadOfUTC: Int?
  }

  /// The date when the picture was taken.
  public var dateTaken: Date? { date(.exif, .dateTimeOriginal, .subsecondsOriginal, .offsetTimeOriginal) }
  /// The date when the picture was digitised.
  public var dateDigitized: Date? { date(.exif, .dateTimeDigitized, .subsecondsDigitized, .offsetTimeDigitized) }
  /// The date when the file was last modified.
  public var dateModified: Date? { date(.image, .dateTime, .subseconds, .offsetTime) }

  private func date(_ directory: Directory, _ tag: EXIFTag, _ fraction: EXIFTag, _ offset: EXIFTag) -> Date? {
    guard let timestamp = text(directory, tag).flatMap(ImageMetadata.Timestamp.init(exif:)) else { return nil }
    return Date(
      local: timestamp, subsecondDigits: text(.exif, fraction),
      minutesAheadOfUTC: text(.exif, offset).flatMap(minutes(ofOffset:)))
  }

  /// Converts an offset such as `+02:00` to minutes.
  private func minutes(ofOffset text: String) -> Int? {
    let parts = text.dropFirst().split(separator: ":").compactMap { Int($0) }
    guard parts.count == 2, text.hasPrefix("+") || text.hasPrefix("-"), (0...14).contains(parts[0]),
      (0...59).contains(parts[1])
    else { return nil }
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

  /// Returns the text of a tag; `nil` also if it is blank.
  func text(_ directory: Directory, _ tag: EXIFTag) -> String? {
    guard case .text(let text)? = self[directory, tag], !text.isEmpty else { return nil }
    return text
  }
}

extension ImageMetadata.Timestamp {
  /// Reads `YYYY:MM:DD HH:MM:SS`; `nil` if it is not a date, as with a clock that was never set.
  init?(exif text: String) {
    let numbers = text.split { $0 == ":" || $0 == " " || $0 == "-" || $0 == "T" }.prefix(6).map { Int($0) ?? -1 }
    guard numbers.count == 6, (1...12).contains(numbers[1]), (1...31).contains(numbers[2]), numbers[0] > 0,
      (0...23).contains(numbers[3]), (0...59).contains(numbers[4]), (0...60).contains(numbers[5])
    else { return nil }
    self.init(
      year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4], second: numbers[5])
  }
}
