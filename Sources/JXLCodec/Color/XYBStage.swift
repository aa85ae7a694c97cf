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
    let (a, b, c) = (
      SIMD3(matrix[0], matrix[1], matrix[2]), SIMD3(matrix[3], matrix[4], matrix[5]),
      SIMD3(matrix[6], matrix[7], matrix[8])
    )
    let roots = SIMD3(cubeRoots[0], cubeRoots[1], cubeRoots[2])
    let bias = SIMD3(biases[0], biases[1], biases[2])
    var index = 0
    while index &+ 8 <= count {
      let (x, y) = (loadVector(first, at: index), loadVector(second, at: index))
      let (l, m, s) = (y + x - roots.x, y - x - roots.y, loadVector(third, at: index) - roots.z)
      let (long, middle, short) = (l * l * l + bias.x, m * m * m + bias.y, s * s * s + bias.z)
      storeVector(long * a.x + middle * a.y + short * a.z, into: &first, at: index)
      storeVector(long * b.x + middle * b.y + short * b.z, into: &second, at: index)
      storeVector(long * c.x + middle * c.y + short * c.z, into: &third, at: index)
      index &+= 8
    }
    for index in index..<max(index, count) {
      let (x, y) = (first[index], second[index])
      let (l, m, s) = (y + x - roots.x, y - x - roots.y, third[index] - roots.z)
      let (long, middle, short) = (l * l * l + bias.x, m * m * m + bias.y, s * s * s + bias.z)
      first[index] = long * a.x + middle * a.y + short * a.z
      second[index] = long * b.x + middle * b.y + short * b.z
      third[index] = long * c.x + middle * c.y + short * c.z
    }
    guard let opticalTransfer else { return }
    for index in 0..<count {
      let light = opticalTransfer.sceneLight(SIMD3(first[index], second[index], third[index]))
      (first[index], second[index], third[index]) = (light.x, light.y, light.z)
    }
  }
}

extension ImageHeader {
  /// The colour encoding of the decoded pixels. Conversion to an embedded profile needs colour management: images in XYB
  /// that have one are decoded to linear sRGB.
  var outputEncoding: ColorEncoding { isXYB && colorEncoding.hasICCProfile ? .linearSRGB : colorEncoding }
}
