// The GPS directory in degrees and metres (CIPA DC-008, section 4.6.6).

public import ImageCore

/// The location at which a picture was taken, in the WGS 84 coordinates of the GPS directory.
public struct GPSLocation: Hashable, Sendable {
  /// The latitude in degrees, −90…90; positive north of the equator.
  public let latitude: Double
  /// The longitude in degrees, −180…180; positive east of Greenwich.
  public let longitude: Double
  /// The altitude in metres above sea level.
  public let altitude: Double?
  /// The direction in which the camera pointed, in degrees clockwise from true or magnetic north, 0…360.
  public let imageDirection: Double?
  /// The time of the position fix, in UTC.
  public let timestamp: ImageMetadata.Timestamp?
}

extension EXIFMetadata {
  /// The location where the picture was taken; `nil` unless latitude and longitude are stated.
  public var location: GPSLocation? {
    guard let latitude = degrees(.gpsLatitude, reference: .gpsLatitudeReference, negative: "S"),
      let longitude = degrees(.gpsLongitude, reference: .gpsLongitudeReference, negative: "W"),
      abs(latitude) <= 90, abs(longitude) <= 180
    else { return nil }
    return GPSLocation(
      latitude: latitude, longitude: longitude, altitude: altitude,
      imageDirection: rational(.gps, .gpsImageDirection)?.value.flatMap { (0...360).contains($0) ? $0 : nil },
      timestamp: gpsTimestamp)
  }

  /// Converts degrees, minutes and seconds to degrees.
  private func degrees(_ tag: EXIFTag, reference: EXIFTag, negative: String) -> Double? {
    guard case .rationals(let parts)? = self[.gps, tag], !parts.isEmpty, let whole = parts[0].value else { return nil }
    // If there are no seconds, minutes have decimals, and the seconds may be 0/0.
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
    let parts = time.compactMap { $0.value }.filter { $0 >= 0 && $0 <= 60 }.map { Int($0) }
    guard parts.count == 3 else { return nil }
    return ImageMetadata.Timestamp(exif: "\(date) \(parts[0]):\(parts[1]):\(parts[2])")
  }
}
