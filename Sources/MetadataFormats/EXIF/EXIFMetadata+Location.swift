// Where a picture was taken: the GPS directory in degrees and metres (CIPA DC-008, section 4.6.6).

public import ImageCore

/// A place on earth.
public struct GPSLocation: Hashable, Sendable {
  /// Degrees north of the equator, -90…90.
  public let latitude: Double
  /// Degrees east of Greenwich, -180…180.
  public let longitude: Double
  /// Metres above sea level.
  public let altitude: Double?
  /// Where the camera looked, in degrees clockwise from north, 0…360.
  public let imageDirection: Double?
  /// When the position was taken, UTC.
  public let timestamp: ImageMetadata.Timestamp?
}

extension EXIFMetadata {
  /// Where the picture was taken; `nil` unless there are a latitude and a longitude.
  public var location: GPSLocation? {
    guard let latitude = degrees(.gpsLatitude, reference: .gpsLatitudeReference, negative: "S"),
      let longitude = degrees(.gpsLongitude, reference: .gpsLongitudeReference, negative: "W"),
      abs(latitude) <= 90, abs(longitude) <= 180
    else { return nil }
    return GPSLocation(
      latitude: latitude, longitude: longitude, altitude: altitude,
      imageDirection: rational(.gps, .gpsImageDirection)?.value, timestamp: gpsTimestamp)
  }

  /// Degrees, minutes and seconds as degrees.
  private func degrees(_ tag: EXIFTag, reference: EXIFTag, negative: String) -> Double? {
    guard case .rationals(let parts)? = self[.gps, tag], !parts.isEmpty, let whole = parts[0].value else { return nil }
    // Where there are no seconds, minutes have decimals and 0/0 may stand in the place of the seconds.
    let minutes = parts.count > 1 ? parts[1].value ?? 0 : 0
    let seconds = parts.count > 2 ? parts[2].value ?? 0 : 0
    let value = whole + minutes / 60 + seconds / 3600
    return text(.gps, reference)?.uppercased().hasPrefix(negative) == true ? -value : value
  }

  private var altitude: Double? {
    guard let value = rational(.gps, .gpsAltitude)?.value else { return nil }
    let isBelowSeaLevel: Bool
    switch self[.gps, .gpsAltitudeReference] {
    case .integers(let values)?: isBelowSeaLevel = values.first == 1 || values.first == 3
    case .bytes(let bytes)?: isBelowSeaLevel = bytes.first == 1
    default: isBelowSeaLevel = false
    }
    return isBelowSeaLevel ? -value : value
  }

  private var gpsTimestamp: ImageMetadata.Timestamp? {
    guard case .rationals(let time)? = self[.gps, .gpsTimeStamp], time.count == 3, let date = text(.gps, .gpsDateStamp)
    else { return nil }
    let parts = time.compactMap(\.value).filter { $0 >= 0 && $0 <= 60 }.map { Int($0) }
    guard parts.count == 3 else { return nil }
    return ImageMetadata.Timestamp(exif: "\(date) \(parts[0]):\(parts[1]):\(parts[2])")
  }
}
