// From XYB to the colour encoding of the image (ISO/IEC 18181-1, L.2).

internal import ImageCoding

/// Converts the colours of a frame that is coded in XYB.
struct XYBStage: Sendable {
  private let biases: [Float]
  private let cubeRoots: [Float]
  /// From LMS to linear light of the target, as fractions of full scale: three rows.
  private let matrix: [Float]
  private let transfer: TransferCurve
  private let opticalTransfer: HLGOpticalTransfer?

  init(_ image: ImageHeader) {
    let opsin = image.transform.opsin
    biases = opsin.biases
    cubeRoots = opsin.biases.map { bias in
      let root = Float(ElementaryFunctions.power(Double(abs(bias)), 1.0 / 3))
      return bias < 0 ? -root : root
    }
    let encoding = image.outputEncoding
    let intensity = Double(image.toneMapping.intensityTarget)
    let conversion = PrimariesConversion.fromLinearSRGB(to: encoding)
    let inverse = opsin.matrix.map { Double($0) * 255 / intensity }
    matrix = PrimariesConversion.product(conversion, inverse).map { Float($0) }
    transfer = TransferCurve(TransferEncoder(encoding.transfer, intensityTarget: intensity))
    opticalTransfer =
      encoding.transfer == .codePoint(18)
      ? HLGOpticalTransfer(encoding, intensityTarget: intensity) : nil
  }

  var unitsPerSample: Int { 1 + transfer.unitsPerSample + (opticalTransfer == nil ? 0 : 50) }

  func convert(
    _ first: inout MutableSpan<Float>, _ second: inout MutableSpan<Float>, _ third: inout MutableSpan<Float>, count: Int
  ) {
    linearize(&first, &second, &third, count)
    transfer.encode(&first, count: count)
    transfer.encode(&second, count: count)
    transfer.encode(&third, count: count)
  }

  /// Converts a row to linear light.
  private func linearize(
    _ first: inout MutableSpan<Float>, _ second: inout MutableSpan<Float>, _ third: inout MutableSpan<Float>,
    _ count: Int
  ) {
    let opsin = OpsinVectors(self)
    var index = 0
    while index &+ 8 <= count {
      let light = opsin.light(
        loadVector(first, at: index), loadVector(second, at: index), loadVector(third, at: index))
      storeVector(light.0, into: &first, at: index)
      storeVector(light.1, into: &second, at: index)
      storeVector(light.2, into: &third, at: index)
      index &+= 8
    }
    for index in index..<max(index, count) {
      let light = opsin.light(
        FloatVector(repeating: first[index]), FloatVector(repeating: second[index]),
        FloatVector(repeating: third[index]))
      (first[index], second[index], third[index]) = (light.0[0], light.1[0], light.2[0])
    }
    guard let opticalTransfer else { return }
    for index in 0..<count {
      let light = opticalTransfer.sceneLight(SIMD3(first[index], second[index], third[index]))
      (first[index], second[index], third[index]) = (light.x, light.y, light.z)
    }
  }
}

extension XYBStage {
  /// The conversion to linear light for vectors.
  private struct OpsinVectors {
    private let a, b, c, roots, bias: SIMD3<Float>

    @inline(__always)
    init(_ stage: XYBStage) {
      let (matrix, cubeRoots, biases) = (stage.matrix, stage.cubeRoots, stage.biases)
      a = SIMD3(matrix[0], matrix[1], matrix[2])
      b = SIMD3(matrix[3], matrix[4], matrix[5])
      c = SIMD3(matrix[6], matrix[7], matrix[8])
      roots = SIMD3(cubeRoots[0], cubeRoots[1], cubeRoots[2])
      bias = SIMD3(biases[0], biases[1], biases[2])
    }

    @inline(__always)
    func light(_ x: FloatVector, _ y: FloatVector, _ third: FloatVector) -> (FloatVector, FloatVector, FloatVector) {
      let (l, m, s) = (y + x - roots.x, y - x - roots.y, third - roots.z)
      let (long, middle, short) = (l * l * l + bias.x, m * m * m + bias.y, s * s * s + bias.z)
      return (
        long * a.x + middle * a.y + short * a.z, long * b.x + middle * b.y + short * b.z,
        long * c.x + middle * c.y + short * c.z
      )
    }
  }

  /// Whether ``writePixels(_:_:count:into:)`` applies.
  var writesPixels: Bool { transfer.isSRGB && opticalTransfer == nil }

  /// Converts samples to interleaved sRGB of 8 bits in one step: the same pixels as those of rows that are converted and
  /// then interleaved.
  ///
  /// - Parameter starts: the indices of the first samples. Up to seven samples after the last ones are read.
  func writePixels(
    _ samples: Span<Float>, _ starts: (Int, Int, Int), count: Int, into pixels: inout MutableSpan<UInt8>
  ) {
    let opsin = OpsinVectors(self)
    @inline(__always)
    func encoded(at x: Int) -> (FloatVector, FloatVector, FloatVector) {
      let light = opsin.light(
        loadVector(samples, at: starts.0 &+ x), loadVector(samples, at: starts.1 &+ x),
        loadVector(samples, at: starts.2 &+ x))
      return (
        SRGBCurve.encode(PixelInterleaving.clamped(light.0)), SRGBCurve.encode(PixelInterleaving.clamped(light.1)),
        SRGBCurve.encode(PixelInterleaving.clamped(light.2))
      )
    }
    var x = 0
    while x &+ 8 <= count {
      let (red, green, blue) = encoded(at: x)
      PixelInterleaving.store(red, green, blue, into: &pixels, at: 3 &* x)
      x &+= 8
    }
    guard x < count else { return }
    var rest = [UInt8](repeating: 0, count: 24)
    let (red, green, blue) = encoded(at: x)
    var all = rest.mutableSpan
    PixelInterleaving.store(red, green, blue, into: &all, at: 0)
    for index in 0..<3 &* (count &- x) { pixels[3 &* x &+ index] = all[index] }
  }
}

extension ImageHeader {
  /// The colour encoding of the decoded pixels. Conversion to an embedded profile needs colour management: images in XYB
  /// that have one are decoded to linear sRGB.
  var outputEncoding: ColorEncoding { isXYB && colorEncoding.hasICCProfile ? .linearSRGB : colorEncoding }
}
