// The fonts available for drawing text.

internal import ImageCore

/// The fonts available for drawing text: from memory, from folders, or none.
///
/// A provider opens no files until text needs a font. If you decode many images, keep one provider: its copies share
/// everything that has been read and parsed.
///
/// A family that is not installed is replaced by one of the same advance widths, such as Arial by Liberation Sans or Times
/// New Roman by Tinos. If the family of `serif`, `sans-serif`, `monospace` or of text that specifies none is not installed
/// either, a common family of that kind is used.
public struct FontProvider: Sendable {
  let store: FontStore
  /// The faces of a document, which precede the fonts.
  var documentFaces: [DocumentFace] = []

  /// The family used for the CSS generic family `serif`.
  public var serifFamily = "Times New Roman"
  /// The family used for the CSS generic family `sans-serif`.
  public var sansSerifFamily = "Arial"
  /// The family used for the CSS generic family `cursive`.
  public var cursiveFamily = "Comic Sans MS"
  /// The family used for the CSS generic family `fantasy`.
  public var fantasyFamily = "Impact"
  /// The family used for the CSS generic family `monospace`.
  public var monospaceFamily = "Courier New"
  /// The family used for text that specifies none.
  public var defaultFamily = "Times New Roman"

  /// Creates a provider without fonts. Text is not drawn.
  public init() {
    store = FontStore(fonts: [], folders: [])
  }

  /// Creates a provider of fonts in memory: the bytes of TrueType, OpenType, collection, WOFF or WOFF 2 files. Anything
  /// else is ignored.
  public init(data: [[UInt8]]) {
    store = FontStore(fonts: data, folders: [])
  }

  /// Creates a provider of the fonts in folders and their subfolders. Files are opened on first use.
  public init(folders: [String]) {
    store = FontStore(fonts: [], folders: folders)
  }

  private init(replacingStoreOf other: FontProvider, by store: FontStore) {
    self.store = store
    documentFaces = other.documentFaces
    serifFamily = other.serifFamily
    sansSerifFamily = other.sansSerifFamily
    cursiveFamily = other.cursiveFamily
    fantasyFamily = other.fantasyFamily
    monospaceFamily = other.monospaceFamily
    defaultFamily = other.defaultFamily
  }

  /// Returns a provider with additional fonts in memory, which take precedence over fonts of the same name.
  public func adding(data: [[UInt8]]) -> FontProvider {
    FontProvider(replacingStoreOf: self, by: FontStore(fonts: store.fonts + data, folders: store.folders))
  }

  /// Returns a provider with additional folders.
  public func adding(folders: [String]) -> FontProvider {
    FontProvider(replacingStoreOf: self, by: FontStore(fonts: store.fonts, folders: store.folders + folders))
  }
}
