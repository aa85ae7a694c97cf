// From XYB to the colour encoding of the image (ISO/IEC 18181-1, L.2).

internal import ImageCoding

/// Converts the colours of a frame that is coded in XYB.
struct XYBStage: RowStage {
  private let biases: [Float]
  private let cubeRoots: [Float]
  /// From LMS to linear light of the target, as fractions of full scale: three rows.
  private let matrix: [Float]
  private let transfer: TransferEncoder
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
    transfer = TransferEncoder(encoding.transfer, intensityTarget: intensity)
    opticalTransfer =
      encoding.transfer == .codePoint(18)
      ? HLGOpticalTransfer(encoding, intensityTarget: intensity) : nil
  }

  let unitsPerSample = 40

  func process(row y: Int, of frame: inout RenderedFrame) {
    let start = y * frame.width
    for index in start..<start + frame.width {
      let (x, y, b) = (frame.planes[0][index], frame.planes[1][index], frame.planes[2][index])
      let (l, m, s) = (y + x - cubeRoots[0], y - x - cubeRoots[1], b - cubeRoots[2])
      let long = l * l * l + biases[0]
      let middle = m * m * m + biases[1]
      let short = s * s * s + biases[2]
      var light = SIMD3<Float>()
      for row in 0..<3 {
        light[row] = matrix[3 * row] * long + matrix[3 * row + 1] * middle + matrix[3 * row + 2] * short
      }
      if let opticalTransfer { light = opticalTransfer.sceneLight(light) }
      for row in 0..<3 { frame.planes[row][index] = transfer.encode(light[row]) }
    }
  }
}

extension ImageHeader {
  /// The colour encoding of the decoded pixels. Conversion to an embedded profile needs colour management: images in XYB
  /// that have one are decoded to linear sRGB.
  var outputEncoding: ColorEncoding { isXYB && colorEncoding.hasICCProfile ? .linearSRGB : colorEncoding }
}
