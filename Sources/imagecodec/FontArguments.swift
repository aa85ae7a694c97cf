// The options that choose the fonts of drawings.

internal import ArgumentParser
internal import ImageCodecs

/// Which fonts text is drawn with.
struct FontArguments: ParsableArguments {
  @Option(
    name: .customLong("fonts"), parsing: .upToNextOption,
    help: ArgumentHelp("SVG: folders of fonts in place of the system's.", valueName: "dir"))
  var folders: [String] = []

  @Option(help: ArgumentHelp("SVG: the family that 'serif' stands for.", valueName: "name"))
  var serifFamily: String?

  @Option(help: ArgumentHelp("SVG: the family that 'sans-serif' stands for.", valueName: "name"))
  var sansSerifFamily: String?

  @Option(help: ArgumentHelp("SVG: the family that 'cursive' stands for.", valueName: "name"))
  var cursiveFamily: String?

  @Option(help: ArgumentHelp("SVG: the family that 'fantasy' stands for.", valueName: "name"))
  var fantasyFamily: String?

  @Option(help: ArgumentHelp("SVG: the family that 'monospace' stands for.", valueName: "name"))
  var monospaceFamily: String?

  @Option(help: ArgumentHelp("SVG: the family of text that names none.", valueName: "name"))
  var defaultFamily: String?

  /// The fonts; nothing is opened before text asks for one.
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
