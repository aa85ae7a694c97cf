// feDiffuseLighting and feSpecularLighting with feDistantLight, fePointLight and feSpotLight (Filter Effects 1,
// sections 9.10, 9.18 and 10). The two primitives differ only in one formula.

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

/// A light source in units of its primitive; angles are in degrees.
enum LightSource: Hashable, Sendable {
  case distant(azimuth: Double, elevation: Double)
  case point(SIMD3<Double>)
  case spot(position: SIMD3<Double>, target: SIMD3<Double>, exponent: Double, limitingConeAngle: Double?)

  /// Reads the first light source among the children of a lighting primitive.
  init?(in element: FilterElement) {
    let lights: Set<ElementName> = [.feDistantLight, .fePointLight, .feSpotLight]
    guard let child = element.children.first(where: { element.child($0).name.map(lights.contains) ?? false })
    else { return nil }
    let light = element.child(child)
    func number(_ name: AttributeName) -> Double { light.number(name) ?? 0 }
    let position = SIMD3(number(.x), number(.y), number(.z))
    switch light.name {
    case .feDistantLight: self = .distant(azimuth: number(.azimuth), elevation: number(.elevation))
    case .fePointLight: self = .point(position)
    default:
      let exponent = light.number(.specularExponent) ?? 1
      self = .spot(
        position: position, target: SIMD3(number(.pointsAtX), number(.pointsAtY), number(.pointsAtZ)),
        exponent: exponent < 0 ? 1 : exponent, limitingConeAngle: light.number(.limitingConeAngle).map { abs($0) })
    }
  }

  /// Returns the light source in pixels. Heights scale with the mean of both axes (SVG 1.1, section 7.10).
  func source(in space: FilterSpace) -> Lighting.Source {
    let transform = space.toPixels
    let (across, down) = (transform.a * space.unit.x, transform.d * space.unit.y)
    let height = ((across * across + down * down) / 2).squareRoot()
    func place(_ point: SIMD3<Double>) -> SIMD3<Float> {
      let pixel = transform.apply(
        Point(x: space.origin.x + point.x * space.unit.x, y: space.origin.y + point.y * space.unit.y))
      // The limit is beyond any visible effect and keeps squares finite.
      func bounded(_ value: Double) -> Float { Float(min(max(-1e12, value), 1e12)) }
      return SIMD3(bounded(pixel.x), bounded(pixel.y), bounded(point.z * height))
    }
    switch self {
    case .distant(let azimuth, let elevation): return .distant(azimuth: azimuth, elevation: elevation)
    case .point(let position): return .point(place(position))
    case .spot(let position, let target, let exponent, let angle):
      return .spot(
        Lighting.Spot(
          position: place(position), target: place(target), exponent: exponent, limitingConeAngle: angle))
    }
  }
}

struct LightingEffect: FilterEffect {
  var inputs: [FilterInput]
  var light: LightSource
  var reflection: Lighting.Reflection
  var surfaceScale: Double
  var color: Color

  var takesAnyColors: Bool { true }

  /// Returns `nil` if there is no light source.
  init?(diffuse element: FilterElement) {
    self.init(element, .diffuse(constant: element.number(.diffuseConstant) ?? 1))
  }

  /// Returns `nil` if there is no light source or the exponent is outside 1…128.
  init?(specular element: FilterElement) {
    let exponent = element.number(.specularExponent) ?? 1
    guard (1...128).contains(exponent) else { return nil }
    self.init(element, .specular(constant: element.number(.specularConstant) ?? 1, exponent: exponent))
  }

  private init?(_ element: FilterElement, _ reflection: Lighting.Reflection) {
    guard let light = LightSource(in: element) else { return nil }
    inputs = [element.input(.in)]
    self.light = light
    self.reflection = reflection
    surfaceScale = element.number(.surfaceScale) ?? 1
    color = element.style.lightingColor
  }

  func source(of area: PixelRect, input: FilterSource, in space: FilterSpace) -> PixelRect { area.expanded(x: 1, y: 1) }

  func cost(in space: FilterSpace) -> Int {
    if case .spot = light { return 45 }
    return 35
  }

  func draw(_ step: FilterStep, _ renderer: inout TreeRenderer) throws(CodecError) -> FilterImage {
    // The height of the surface is in user units, so that its relief does not depend on the size of the picture.
    let transform = step.space.toPixels
    let scale = ((transform.a * transform.a + transform.d * transform.d) / 2).squareRoot()
    let lighting = Lighting(
      source: light.source(in: step.space), reflection: reflection, surfaceScale: surfaceScale * scale,
      color: SIMD3(Float(color.red), Float(color.green), Float(color.blue)))
    // The heights take the same number of bytes as the pixels.
    return try renderer.reserving(step.area.expanded(x: 1, y: 1)) { renderer throws(CodecError) in
      step.image(
        try lighting.draw(
          area: step.area, surface: step.inputs[0].layer, region: step.space.region, interruption: renderer.interruption
        ))
    }
  }
}
