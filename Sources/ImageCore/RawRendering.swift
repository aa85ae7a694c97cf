// The rendering of camera raw files.

/// How the data of a sensor become a picture.
public enum RawRendering: String, Hashable, Sendable, CaseIterable, Codable {
  /// Brightness is proportional to the light that the sensor received.
  case neutral
  /// The exposure that the file states is applied, and a curve that lifts the mid-tones and compresses the highlights.
  case toned
}
