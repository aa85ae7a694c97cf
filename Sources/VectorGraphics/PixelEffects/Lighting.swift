// Lighting of a surface whose height is a layer's alpha (Filter Effects 1, sections 9.10 and 9.18; independent of SVG):
// surface normals from Sobel gradients, and Phong reflection of one light source.

package import ImageCore

/// A light source and the surface it illuminates.
package struct Lighting: Sendable {
  package enum Source: Hashable, Sendable {
    /// Parallel light, with its direction in degrees: the azimuth from the x axis towards the y axis, and the elevation
    /// above the surface.
    case distant(azimuth: Double, elevation: Double)
    /// A point light, at a position in pixels.
    case point(SIMD3<Float>)
    case spot(Spot)
  }

  /// A spot light.
  package struct Spot: Hashable, Sendable {
    package var position: SIMD3<Float>
    package var target: SIMD3<Float>
    package var exponent: Double
    /// Half of the cone's angle in degrees; `nil` for no cone.
    package var limitingConeAngle: Double?

    package init(position: SIMD3<Float>, target: SIMD3<Float>, exponent: Double, limitingConeAngle: Double?) {
      self.position = position
      self.target = target
      self.exponent = exponent
      self.limitingConeAngle = limitingConeAngle
    }
  }

  package enum Reflection: Hashable, Sendable {
    case diffuse(constant: Double)
    case specular(constant: Double, exponent: Double)
  }

  package var source: Source
  package var reflection: Reflection
  /// The height of full alpha, in pixels.
  package var surfaceScale: Double
  /// Red, green and blue, 0…1, in the colour space of the result.
  package var color: SIMD3<Float>

  package init(source: Source, reflection: Reflection, surfaceScale: Double, color: SIMD3<Float>) {
    self.source = source
    self.reflection = reflection
    self.surfaceScale = surfaceScale
    self.color = color
  }

  /// The pixels on which those of an area depend.
  package func source(of area: PixelRect) -> PixelRect { area.expanded(x: 1, y: 1) }

  /// Returns the lit pixels of an area within `region`. Diffuse light is opaque; specular light is as opaque as it is
  /// bright.
  ///
  /// If the region has fewer than three pixels in a direction, there is no surface and the result is transparent.
  package func draw(
    area: PixelRect, surface layer: Layer, region: PixelRect, interruption: Interruption = Interruption()
  ) throws(CodecError) -> Layer {
    let visible = area.intersection(region)
    guard !visible.isEmpty, region.width >= 3, region.height >= 3 else { return Layer(bounds: .empty) }
    let heights = HeightField(layer, source(of: visible).intersection(region), scale: Float(bounded(surfaceScale)))
    var result = Layer(bounds: visible)
    let shader = LightShader(self)
    try result.updateNumberedRows(interruption) { row, y in
      for index in row.indices {
        let x = visible.minX &+ index
        row[index] = shader.shade(x: x, y: y, height: heights.height(x, y), normal: heights.normal(x, y))
      }
    }
    return result
  }
}

private func bounded(_ value: Double) -> Double { min(max(-1e6, value), 1e6) }

/// Alpha as a height field, with its gradients.
private struct HeightField {
  private let bounds: PixelRect
  private let levels: [Float]
  private let scale: Float

  init(_ layer: Layer, _ rect: PixelRect, scale: Float) {
    bounds = rect
    self.scale = scale
    let part = layer.extracting(rect)
    let words = pixelWords(of: part.pixels.span)
    var levels = [Float](repeating: 0, count: words.count)
    for index in words.indices { levels[index] = Float(words[index] &>> 24) * (1 / 255) }
    self.levels = levels
  }

  @inline(__always)
  func height(_ x: Int, _ y: Int) -> Float { level(x, y) * scale }

  @inline(__always)
  private func level(_ x: Int, _ y: Int) -> Float { levels[(y &- bounds.minY) &* bounds.width &+ x &- bounds.minX] }

  /// The normal, scaled to z = 1 rather than to unit length. At the edges of the region only existing pixels are used,
  /// with weights chosen so that a plane has the same normal everywhere (table in section 9.10).
  @inline(__always)
  func normal(_ x: Int, _ y: Int) -> SIMD3<Float> {
    let left = max(x &- 1, bounds.minX)
    let right = min(x &+ 1, bounds.maxX &- 1)
    let top = max(y &- 1, bounds.minY)
    let bottom = min(y &+ 1, bounds.maxY &- 1)
    var weightX: Float = 2
    var weightY: Float = 2
    var slopeX = 2 * (level(right, y) - level(left, y))
    var slopeY = 2 * (level(x, bottom) - level(x, top))
    if top < y {
      slopeX += level(right, top) - level(left, top)
      weightX += 1
    }
    if bottom > y {
      slopeX += level(right, bottom) - level(left, bottom)
      weightX += 1
    }
    if left < x {
      slopeY += level(left, bottom) - level(left, top)
      weightY += 1
    }
    if right > x {
      slopeY += level(right, bottom) - level(right, top)
      weightY += 1
    }
    let factorX = 2 / (weightX * Float(max(right &- left, 1)))
    let factorY = 2 / (weightY * Float(max(bottom &- top, 1)))
    return SIMD3(-scale * slopeX * factorX, -scale * slopeY * factorY, 1)
  }
}

/// Computes the colour of a point on the surface.
private struct LightShader {
  private let source: Lighting.Source
  private let color: SIMD3<Float>
  private let isSpecular: Bool
  private let constant: Float
  private let specularPower: PowerTable
  private let direction: SIMD3<Float>
  private let spotDirection: SIMD3<Float>
  private let spotPower: PowerTable
  /// The cosine of the limiting cone angle.
  private let coneLimit: Float

  init(_ lighting: Lighting) {
    source = lighting.source
    color = lighting.color * 255
    switch lighting.reflection {
    case .diffuse(let constant):
      isSpecular = false
      self.constant = Float(bounded(constant))
      specularPower = PowerTable(exponent: 1)
    case .specular(let constant, let exponent):
      isSpecular = true
      self.constant = Float(bounded(constant))
      specularPower = PowerTable(exponent: exponent)
    }
    var direction = SIMD3<Float>(0, 0, 1)
    var spotDirection = direction
    var spotExponent = 1.0
    var limit = -Float.infinity
    switch lighting.source {
    case .distant(let azimuth, let elevation):
      let (a, e) = (azimuth * .pi / 180, elevation * .pi / 180)
      direction = SIMD3(
        Float(ElementaryFunctions.cosine(a) * ElementaryFunctions.cosine(e)),
        Float(ElementaryFunctions.sine(a) * ElementaryFunctions.cosine(e)), Float(ElementaryFunctions.sine(e)))
    case .point: break
    case .spot(let spot):
      spotDirection = unit(spot.target - spot.position)
      spotExponent = spot.exponent
      if let angle = spot.limitingConeAngle { limit = Float(ElementaryFunctions.cosine(angle * .pi / 180)) }
    }
    self.direction = direction
    self.spotDirection = spotDirection
    spotPower = PowerTable(exponent: spotExponent)
    coneLimit = limit
  }

  @inline(__always)
  func shade(x: Int, y: Int, height: Float, normal: SIMD3<Float>) -> UInt32 {
    var light = direction
    var color = color
    switch source {
    case .distant: break
    case .point(let position): light = unit(position - SIMD3(Float(x), Float(y), height))
    case .spot(let spot):
      light = unit(spot.position - SIMD3(Float(x), Float(y), height))
      let cosine = -dot(light, spotDirection)
      color *= cosine > 0 ? spotPower[cosine] * coneShare(cosine) : 0
    }
    let factor: Float
    if isSpecular {
      let half = light + SIMD3(0, 0, 1)
      factor = constant * specularPower[dot(unit(normal), unit(half))]
    } else {
      factor = constant * dot(normal, light) / length(normal)
    }
    return word(color * factor)
  }

  /// The range of cosines in which the edge of a cone fades. It is that of browsers, and the same at every size.
  private static let coneFade: Float = 0.016

  /// The share of the light that reaches a place inside the cone, 0 at its edge.
  ///
  /// - Parameter cosine: of the angle between the light and the axis of the cone.
  @inline(__always)
  private func coneShare(_ cosine: Float) -> Float {
    min(max(0, (cosine - coneLimit) * (1 / Self.coneFade)), 1)
  }

  @inline(__always)
  private func word(_ color: SIMD3<Float>) -> UInt32 {
    func sample(_ value: Float) -> UInt32 { UInt32(roundedSample(min(max(0, value), 255))) }
    let (red, green, blue) = (sample(color.x), sample(color.y), sample(color.z))
    let alpha = isSpecular ? max(red, max(green, blue)) : 255
    return red | green &<< 8 | blue &<< 16 | alpha &<< 24
  }
}

@inline(__always)
private func dot(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float { a.x * b.x + a.y * b.y + a.z * b.z }
@inline(__always)
private func length(_ a: SIMD3<Float>) -> Float { dot(a, a).squareRoot() }
@inline(__always)
private func unit(_ a: SIMD3<Float>) -> SIMD3<Float> {
  let length = length(a)
  return length > 0 && length < .infinity ? a * (1 / length) : SIMD3(0, 0, 1)
}

/// Powers of numbers in 0…1, interpolated linearly from a table.
private struct PowerTable {
  private let values: [Float]
  private let last: Float

  init(exponent: Double) {
    // With the exponent 1, the powers are on the line from 0 to 1.
    let count = exponent == 1 ? 1 : 4096
    values = (0...count + 1).map { index in
      Float(ElementaryFunctions.power(min(Double(index) / Double(count), 1), exponent))
    }
    last = Float(count)
  }

  /// The power of a number; negative numbers and NaN are treated as 0.
  @inline(__always)
  subscript(value: Float) -> Float {
    let scaled = min(max(0, value), 1) * last
    let index = Int(scaled)
    let fraction = scaled - Float(index)
    return values[index] + (values[index &+ 1] - values[index]) * fraction
  }
}
