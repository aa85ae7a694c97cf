// What matching needs to know of a face: names, traits and how far its axes reach.

internal import ImageCore

/// A face of a provider.
struct FaceDescription: Hashable, Sendable {
  /// The index of the file among the provider's.
  let source: Int
  /// The index of the face in its file.
  let index: Int
  let families: [String]
  let style: FontStyle
  let weight: Int
  let stretch: Double

  init(source: Int, index: Int, container: FontContainer) {
    let traits = FaceTraits(os2: container["OS/2"], head: container["head"], post: container["post"])
    self.source = source
    self.index = index
    families = FaceNames(container["name"]).families
    style = traits.style
    weight = traits.weight
    stretch = traits.stretch
  }

  /// Whether the family has a name; letters of ASCII are equal in both cases.
  func isNamed(_ name: String) -> Bool {
    families.contains { $0 == name || $0.utf8.count == name.utf8.count && $0.lowercased() == name.lowercased() }
  }
}
