// Peers that decode pictures without a container to planes.

/// A picture as an item of a HEIF file: its configuration record, and NAL units with lengths of four bytes (HEVC, H.264) or
/// OBUs (AV1).
package struct PeerCodedPicture: Sendable {
  package var configuration: [UInt8]
  package var payload: [UInt8]

  /// Creates a picture from the content of its boxes.
  package init(configuration: [UInt8], payload: [UInt8]) {
    self.configuration = configuration
    self.payload = payload
  }
}

/// A decoder of pictures without a container.
package protocol PlanePeer: AnyObject {
  /// The library's name and version.
  var name: String { get }

  /// Decodes a picture and discards it.
  func decode(_ picture: PeerCodedPicture)

  /// Decodes a picture and returns its rows of Y, Cb and Cr: a byte for each sample of 8 bits, otherwise two,
  /// little-endian.
  func planes(_ picture: PeerCodedPicture) -> [UInt8]
}
