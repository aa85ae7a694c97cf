// What the latest call has produced, for the caller to fetch.

import ImageCoding

/// Bytes, such as pixels or a file, and facts as JSON. An error is JSON too.
struct Answer {
  private(set) var bytes: [UInt8] = []
  private(set) var picture = Bitmap()
  private(set) var text: [UInt8]

  init(_ text: JSONText) {
    self.text = text.bytes
  }

  init(_ bytes: [UInt8], _ text: JSONText = JSONText()) {
    self.bytes = bytes
    self.text = text.bytes
  }

  /// A picture in RGBA, of whose rows the first starts at the first byte and none is padded.
  init(_ picture: Bitmap, _ facts: JSONText = JSONText()) {
    self.picture = picture
    var text = facts
    text.add("width", picture.width)
    text.add("height", picture.height)
    self.text = text.bytes
  }

  init(_ error: CodecError) {
    var text = JSONText()
    text.add("kind", error.kind.rawValue)
    text.add("reason", error.reason)
    if let format = error.format { text.add("format", format.rawValue) }
    if let byteOffset = error.byteOffset { text.add("byteOffset", byteOffset) }
    text.add("message", error.description)
    self.text = text.bytes
  }
}
