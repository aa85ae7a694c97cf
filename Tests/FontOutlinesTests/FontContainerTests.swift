// The file around a face.

import FontOutlines
import ImageCore
import Testing

@Suite struct FontContainerTests {
  @Test func rejectsWhatIsNoFont() {
    #expect(throws: DecodeError.self) { try FontFace(parsing: []) }
    #expect(throws: DecodeError.self) { try FontFace(parsing: [UInt8](repeating: 0, count: 64)) }
  }
}
