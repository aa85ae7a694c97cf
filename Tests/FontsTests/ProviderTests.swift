// Choosing faces: from memory and from a folder, by names and traits, and for missing characters.

import FontTestSupport
import Fonts
import Foundation
import ImageCore
import Testing

@Suite struct ProviderTests {
  private func provider() throws -> FontProvider {
    FontProvider(data: try ["sample.ttf", "sample-bold.ttf", "sample.otf", "layers.ttf"].map(SampleFonts.bytes))
  }

  @Test func hasNoFontsByItself() throws {
    let provider = FontProvider()
    #expect(provider.isEmpty)
    #expect(try provider.face(matching: FontQuery(families: [.named("Sample Sans"), .serif])) == nil)
    #expect(try provider.fallback(for: "A", like: nil) == nil)
  }

  @Test func matchesFamiliesInOrder() throws {
    let provider = try provider()
    let query = FontQuery(families: [.named("Missing"), .named("sample SERIF"), .named("Sample Sans")])
    #expect(try provider.face(matching: query)?.families == ["Sample Serif"])
  }

  @Test func standsForGenericFamilies() throws {
    var provider = try provider()
    provider.monospaceFamily = "Sample Layers"
    #expect(try provider.face(matching: FontQuery(families: [.monospace]))?.families == ["Sample Layers"])
    #expect(try provider.face(matching: FontQuery(families: [.cursive])) == nil)
  }

  /// CSS Fonts 4, 5.2: what is asked for, and which of 400 and 700 it gets.
  @Test(arguments: [(100, 400), (400, 400), (450, 400), (500, 400), (501, 700), (600, 700), (900, 700)])
  func choosesWeights(_ wanted: Int, _ expected: Int) throws {
    let face = try provider().face(matching: FontQuery(families: [.named("Sample Sans")], weight: wanted))
    #expect(face?.weight == expected)
  }

  @Test func takesUprightFacesWhereThereIsNoItalic() throws {
    let query = FontQuery(families: [.named("Sample Sans")], style: .italic, stretch: 75)
    #expect(try provider().face(matching: query)?.families == ["Sample Sans"])
  }

  @Test func fallsBackToFacesWithTheCharacter() throws {
    let provider = try provider()
    let layers = try provider.face(matching: FontQuery(families: [.named("Sample Layers")]))
    let fallback = try provider.fallback(for: "\u{628}", like: layers)
    #expect(fallback?.families == ["Sample Sans"])
    #expect(fallback?.weight == 400)
    let first = try #require(fallback)
    let second = try provider.fallback(for: "\u{628}", like: layers, excluding: [first.id])
    #expect(second?.id != first.id)
    #expect(try provider.fallback(for: "\u{E000}", like: layers) == nil)
  }

  @Test func readsFolders() throws {
    let provider = FontProvider(folders: [SampleFonts.folder.path])
    let bold = try provider.face(matching: FontQuery(families: [.named("Sample Sans")], weight: 700))
    #expect(bold?.weight == 700)
    #expect(try provider.face(matching: FontQuery(families: [.named("Sample Flex")]))?.isVariable == true)
    #expect(try provider.fallback(for: "\u{628}", like: bold)?.families == ["Sample Sans"])
    let nowhere = FontProvider(folders: [SampleFonts.folder.path + "/nowhere"])
    #expect(nowhere.isEmpty)
  }

  /// The defaults and rules of the XDG Base Directory Specification, and fontconfig's older folder.
  @Test func findsTheFoldersOfTheUser() {
    #if os(macOS)
      #expect(userFontFolders(home: "/Users/a", dataHome: nil) == ["/Users/a/Library/Fonts"])
    #else
      #expect(userFontFolders(home: "/home/a", dataHome: nil) == ["/home/a/.local/share/fonts", "/home/a/.fonts"])
      #expect(userFontFolders(home: "/home/a", dataHome: "/data") == ["/data/fonts", "/home/a/.fonts"])
      #expect(userFontFolders(home: "/home/a", dataHome: "") == ["/home/a/.local/share/fonts", "/home/a/.fonts"])
      #expect(userFontFolders(home: nil, dataHome: "/data") == ["/data/fonts"])
    #endif
    #expect(userFontFolders(home: nil, dataHome: "data").isEmpty)
    #expect(userFontFolders(home: "a", dataHome: nil).isEmpty)
  }

  @Test func sharesWhatItParsed() throws {
    let provider = try provider()
    let copy = provider
    let query = FontQuery(families: [.named("Sample Sans")])
    #expect(try provider.face(matching: query)?.id == copy.face(matching: query)?.id)
    let more = provider.adding(data: [try SampleFonts.bytes("kern.ttf")])
    #expect(try more.face(matching: FontQuery(families: [.named("Sample Old")])) != nil)
    #expect(try provider.face(matching: FontQuery(families: [.named("Sample Old")])) == nil)
  }

  @Test func findsAxesForAQuery() throws {
    let face = try SampleFonts.face("variable.ttf")
    let query = FontQuery(families: [], weight: 650, stretch: 80)
    #expect(query.variations(for: face).map(\.value) == [650, 80])
    let instance = try face.instance(variations: query.variations(for: face))
    #expect(instance.id != face.id)
    #expect(try instance.id == face.instance(variations: [("wdth", 80), ("wght", 650)]).id)
    #expect(try face.instance(variations: [("wght", 400), ("XXXX", 3)]).id == face.id)
  }
}
