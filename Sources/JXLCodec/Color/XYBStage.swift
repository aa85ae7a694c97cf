// From XYB to the colour encoding of the image (ISO/IEC 18181-1, L.2).

internal import ImageCoding

/// Converts the colours of a frame that is coded in XYB.
struct XYBStage: RowStage {
  private let biases: [Float]
  private let cubeRoots: [Float]
  /// From LMS to linear light of the target, as fractions of full scale: three rows.
  private let matrix: [Float]
  private let transfer: TransferTable
  private let opticalTransfer: HLGOpticalTransfer?

  init(_ image: ImageHeader, sampleCount: Int) {
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
    transfer = TransferTable(
      TransferEncoder(encoding.transfer, intensityTarget: intensity), sampleCount: 3 * sampleCount)
    opticalTransfer =
      encoding.transfer == .codePoint(18)
      ? HLGOpticalTransfer(encoding, intensityTarget: intensity) : nil
  }

  let unitsPerSample = 15

  func process(row y: Int, of frame: inout RenderedFrame) {
    frame.withColorRows(y) { first, second, third in
      linearize(&first, &second, &third)
      transfer.encode(&first)
      transfer.encode(&second)
      transfer.encode(&third)
    }
  }

  /// Converts a row to linear light.
  private func linearize(
    _ first: inout MutableSpan<Float>, _ second: inout MutableSpan<Float>, _ third: inout MutableSpan<Float>
  ) {
    let (a, b, c) = (
      SIMD3(matrix[0], matrix[1], matrix[2]), SIMD3(matrix[3], matrix[4], matrix[5]),
      SIMD3(matrix[6], matrix[7], matrix[8])
    )
    let (root0, root1, root2) = (cubeRoots[0], cubeRoots[1], cubeRoots[2])
    let (bias0, bias1, bias2) = (biases[0], biases[1], biases[2])
    for index in 0..<min(first.count, second.count, third.count) {
      let (x, y) = (first[index], second[index])
      let (l, m, s) = (y + x - root0, y - x - root1, third[index] - root2)
      let (long, middle, short) = (l * l * l + bias0, m * m * m + bias1, s * s * s + bias2)
      first[index] = a.x * long + a.y * middle + a.z * short
      second[index] = b.x * long + b.y * middle + b.z * short
      third[index] = c.x * long + c.y * middle + c.z * short
    }
    guard let opticalTransfer else { return }
    for index in 0..<first.count {
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
