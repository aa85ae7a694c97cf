// The channels of an image: the components that they are taken from, and their meaning (ITU-T T.800, I.5.3.4 to I.5.3.6).

internal import ImageCoding

/// The channels of an image in the order of the samples of its pixels.
struct ChannelLayout: Sendable {
  /// The source of a channel.
  struct Channel: Hashable, Sendable {
    let component: Int
    /// The column of the palette; `nil` if the samples are those of the component.
    let column: Int?
    let depth: Int
  }

  /// The colours of the channels.
  enum Model: Hashable, Sendable {
    case gray
    case rgb
    /// Amounts of three inks, which become their complements.
    case cmy
    /// CIE L*a*b*, which becomes sRGB.
    case lab(LabEncoding)
    /// Luma and chroma of ITU-R BT.601, full range.
    case yCbCr
    case cmyk
  }

  let model: Model
  /// The channels of the colours; those of `model`, in order.
  let colors: [Channel]
  let alpha: Channel?
  let isPremultiplied: Bool
  let colorSpace: ColorSpace
  /// Whether the last channel is taken for opacity although the file does not define it.
  let assumesAlpha: Bool
  /// A feature without which the colours cannot be converted.
  private(set) var unsupported: String?

  init(_ file: JP2Header, _ codestream: MainHeader) {
    let channels = Self.channels(file, codestream.size)
    let roles = ChannelRoles(file, channels.count)
    var enumerated: UInt32?
    if case .enumerated(let space) = file.color { enumerated = space }
    var isOpaque = roles.alpha == nil
    var colorIndices = roles.colors
    var alpha = roles.alpha
    var model = Self.model(enumerated, colorIndices.map { channels[$0] }, codestream)
    if case .lab(let encoding) = file.color { model = .lab(encoding) }
    // Files of old writers do not define their channels.
    assumesAlpha = isOpaque && file.definitions.isEmpty && colorIndices.count == model.count + 1
    if assumesAlpha {
      alpha = colorIndices.last
      isOpaque = false
    }
    colorIndices = Array(colorIndices.prefix(model.count))
    if colorIndices.count < model.count {
      unsupported = "colours of \(model.count) channels, of which the file has \(colorIndices.count),"
    }
    self.model = model
    colors = colorIndices.map { channels[$0] }
    self.alpha = isOpaque ? nil : alpha.map { channels[$0] }
    isPremultiplied = roles.isPremultiplied
    colorSpace = Self.colorSpace(file, enumerated, model)
    if let enumerated, let name = Self.unsupportedSpace(enumerated) { unsupported = name }
    if case .lab(let encoding) = model, !encoding.isSupported { unsupported = "illuminants of CIELab but D50 and D65" }
  }

  private static func channels(_ file: JP2Header, _ size: CodestreamSize) -> [Channel] {
    guard let palette = file.palette else {
      return size.components.indices.map { Channel(component: $0, column: nil, depth: size.components[$0].depth) }
    }
    var mappings = file.mappings
    if mappings.isEmpty {
      mappings = palette.columns.indices.map { JP2Header.ChannelMapping(component: 0, column: $0) }
    }
    return mappings.map { mapping in
      let component = min(mapping.component, size.components.count - 1)
      guard let column = mapping.column, column < palette.columns.count else {
        return Channel(component: component, column: nil, depth: size.components[component].depth)
      }
      return Channel(component: component, column: column, depth: palette.columns[column].depth)
    }
  }

  /// Returns the model of the colours of an enumerated space, or of those that the channels suggest.
  ///
  /// - Parameter colors: the channels of colours, in order. A file may define one channel as several of them.
  private static func model(_ enumerated: UInt32?, _ colors: [Channel], _ codestream: MainHeader) -> Model {
    let count = colors.count
    switch enumerated {
    case 0, 15, 17: return .gray
    case 11: return .cmy
    case 12: return .cmyk
    case 1, 3, 4, 18, 24: return count >= 3 ? .yCbCr : .gray
    case 16, 20, 21: return count >= 3 ? .rgb : .gray
    default: break
    }
    guard count >= 3 else { return .gray }
    guard enumerated == nil, count == 3 || count == 4 else { return .rgb }
    // Only chroma is subsampled.
    let components = codestream.size.components
    func isSubsampled(_ index: Int) -> Bool {
      let (component, first) = (components[colors[index].component], components[colors[0].component])
      return component.dx > first.dx || component.dy > first.dy
    }
    return isSubsampled(1) && isSubsampled(2) ? .yCbCr : .rgb
  }

  private static func colorSpace(_ file: JP2Header, _ enumerated: UInt32?, _ model: Model) -> ColorSpace {
    switch file.color {
    case .profile(let bytes): return isProfile(bytes, of: model) ? .icc(bytes) : .unspecified
    case .codePoints(let points): return .codePoints(points)
    case .enumerated(16), .enumerated(17), .enumerated(18), .lab: return .sRGB
    default: return .unspecified
    }
  }

  /// Whether the device space of a profile is that of the channels.
  private static func isProfile(_ bytes: [UInt8], of model: Model) -> Bool {
    let space = FourCharacterCode(deviceSpaceOf: bytes.span)
    switch model {
    case .gray: return space == "GRAY"
    case .rgb, .yCbCr: return space == "RGB "
    case .cmy: return space == "CMY "
    case .lab: return space == "Lab "
    case .cmyk: return space == "CMYK"
    }
  }

  private static func unsupportedSpace(_ space: UInt32) -> String? {
    switch space {
    case 4: "the colour space YCbCr(3)"
    case 9: "the colour space PhotoYCC"
    case 13: "the colour space YCCK"
    case 19: "the colour space CIEJab"
    default: nil
    }
  }

  /// The components that the channels need.
  var components: Set<Int> { Set((colors + [alpha].compactMap { $0 }).map { $0.component }) }

  /// The format of pixels without conversion: the deepest channel determines the sample type.
  var natural: PixelFormat {
    let depth = (colors + [alpha].compactMap { $0 }).map { $0.depth }.max() ?? 8
    let colorModel: PixelFormat.ColorModel =
      switch model {
      case .gray: .gray
      case .rgb, .cmy, .lab, .yCbCr: .rgb
      case .cmyk: .cmyk
      }
    return PixelFormat(
      colorModel, alpha: alpha == nil ? .none : isPremultiplied ? .premultiplied : .straight,
      sampleType: depth <= 8 ? .uint8 : .uint16)
  }

  /// The facts about the image.
  func info(_ codestream: MainHeader) -> ImageInfo {
    let size = ImageGeometry(codestream.size, discarded: 0).size
    let storedModel: ImageInfo.StoredColorModel? =
      if colors.contains(where: { $0.column != nil }) {
        .palette
      } else {
        switch model {
        case .gray: .gray
        case .rgb: .rgb
        case .yCbCr: .yCbCr
        case .cmyk: .cmyk
        case .cmy, .lab: nil
        }
      }
    let isHighThroughput = codestream.parameters.defaultStyle?.blockStyle.contains(.highThroughput) ?? false
    return ImageInfo(
      type: JPEG2000Decoder.type, width: size.width, height: size.height,
      bitDepth: codestream.size.components.reduce(0) { max($0, $1.depth) }, colorModel: storedModel,
      hasAlpha: alpha != nil, colorSpace: colorSpace, coding: isHighThroughput ? "HTJ2K" : nil)
  }
}

extension ChannelLayout.Model {
  /// The number of colours.
  var count: Int {
    switch self {
    case .gray: 1
    case .rgb, .cmy, .lab, .yCbCr: 3
    case .cmyk: 4
    }
  }
}

/// The indices of the channels with colours, in their order, and with opacity.
private struct ChannelRoles {
  var colors: [Int] = []
  var alpha: Int?
  var isPremultiplied = false

  init(_ file: JP2Header, _ channelCount: Int) {
    guard !file.definitions.isEmpty else {
      colors = Array(0..<channelCount)
      return
    }
    let definitions = file.definitions.filter { $0.channel < channelCount }
    colors = definitions.filter { $0.type == 0 && $0.association != 0xFFFF }
      .sorted { ($0.association, $0.channel) < ($1.association, $1.channel) }.map { $0.channel }
    if colors.isEmpty { colors = Array(0..<channelCount) }
    // The opacity of only one of several colours is ignored.
    let opacity = definitions.first {
      ($0.type == 1 || $0.type == 2) && ($0.association == 0 || ($0.association == 1 && colors.count == 1))
    }
    alpha = opacity?.channel
    isPremultiplied = opacity?.type == 2
  }
}
