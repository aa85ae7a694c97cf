// The options that convert colours.

internal import ArgumentParser
internal import ImageCodecs

/// The colour space to convert to.
struct ColorArguments: ParsableArguments {
  enum Target: String, CaseIterable, ExpressibleByArgument {
    case keep
    case srgb
    case displayP3 = "display-p3"

    /// The colour space; `nil` to convert nothing. Display P3 carries a profile too, for formats without code points.
    var colorSpace: ColorSpace? {
      switch self {
      case .keep: return nil
      case .srgb: return .sRGB
      case .displayP3:
        var space = ColorSpace.displayP3
        space.iccProfile = space.makeICCProfile()
        space.prefersCodePoints = true
        return space
      }
    }
  }

  enum Intent: String, CaseIterable, ExpressibleByArgument {
    case perceptual
    case relative
    case saturation
    case absolute

    var value: RenderingIntent {
      switch self {
      case .perceptual: .perceptual
      case .relative: .relativeColorimetric
      case .saturation: .saturation
      case .absolute: .absoluteColorimetric
      }
    }
  }

  enum ToneMap: String, CaseIterable, ExpressibleByArgument {
    case bt2408
    case bt2446a

    var value: ToneMapping {
      switch self {
      case .bt2408: .bt2408
      case .bt2446a: .bt2446A
      }
    }
  }

  @Option(name: .customLong("color-space"), help: "The colour space to convert to.")
  var target = Target.keep

  @Option(help: "The rendering intent of the conversion. Default: perceptual.")
  var intent: Intent?

  @Flag(help: "Compensate the black point in the conversion.")
  var blackPoint = false

  @Option(help: "How PQ and HLG are reduced to an ordinary display: bt2408 or bt2446a. Default: bt2408.")
  var toneMap: ToneMap?

  func validate() throws {
    guard target == .keep else { return }
    if toneMap != nil { throw ValidationError("--tone-map requires --color-space") }
    if intent != nil { throw ValidationError("--intent requires --color-space") }
    if blackPoint { throw ValidationError("--black-point requires --color-space") }
  }

  var conversion: ColorConversion {
    guard let space = target.colorSpace else { return .keep }
    return .to(
      space, intent: (intent ?? .perceptual).value, blackPointCompensation: blackPoint,
      toneMapping: (toneMap ?? .bt2408).value)
  }
}
