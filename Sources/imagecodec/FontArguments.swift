// The options that select the fonts of drawings.

internal import ArgumentParser
internal import ImageCodecs

/// The fonts for text.
struct FontArguments: ParsableArguments {
  @Option(
    name: .customLong("fonts"), parsing: .upToNextOption,
    help: ArgumentHelp("Text: the font folders to use instead of the system's.", valueName: "dir"))
  var folders: [String] = []

  @Option(help: ArgumentHelp("Text: the font family for 'serif'.", valueName: "name"))
  var serifFamily: String?

  @Option(help: ArgumentHelp("Text: the font family for 'sans-serif'.", valueName: "name"))
  var sansSerifFamily: String?

  @Option(help: ArgumentHelp("Text: the font family for 'cursive'.", valueName: "name"))
  var cursiveFamily: String?

  @Option(help: ArgumentHelp("Text: the font family for 'fantasy'.", valueName: "name"))
  var fantasyFamily: String?

  @Option(help: ArgumentHelp("Text: the font family for 'monospace'.", valueName: "name"))
  var monospaceFamily: String?

  @Option(help: ArgumentHelp("Text: the font family of text that specifies none.", valueName: "name"))
  var defaultFamily: String?

  /// The fonts. No file is opened until text needs it.
  var provider: FontProvider {
    var provider = folders.isEmpty ? FontProvider.system : FontProvider(folders: folders)
    if let serifFamily { provider.serifFamily = serifFamily }
    if let sansSerifFamily { provider.sansSerifFamily = sansSerifFamily }
    if let cursiveFamily { provider.cursiveFamily = cursiveFamily }
    if let fantasyFamily { provider.fantasyFamily = fantasyFamily }
    if let monospaceFamily { provider.monospaceFamily = monospaceFamily }
    if let defaultFamily { provider.defaultFamily = defaultFamily }
    return provider
  }
}
