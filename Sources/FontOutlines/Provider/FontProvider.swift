// The fonts that text may be drawn with.

internal import ImageCore

/// The fonts that text may be drawn with: from memory, from folders, or none.
///
/// A provider opens no file before text asks for a font. Keep a provider where many images are decoded: its copies share
/// what was read and parsed.
public struct FontProvider: Sendable {
  let store: FontStore

  /// The family that CSS' `serif` stands for.
  public var serifFamily = "Times New Roman"
  /// The family that CSS' `sans-serif` stands for.
  public var sansSerifFamily = "Arial"
  /// The family that CSS' `cursive` stands for.
  public var cursiveFamily = "Comic Sans MS"
  /// The family that CSS' `fantasy` stands for.
  public var fantasyFamily = "Impact"
  /// The family that CSS' `monospace` stands for.
  public var monospaceFamily = "Courier New"
  /// The family of text that names none.
  public var defaultFamily = "Times New Roman"

  /// A provider without fonts.
  public init() {
    store = FontStore(fonts: [], folders: [])
  }

  /// A provider of fonts in memory: the bytes of TrueType, OpenType, collection or WOFF files. What is no font is left
  /// out.
  public init(data: [[UInt8]]) {
    store = FontStore(fonts: data, folders: [])
  }

  /// A provider of the fonts in folders and in the folders within them. Files are opened on first use.
  public init(folders: [String]) {
    store = FontStore(fonts: [], folders: folders)
  }

  private init(replacingStoreOf other: FontProvider, by store: FontStore) {
    self.store = store
    serifFamily = other.serifFamily
    sansSerifFamily = other.sansSerifFamily
    cursiveFamily = other.cursiveFamily
    fantasyFamily = other.fantasyFamily
    monospaceFamily = other.monospaceFamily
    defaultFamily = other.defaultFamily
  }

  /// The same provider with more fonts in memory, which come first where names are equal.
  public func adding(data: [[UInt8]]) -> FontProvider {
    FontProvider(replacingStoreOf: self, by: FontStore(fonts: store.fonts + data, folders: store.folders))
  }

  /// The same provider with more folders.
  public func adding(folders: [String]) -> FontProvider {
    FontProvider(replacingStoreOf: self, by: FontStore(fonts: store.fonts, folders: store.folders + folders))
  }
}
