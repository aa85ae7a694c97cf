// The properties of masks and backgrounds, which are lists of layers (CSS Masking 1, section 7; CSS Backgrounds 3).

internal import VectorGraphics

extension PropertyTable {
  static let masks: [PropertyRow] =
    layers(
      of: "mask", images: \.mask.images, positions: \.mask.positions, sizes: \.mask.sizes,
      repetitions: \.mask.repetitions, origins: \.mask.origins) + [
      .own("mask-clip", \.mask.areas, isAttribute: false) { list($0, ImageLayers.area) },
      .own("mask-mode", \.mask.modes, isAttribute: false) { list($0, ImageLayers.mode) },
      .own("mask-composite", \.mask.compositings, isAttribute: false) { list($0, ImageLayers.compositing) },
      .shorthand(
        "mask", of: layerNames("mask") + ["mask-clip", "mask-mode", "mask-composite"], isAttribute: true,
        limitation: ofPictures
      ) { bytes in
        var color: ColorValue?
        guard let value = ImageLayers(shorthand: bytes, isMask: true, color: &color) else { return nil }
        return expansion("mask", \.mask, value) + [
          ("mask-clip", set { $0.mask.areas = value.areas }), ("mask-mode", set { $0.mask.modes = value.modes }),
          ("mask-composite", set { $0.mask.compositings = value.compositings }),
        ]
      },
    ]

  static let backgrounds: [PropertyRow] =
    layers(
      of: "background", images: \.background.images, positions: \.background.positions, sizes: \.background.sizes,
      repetitions: \.background.repetitions, origins: \.background.origins) + [
      .own("background-clip", \.background.areas, isAttribute: false) { list($0, ImageLayers.area) },
      .own("background-color", \.backgroundColor, isAttribute: false, Parse.color) { value, style, context in
        Compute.color(value, style, context)
      },
      .ignored("background-attachment", isAttribute: false),
      .unsupported("background-blend-mode", except: "normal"),
      .shorthand(
        "background", of: layerNames("background") + ["background-clip", "background-color"], limitation: ofPictures
      ) { bytes in
        var color: ColorValue?
        guard let value = ImageLayers(shorthand: bytes, isMask: false, color: &color) else { return nil }
        let plain = color ?? .color(.transparent)
        return expansion("background", \.background, value) + [
          ("background-clip", set { $0.background.areas = value.areas }),
          (
            "background-color",
            .value(
              StyleValue { style, context in
                let value: Color = Compute.color(plain, style, context)
                style.own.backgroundColor = value
              })
          ),
        ]
      },
    ]

  private typealias Path<Value> = WritableKeyPath<OwnStyle, Value> & Sendable

  /// Links to other documents are not followed, but these may be links to pictures, which are looked up where they are
  /// drawn.
  private static let ofPictures: PropertyRow.Limitation = { _ in nil }

  private static func layerNames(_ name: String) -> [String] {
    ["image", "position", "size", "repeat", "origin"].map { "\(name)-\($0)" }
  }

  /// The longhands that masks and backgrounds have in common.
  private static func layers(
    of name: String, images: any Path<[CSSImage]>, positions: any Path<[ImagePosition]>,
    sizes: any Path<[ImageSizing]>, repetitions: any Path<[(x: ImageRepetition, y: ImageRepetition)]>,
    origins: any Path<[OwnStyle.ReferenceBox]>
  ) -> [PropertyRow] {
    [
      .own("\(name)-image", images, isAttribute: false, limitation: ofPictures) { bytes in
        // A single `none` is no layer.
        isWord(bytes, "none") ? [] : list(bytes) { CSSImage(scanning: &$0) }
      },
      .own("\(name)-position", positions, isAttribute: false) { bytes in
        list(bytes) { ImagePosition(scanning: &$0) }
      },
      .own("\(name)-size", sizes, isAttribute: false) { bytes in
        list(bytes) { ImageSizing(scanning: &$0) }
      },
      .own("\(name)-repeat", repetitions, isAttribute: false) {
        list($0, ImageLayers.repetition)
      },
      .own("\(name)-origin", origins, isAttribute: false) { list($0, ImageLayers.box) },
    ]
  }

  private static func expansion(_ name: String, _ path: any Path<ImageLayers>, _ value: ImageLayers)
    -> PropertyRow.Expansion
  {
    [
      ("\(name)-image", set { $0[keyPath: path].images = value.images }),
      ("\(name)-position", set { $0[keyPath: path].positions = value.positions }),
      ("\(name)-size", set { $0[keyPath: path].sizes = value.sizes }),
      ("\(name)-repeat", set { $0[keyPath: path].repetitions = value.repetitions }),
      ("\(name)-origin", set { $0[keyPath: path].origins = value.origins }),
    ]
  }

  private static func set(_ change: @escaping @Sendable (inout OwnStyle) -> Void) -> DeclaredValue {
    .value(StyleValue { style, _ in change(&style.own) })
  }

  private static func list<Value>(
    _ bytes: Span<UInt8>, _ read: (inout TextScanner) -> Value?
  ) -> [Value]? {
    ImageLayers.list(bytes) { ImageLayers.whole($0, read) }
  }
}
