// Combines coverage and colours with the pixels of a layer.

/// Draws coverage runs into a layer.
struct LayerSink: CoverageSink {
  /// The layer; retrieved once all rows have been drawn.
  private(set) var surface: DrawingSurface
  private let region: PixelRect
  private let shader: Shader
  /// The pixel of a single-colour paint composited with plain source-over. Asking the shader for it in every row would
  /// cost more than the row.
  private let solid: UInt32?
  private let blendMode: BlendMode
  private let compositeOperator: CompositeOperator
  private let mask: Mask?
  /// The factor for a full-opacity shader; the fast paths include the opacity in their shaders.
  private let weight: Float
  private var shaded: [UInt32] = []
  private var masked: [UInt8] = []

  /// - Parameter region: the rectangle whose corner is the origin of rows and columns. It is inside the layer and, if
  ///   there is a mask, inside the mask.
  init(surface: consuming DrawingSurface, region: PixelRect, shader: Shader, compositing: Compositing) {
    self.surface = surface
    self.region = region
    self.shader = shader
    blendMode = compositing.blendMode
    compositeOperator = compositing.compositeOperator
    mask = compositing.clip?.mask
    weight = compositing.isPlain ? 1 : Float(min(max(0, compositing.opacity), 1))
    if case .solid(let word) = shader, compositing.isPlain {
      solid = word
    } else {
      solid = nil
      shaded = [UInt32](repeating: 0, count: region.width)
    }
    if mask != nil { masked = [UInt8](repeating: 0, count: region.width) }
  }

  private var isPlain: Bool { blendMode == .normal && compositeOperator == .over }

  mutating func consume(y: Int, runs: Span<CoverageRun>, coverage: Span<UInt8>) {
    guard let mask else {
      draw(y: y, runs: runs, coverage: coverage)
      return
    }
    let first = (region.minY + y - mask.bounds.minY) * mask.bounds.width + region.minX - mask.bounds.minX
    let maskRow = mask.coverage.span.extracting(first..<first + region.width)
    if isFull(maskRow, runs) {
      draw(y: y, runs: runs, coverage: coverage)
      return
    }
    // All runs now have individual coverage: the product with the mask.
    var product = masked
    masked = []
    var maskedRuns: [CoverageRun] = []
    var target = product.mutableSpan
    for index in runs.indices {
      var run = runs[index]
      let solid = UInt32(run.solid)
      for column in Int(run.x)..<Int(run.x &+ run.count) {
        let amount = solid == 0 ? UInt32(coverage[column]) : solid
        target[column] = product8(amount, UInt32(maskRow[column]))
      }
      run.solid = 0
      maskedRuns.append(run)
    }
    draw(y: y, runs: maskedRuns.span, coverage: product.span)
    masked = product
  }

  @inline(__always)
  private mutating func draw(y: Int, runs: Span<CoverageRun>, coverage: Span<UInt8>) {
    if let word = solid {
      surface.draw(word, y: region.minY &+ y, of: region, runs, coverage)
      return
    }
    var colors = shaded
    shaded = []
    let (shader, region, isPlain) = (shader, region, isPlain)
    let (blendMode, compositeOperator, weight) = (blendMode, compositeOperator, weight)
    surface.withRow(region.minY &+ y, of: region) { row in
      for index in runs.indices {
        let run = runs[index]
        var scratch = colors.mutableSpan
        var part = scratch._mutatingExtracting(0..<Int(run.count))
        shader.shade(x: region.minX &+ Int(run.x), y: region.minY &+ y, into: &part)
        let pixels = colors.span.extracting(0..<Int(run.count))
        let amounts = coverage.extracting(Int(run.x)..<Int(run.x &+ run.count))
        if isPlain {
          var target = row._mutatingExtracting(Int(run.x)..<Int(run.x &+ run.count))
          if run.solid != 0 {
            compositeRow(&target, with: pixels, amount: UInt32(run.solid))
          } else {
            compositeRow(&target, with: pixels, coverage: amounts)
          }
        } else {
          mixRow(&row, run, pixels, amounts, weight, blendMode, compositeOperator)
        }
      }
    }
    shaded = colors
  }
}

/// Whether a mask covers all runs of a row fully.
private func isFull(_ mask: Span<UInt8>, _ runs: Span<CoverageRun>) -> Bool {
  for index in runs.indices {
    let run = runs[index]
    if !isFull(mask.extracting(Int(run.x)..<Int(run.x &+ run.count))) { return false }
  }
  return true
}

/// round(a · b / 255).
@inline(__always)
func product8(_ a: UInt32, _ b: UInt32) -> UInt8 {
  let product = a &* b &+ 128
  return UInt8(truncatingIfNeeded: (product &+ (product &>> 8)) &>> 8)
}

/// Draws pixels with any blend mode and operator. Coverage interpolates between the result and the backdrop.
func mixRow(
  _ row: inout MutableSpan<UInt32>, _ run: CoverageRun, _ pixels: Span<UInt32>, _ coverage: Span<UInt8>,
  _ opacity: Float, _ blendMode: BlendMode, _ compositeOperator: CompositeOperator
) {
  var target = row._mutatingExtracting(Int(run.x)..<Int(run.x &+ run.count))
  for index in target.indices {
    let amount = run.solid == 0 ? UInt32(coverage[index]) : UInt32(run.solid)
    if amount == 0 { continue }
    let backdrop = floatPixel(target[index])
    let source = floatPixel(pixels[index])
    let result =
      compositeOperator == .over
      ? blendMode.blend(source, backdrop) : compositeOperator.composite(source, backdrop)
    let weight = Float(amount) * (1 / 255) * opacity
    target[index] = pixelWord(weight == 1 ? result : backdrop + (result - backdrop) * weight)
  }
}
