// The tables of Unicode properties against the standard library, and single values against the standard.

import Testing
import TextShaping

@Suite struct UnicodeTableTests {
  @Test(arguments: [
    (0x41, "Latn"), (0x3B1, "Grek"), (0x416, "Cyrl"), (0x5D0, "Hebr"), (0x628, "Arab"), (0x915, "Deva"),
    (0xE01, "Thai"), (0x3042, "Hira"), (0x30A2, "Kana"), (0x4E00, "Hani"), (0xAC00, "Hang"), (0x20, "Zyyy"),
    (0x301, "Zinh"), (0x1F600, "Zyyy"), (0x1E900, "Adlm"), (0x20000, "Hani"),
  ])
  func knowsScripts(_ character: Int, _ script: String) throws {
    let scalar = try #require(Unicode.Scalar(UInt32(character)))
    #expect(Script(of: scalar).description == script)
  }

  /// The standard library compares by canonical equivalence, with independent tables.
  @Test func decomposesAsTheStandardLibraryDoes() throws {
    var count = 0
    for value in UInt32(0xA0)...0x2FA1D {
      guard let scalar = Unicode.Scalar(value), let parts = canonicalDecomposition(of: scalar) else { continue }
      count += 1
      var text = String.UnicodeScalarView()
      text.append(contentsOf: parts)
      #expect(String(text) == String(scalar), "U+\(String(value, radix: 16))")
      if let composed = canonicalComposition(of: parts) { #expect(composed == scalar) }
    }
    // 2060 characters of the database and 11,172 Korean syllables.
    #expect(count > 13_000)
  }
}
