// Which family takes the place of one that is not installed.

import FontTestSupport
import Fonts
import TestSupport
import Testing

@Suite struct FamilySubstituteTests {
  /// Returns the family that a provider of the named families finds.
  private func found(_ families: [FontQuery.Family], among installed: [String]) throws -> String? {
    let fonts = installed.map { family in
      var font = RectangleFont(family: family)
      font.glyphs = [.init(character: "a", advance: 500, box: (0, 0, 400, 400))]
      return font.bytes
    }
    return try FontProvider(data: fonts).face(matching: FontQuery(families: families))?.families.first
  }

  @Test(arguments: [
    ("Helvetica", ["FreeSans", "Arial", "Liberation Sans"], "Liberation Sans"),
    ("helvetica", ["FreeSans", "Arial"], "Arial"),
    ("Times", ["Tinos"], "Tinos"),
    ("Courier New", ["Liberation Sans", "Cousine"], "Cousine"),
    ("Bitstream Vera Sans", ["DejaVu Sans"], "DejaVu Sans"),
    ("Calibri", ["Carlito"], "Carlito"),
    ("Arial", ["Liberation Sans", "Arial"], "Arial"),
  ])
  func familiesOfTheSameWidths(name: String, installed: [String], expected: String) throws {
    #expect(try found([.named(name)], among: installed) == expected)
  }

  /// The substitute precedes the families named later, which may have other widths.
  @Test func substitutesTakeThePlaceInTheList() throws {
    #expect(try found([.named("Arial"), .named("Other")], among: ["Other", "Arimo"]) == "Arimo")
    #expect(try found([.named("Verdana"), .named("Other")], among: ["Other", "Arimo"]) == "Other")
    #expect(try found([.named("Verdana")], among: ["Other", "Arimo"]) == nil)
  }

  @Test func namesOfFontSettings() throws {
    #expect(try found([.named("Sans")], among: ["Noto Serif", "Noto Sans"]) == "Noto Sans")
    #expect(try found([.named("Sans Serif")], among: ["Noto Serif", "Liberation Sans"]) == "Liberation Sans")
    #expect(try found([.named("Mono")], among: ["Noto Serif", "DejaVu Sans Mono"]) == "DejaVu Sans Mono")
    #expect(try found([.named("Sans")], among: ["Arial", "Sans"]) == "Sans")
  }

  @Test func genericFamilies() throws {
    let installed = ["Other", "Noto Serif", "Noto Sans", "Noto Sans Mono"]
    #expect(try found([.serif], among: installed) == "Noto Serif")
    #expect(try found([.sansSerif], among: installed) == "Noto Sans")
    #expect(try found([.monospace], among: installed) == "Noto Sans Mono")
    #expect(try found([.standard], among: installed) == "Noto Serif")
    #expect(try found([.cursive], among: installed) == nil)
  }
}
