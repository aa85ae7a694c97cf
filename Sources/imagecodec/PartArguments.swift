// The options that decode less than the whole image.

internal import ArgumentParser
internal import ImageCodecs

/// A region, or a reduced size.
struct PartArguments: ParsableArguments {
  /// The left column, the upper row, the width and the height of a region.
  struct Region: ExpressibleByArgument {
    let value: PixelRegion

    init?(argument: String) {
      let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
        let height = numbers[3], x >= 0, y >= 0, width > 0, height > 0, x <= Int(Int32.max), y <= Int(Int32.max),
        width <= Int(Int32.max), height <= Int(Int32.max)
      else { return nil }
      value = PixelRegion(x: x, y: y, width: width, height: height)
    }
  }

  @Option(
    help: ArgumentHelp(
      "Decode a part of the upright image. Formats in tiles decode only the tiles that it needs.",
      valueName: "x,y,width,height"))
  var region: Region?

  @Option(
    help: """
      Halve the size this many times by decoding less: JPEG 2000 as often as it has resolutions, JPEG and JPEG XL up to \
      three times. Other formats are decoded at their size.
      """)
  var reduce: Int?

  func validate() throws {
    guard let reduce else { return }
    guard (0...32).contains(reduce) else { throw ValidationError("--reduce must be between 0 and 32, not \(reduce)") }
    guard region == nil else { throw ValidationError("--reduce and --region exclude each other") }
  }

  /// Whether less than the whole image is decoded.
  var isPresent: Bool { region != nil || reduce != nil }

  /// Returns the size that no decoder that halves sizes is below.
  static func target(_ info: ImageInfo, reducedBy count: Int) -> PixelSize {
    PixelSize(width: max(1, info.width >> count), height: max(1, info.height >> count))
  }
}
