// Film grain synthesis (section 7.18.3): noise that is added to a frame when it is shown.

internal import ImageCoding

/// Pseudo-random numbers (section 7.18.3.2).
struct GrainRandom {
  /// `RandomRegister`.
  var register: Int

  /// The next number of some bits.
  mutating func next(_ bitCount: Int) -> Int {
    let bit = (register ^ register >> 1 ^ register >> 3 ^ register >> 12) & 1
    register = register >> 1 | bit << 15
    return register >> (16 - bitCount) & (1 << bitCount - 1)
  }
}

/// The noise of one plane, from which blocks are taken.
struct GrainTemplate {
  let width: Int
  let height: Int
  var values: [Int32]

  static let lumaWidth = 82
  static let lumaHeight = 73
  private static let border = 3

  /// White noise, or zeros if `isEmpty` (section 7.18.3.3).
  init(width: Int, height: Int, _ random: inout GrainRandom, isEmpty: Bool, shift: Int) {
    (self.width, self.height) = (width, height)
    values = [Int32](repeating: 0, count: width * height)
    guard !isEmpty else { return }
    let sequence = GrainNoise.shared.values
    for index in values.indices {
      values[index] = Int32(rounded(Int(sequence[random.next(11) & 2047]), shift))
    }
  }

  /// Applies the autoregressive filter.
  ///
  /// - Parameter luma: what the last coefficient multiplies; `nil` for none.
  mutating func filter(
    _ coefficients: [Int], lag: Int, shift: Int, range: ClosedRange<Int>, luma: ((_ x: Int, _ y: Int) -> Int)?
  ) {
    for y in Self.border..<height {
      for x in Self.border..<width - Self.border {
        var sum = 0
        var index = 0
        for row in y - lag...y {
          for column in x - lag..<(row == y ? x : x + lag + 1) where index < coefficients.count {
            sum += Int(values[row * width + column]) * coefficients[index]
            index += 1
          }
        }
        if let luma, index < coefficients.count { sum += luma(x, y) * coefficients[index] }
        let value = Int(values[y * width + x]) + rounded(sum, shift)
        values[y * width + x] = Int32(min(max(value, range.lowerBound), range.upperBound))
      }
    }
  }
}

/// `Gaussian_Sequence`.
struct GrainNoise: Sendable {
  static let shared = GrainNoise()

  let values: [Int16]

  private init() {
    let encoded = Array(GaussianSequence.encoded.utf8)
    let bytes = Base64.decode(encoded.span) ?? []
    values = (0..<2048).map { Int16(bitPattern: UInt16(bytes[$0 * 2]) | UInt16(bytes[$0 * 2 + 1]) << 8) }
  }
}

/// The scale of noise for each sample value (section 7.18.3.4).
struct GrainScale {
  private var table = [Int](repeating: 0, count: 257)
  private let shift: Int

  init(_ points: [FilmGrainParameters.Point], bitDepth: Int) {
    shift = bitDepth - 8
    guard let first = points.first, let last = points.last else { return }
    for value in 0..<first.value { table[value] = first.scale }
    for (point, next) in zip(points, points.dropFirst()) {
      let (width, height) = (next.value - point.value, next.scale - point.scale)
      let slope = height * ((65536 + width >> 1) / width)
      for x in 0..<width { table[point.value + x] = point.scale + (x * slope + 32768) >> 16 }
    }
    for value in last.value..<257 { table[value] = last.scale }
  }

  /// `scale_lut`.
  @inline(__always)
  func scale(_ value: Int) -> Int {
    let index = value >> shift
    guard shift > 0, index < 255 else { return table[index] }
    let remainder = value - index << shift
    return table[index] + rounded((table[index + 1] - table[index]) * remainder, shift)
  }
}

/// Adds film grain to a frame.
struct FilmGrainSynthesis {
  private let grain: FilmGrainParameters
  private let parameters: FrameParameters
  private let isIdentity: Bool
  private var templates: [GrainTemplate] = []
  private let range: ClosedRange<Int>

  /// Rows and columns of the blocks of noise, without those that overlap the next one.
  private static let blockSize = 32

  /// The memory of a synthesis in addition to the frame.
  static func byteCount(width: Int) -> Int { 3 * 82 * 73 * 4 + 3 * (width + 64) * 34 * 4 }

  init(_ grain: FilmGrainParameters, _ parameters: FrameParameters, isIdentity: Bool) {
    (self.grain, self.parameters, self.isIdentity) = (grain, parameters, isIdentity)
    let center = 128 << (parameters.bitDepth - 8)
    let range = -center...center - 1
    self.range = range
    let shift = 12 - parameters.bitDepth + grain.grainShift
    var random = GrainRandom(register: grain.seed)
    var luma = GrainTemplate(
      width: GrainTemplate.lumaWidth, height: GrainTemplate.lumaHeight, &random, isEmpty: grain.points[0].isEmpty,
      shift: shift)
    luma.filter(grain.coefficients[0], lag: grain.lag, shift: grain.coefficientShift, range: range, luma: nil)
    templates.append(luma)
    guard parameters.planeCount > 1 else { return }
    let (shiftX, shiftY) = (parameters.subsamplingX, parameters.subsamplingY)
    for plane in 1...2 {
      random = GrainRandom(register: grain.seed ^ (plane == 1 ? 0xB524 : 0x49D8))
      var chroma = GrainTemplate(
        width: shiftX == 1 ? 44 : 82, height: shiftY == 1 ? 38 : 73, &random, isEmpty: !grain.applies(to: plane),
        shift: shift)
      let mean = { (x: Int, y: Int) -> Int in
        let first = ((y - 3) << shiftY + 3) * luma.width + (x - 3) << shiftX + 3
        var sum = 0
        for row in 0...shiftY {
          for column in 0...shiftX { sum += Int(luma.values[first + row * luma.width + column]) }
        }
        return rounded(sum, shiftX + shiftY)
      }
      chroma.filter(
        grain.coefficients[plane], lag: grain.lag, shift: grain.coefficientShift, range: range,
        luma: grain.points[0].isEmpty ? nil : mean)
      templates.append(chroma)
    }
  }

  /// Adds noise to all planes (section 7.18.3.5).
  func apply(_ buffer: inout SampleBuffer, _ interruption: Interruption) throws(CodecError) {
    let depthShift = parameters.bitDepth - 8
    let isClipped = grain.isClippedToLimitedRange
    let minimum = isClipped ? 16 << depthShift : 0
    let lumaMaximum = isClipped ? 235 << depthShift : 256 << depthShift - 1
    let chromaMaximum = isClipped && !isIdentity ? 240 << depthShift : lumaMaximum
    // Chroma first, since its scale depends on luma without noise.
    for plane in (0..<parameters.planeCount).reversed() where grain.applies(to: plane) {
      try addNoise(plane, minimum...(plane == 0 ? lumaMaximum : chromaMaximum), &buffer, interruption)
    }
  }

  private func addNoise(
    _ plane: Int, _ limits: ClosedRange<Int>, _ buffer: inout SampleBuffer, _ interruption: Interruption
  ) throws(CodecError) {
    let (shiftX, shiftY) = parameters.shifts(plane)
    let width = (parameters.size.width + shiftX) >> shiftX
    let height = (parameters.size.height + shiftY) >> shiftY
    let usesLumaPoints = plane == 0 || grain.scalesChromaByLuma
    let scale = GrainScale(grain.points[usesLumaPoints ? 0 : plane], bitDepth: parameters.bitDepth)
    let rowsPerStripe = Self.blockSize >> shiftY
    var previous: [Int32] = []
    var current: [Int32] = []
    for y in 0..<height {
      try interruption.check(row: y, width: width)
      let row = y % rowsPerStripe
      if row == 0 {
        swap(&previous, &current)
        current = noiseStripe(plane, y / rowsPerStripe, width: width)
      }
      let first = buffer.index(plane, x: 0, y: y)
      let lumaRow = buffer.index(0, x: 0, y: y << shiftY)
      var samples = buffer.samples.mutableSpan
      for x in 0..<width {
        var noise = Int(current[row * width + x])
        if grain.hasOverlap, y >= rowsPerStripe, row < 2 >> shiftY {
          noise = blended(Int(previous[(row + rowsPerStripe) * width + x]), noise, row, isSubsampled: shiftY == 1)
        }
        let original = Int(samples[first + x])
        var index = original
        if plane > 0 {
          let column = x << shiftX
          let next = min(column + 1, parameters.size.width - 1)
          let luma =
            shiftX == 1
            ? (Int(samples[lumaRow + column]) + Int(samples[lumaRow + next]) + 1) >> 1 : Int(samples[lumaRow + column])
          index = grain.scalesChromaByLuma ? luma : mixed(plane, chroma: original, luma: luma)
        }
        let value = original + rounded(scale.scale(index) * noise, grain.scalingShift)
        samples[first + x] = UInt16(truncatingIfNeeded: min(max(value, limits.lowerBound), limits.upperBound))
      }
    }
  }

  /// The selection of the scale of a chroma sample's noise.
  private func mixed(_ plane: Int, chroma: Int, luma: Int) -> Int {
    let mixing = plane == 1 ? grain.mixing.cb : grain.mixing.cr
    let sum = (luma * mixing.luma + chroma * mixing.chroma) >> 6 + mixing.offset << (parameters.bitDepth - 8)
    return min(max(sum, 0), 1 << parameters.bitDepth - 1)
  }

  /// The mean of the noise of two blocks where they overlap.
  private func blended(_ old: Int, _ new: Int, _ index: Int, isSubsampled: Bool) -> Int {
    let (oldWeight, newWeight) = isSubsampled ? (23, 22) : index == 0 ? (27, 17) : (17, 27)
    return min(max(rounded(old * oldWeight + new * newWeight, 5), range.lowerBound), range.upperBound)
  }

  /// The noise of 34 luma rows, of which the last two overlap the next stripe.
  private func noiseStripe(_ plane: Int, _ number: Int, width: Int) -> [Int32] {
    let (shiftX, shiftY) = parameters.shifts(plane)
    let template = templates[plane]
    let (rowCount, columnCount) = (34 >> shiftY, 34 >> shiftX)
    var noise = [Int32](repeating: 0, count: rowCount * width)
    var random = GrainRandom(register: grain.seed)
    random.register ^= ((number * 37 + 178) & 255) << 8
    random.register ^= (number * 173 + 105) & 255
    for block in stride(from: 0, to: (parameters.size.width + 1) / 2, by: Self.blockSize / 2) {
      let offsets = random.next(8)
      let offsetX = shiftX == 1 ? 6 + offsets >> 4 : 9 + (offsets >> 4) * 2
      let offsetY = shiftY == 1 ? 6 + offsets & 15 : 9 + (offsets & 15) * 2
      let start = shiftX == 1 ? block : block * 2
      for row in 0..<rowCount {
        for column in 0..<columnCount where start + column < width {
          var value = Int(template.values[(offsetY + row) * template.width + offsetX + column])
          let index = row * width + start + column
          if grain.hasOverlap, block > 0, column < 2 >> shiftX {
            value = blended(Int(noise[index]), value, column, isSubsampled: shiftX == 1)
          }
          noise[index] = Int32(value)
        }
      }
    }
    return noise
  }
}
