// Pictures coded by another encoder, with hashes of their planes as another decoder decodes them.

/// A picture of a fixture.
package struct ReferencePicture: Sendable, CustomStringConvertible {
  package let name: String
  package let width: Int
  package let height: Int
  package let bitDepth: Int
  /// `400`, `420`, `422` or `444`.
  package let layout: String
  package let stream: [UInt8]
  /// ``fnv1a(_:)`` of the planes.
  package let hash: UInt64

  package var description: String { name }

  /// The pictures of a fixture, in the records that its script describes; none if it cannot be read.
  ///
  /// - Parameter path: the source file whose folder has the fixture.
  package static func read(beside path: String) -> [ReferencePicture] {
    var fixture = Fixture("reference-pictures.bin", beside: path)
    var pictures: [ReferencePicture] = []
    while let name = fixture.name() {
      let (width, height, bitDepth) = (
        Int(fixture.integer(2)), Int(fixture.integer(2)), Int(fixture.integer(1))
      )
      let layout = String(decoding: fixture.take(3), as: UTF8.self)
      let stream = fixture.block()
      pictures.append(
        ReferencePicture(
          name: name, width: width, height: height, bitDepth: bitDepth, layout: layout, stream: stream,
          hash: fixture.integer(8)))
    }
    return pictures
  }

  /// The first picture whose name begins with a prefix; an empty one if there is none.
  package static func first(named prefix: String, in pictures: [ReferencePicture]) -> ReferencePicture {
    pictures.first { $0.name.hasPrefix(prefix) }
      ?? ReferencePicture(name: "", width: 0, height: 0, bitDepth: 0, layout: "", stream: [], hash: 0)
  }
}

/// The 64-bit FNV-1a hash.
package func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
