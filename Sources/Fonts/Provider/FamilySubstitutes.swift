// The families that take the place of others that are not installed.
//
// Documents name the families of Windows, macOS and PostScript printers. Systems without them have free fonts that were
// drawn with the same advance widths, so that lines keep their lengths.

/// The substitutes for font families that are not installed.
enum FamilySubstitutes {
  /// Returns the families with the advance widths of a family, the preferred one first.
  ///
  /// - Parameter name: the name of the family in lower case.
  static func families(withWidthsOf name: String) -> [String] { substitutes[name] ?? [] }

  /// Returns the generic family that a name in lower case denotes in documents of drawing programs, which write the
  /// names of the system's font settings; `nil` for other names.
  static func genericFamily(named name: String) -> FontQuery.Family? {
    switch name {
    case "sans", "sans serif": .sansSerif
    case "mono": .monospace
    default: nil
    }
  }

  /// The families that are tried for a generic family if the provider's own choice is not installed; none for families
  /// without counterparts on most systems.
  static func families(for generic: FontQuery.Family) -> [String] {
    switch generic {
    case .serif, .standard:
      ["times new roman", "dejavu serif", "liberation serif", "noto serif", "tinos", "nimbus roman", "freeserif"]
    case .sansSerif:
      ["arial", "roboto", "dejavu sans", "liberation sans", "noto sans", "arimo", "nimbus sans", "freesans"]
    case .monospace:
      [
        "courier new", "dejavu sans mono", "liberation mono", "droid sans mono", "noto sans mono", "cousine",
        "nimbus mono ps", "freemono",
      ]
    case .cursive, .fantasy, .named: []
    }
  }

  /// Families of the same advance widths, the preferred substitutes first.
  private static let groups: [[String]] = [
    [
      "liberation sans", "arial", "arimo", "helvetica", "nimbus sans", "nimbus sans l", "tex gyre heros", "freesans",
    ],
    ["liberation sans narrow", "arial narrow", "helvetica narrow", "nimbus sans narrow", "helvetica condensed"],
    [
      "liberation serif", "times new roman", "tinos", "times", "nimbus roman", "nimbus roman no9 l", "tex gyre termes",
      "freeserif",
    ],
    [
      "liberation mono", "courier new", "cousine", "courier", "nimbus mono ps", "nimbus mono", "nimbus mono l",
      "tex gyre cursor", "freemono",
    ],
    ["dejavu sans", "bitstream vera sans"],
    ["dejavu serif", "bitstream vera serif"],
    ["dejavu sans mono", "bitstream vera sans mono"],
    ["carlito", "calibri"],
    ["caladea", "cambria"],
    ["gelasio", "georgia"],
    ["p052", "palatino", "palatino linotype", "urw palladio l", "tex gyre pagella"],
    ["c059", "new century schoolbook", "century schoolbook l", "tex gyre schola"],
    ["urw bookman", "itc bookman", "bookman", "urw bookman l", "tex gyre bonum"],
    ["urw gothic", "itc avant garde gothic", "avant garde", "urw gothic l", "tex gyre adventor"],
    ["z003", "itc zapf chancery", "zapf chancery", "urw chancery l", "tex gyre chorus"],
  ]

  /// The other families of the group of each family.
  private static let substitutes: [String: [String]] = {
    var substitutes: [String: [String]] = [:]
    for group in groups {
      for name in group { substitutes[name] = group.filter { $0 != name } }
    }
    return substitutes
  }()
}
