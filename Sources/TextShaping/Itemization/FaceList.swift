// The faces of a list of families in order, each of which is looked up when those before it lack a character.

internal import Fonts
internal import ImageCore

/// The faces of a list of families.
struct FaceList {
  /// A face of the list.
  struct Entry {
    var face: FaceSelection.FaceNumber
    /// Whether the style names the family, rather than a generic one.
    var isNamed: Bool
  }

  /// The maximum number of faces; further ones are left out.
  private static let maximumCount = 64
  /// The maximum number of fallback faces that are tried before all fonts are searched.
  private static let maximumHelperCount = 32

  let query: FontQuery
  /// Returns a face as it is used for the text: the instance of a variable font, with what is synthesised.
  let adapt: FaceSelection.Adaptation
  /// The face whose metrics are those of the text.
  let primary: FaceSelection.FaceNumber
  private(set) var entries: [Entry] = []
  /// The first fallback faces that were found.
  private(set) var helpers: [FaceSelection.FaceNumber] = []
  /// The faces of characters that are clusters.
  var characters: [Unicode.Scalar: FaceSelection.FaceNumber] = [:]
  /// The faces of clusters of several characters; `nil` for those that no font has.
  var clusters: [ArraySlice<Unicode.Scalar>: FaceSelection.FaceNumber?] = [:]
  /// The faces of related families, which are preferred to other fallback faces; `nil` before they are needed.
  var relatives: [FaceDescription]?
  private var nextFamily = 0

  init(_ query: FontQuery, primary: FaceSelection.FaceNumber, adapt: @escaping FaceSelection.Adaptation) {
    self.query = query
    self.primary = primary
    self.adapt = adapt
  }

  /// Whether no more faces can be found.
  var isComplete: Bool { nextFamily >= query.families.count || entries.count >= Self.maximumCount }

  /// Returns the faces of the next family, and whether the style names it.
  mutating func nextFaces(
    of provider: FontProvider, budget: inout ResourceBudget
  ) throws(CodecError) -> (faces: [FontFace], isNamed: Bool) {
    let family = query.families[nextFamily]
    nextFamily += 1
    return (try provider.faces(of: family, matching: query, budget: &budget), family.isNamed)
  }

  mutating func append(_ face: FaceSelection.FaceNumber, isNamed: Bool) {
    guard entries.count < Self.maximumCount, !entries.contains(where: { $0.face == face }) else { return }
    entries.append(Entry(face: face, isNamed: isNamed))
  }

  mutating func appendHelper(_ face: FaceSelection.FaceNumber) {
    guard helpers.count < Self.maximumHelperCount, !helpers.contains(face) else { return }
    helpers.append(face)
  }
}
