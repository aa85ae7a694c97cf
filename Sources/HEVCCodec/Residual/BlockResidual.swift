// Residuals of a transform block, from coefficients to samples (section 8.6.2).

internal import ImageCore

/// Where a block is in a picture's samples.
struct SamplePlace {
  var index: Int
  var stride: Int
  var log2Size: Int
}

@inline(__always)
private func clear(_ values: inout [Int16], count: Int) { fill(&values, count: count, 0) }

@inline(__always)
private func fill(_ values: inout [Int16], count: Int, _ value: Int16) {
  var span = values.mutableSpan
  for index in 0..<count { span[index] = value }
}

@inline(__always)
private func addBlock(_ residuals: [Int16], to samples: inout [UInt16], _ place: SamplePlace, bitDepth: Int) {
  var target = samples.mutableSpan
  addResiduals(
    residuals.span, to: &target, at: place.index, stride: place.stride, log2Size: place.log2Size, bitDepth: bitDepth)
}

@inline(__always)
private func readBlock(
  _ cabac: inout CABACDecoder, _ models: inout ContextModels, _ bytes: Span<UInt8>, _ block: ResidualBlock,
  _ tools: ResidualTools, _ weights: [UInt8], at start: Int, into coefficients: inout [Int16]
) -> ResidualExtent {
  var target = coefficients.mutableSpan
  return readResidual(
    &cabac, &models, bytes, block, tools, weights: weights.span.extracting(start..<weights.count), into: &target)
}

@inline(__always)
private func invertSmallBlock(_ coefficients: [Int16], into residuals: inout [Int16], isSine: Bool, bitDepth: Int) {
  var target = residuals.mutableSpan
  invertSmallTransform(coefficients.span, into: &target, isSine: isSine, bitDepth: bitDepth)
}

@inline(__always)
private func invertBlock(
  _ coefficients: [Int16], _ scratch: inout [Int16], into residuals: inout [Int16], log2Size: Int,
  _ extent: ResidualExtent, bitDepth: Int
) {
  var target = residuals.mutableSpan
  var scratch = scratch.mutableSpan
  invertTransform(
    coefficients.span, &scratch, into: &target, log2Size: log2Size, columnCount: extent.columnCount,
    rowCount: extent.rowCount, bitDepth: bitDepth)
}

extension PictureDecoder {
  /// Reads the residuals of a block and adds them to its prediction.
  ///
  /// - Parameters:
  ///   - x, y: of the block, in samples of the component.
  ///   - mode: of the prediction.
  ///   - isCoded: whether there are coefficients.
  ///   - lumaScale: the eighths of luma's residuals that are added.
  mutating func decodeResidual(
    _ component: Int, x: Int, y: Int, log2Size: Int, mode: Int, isCoded: Bool = true, lumaScale: Int = 0,
    _ bytes: Span<UInt8>
  ) {
    let place = SamplePlace(
      index: buffer.index(component, x: x, y: y), stride: buffer.strides[component], log2Size: log2Size)
    let block = residualBlock(component, log2Size: log2Size, mode: mode)
    if parameters.isWide {
      decodeWideResidual(block, mode: mode, isCoded: isCoded, lumaScale: lumaScale, bytes)
      wide.add(to: &buffer.samples, place, bitDepth: parameters.bitDepth)
      return
    }
    if isCoded {
      let extent = readCoefficients(block, bytes)
      invert(block, extent, mode: mode)
    } else {
      clear(&residuals, count: 1 &<< (2 &* log2Size))
    }
    if lumaScale != 0 { addLumaResiduals(scale: lumaScale, log2Size: log2Size) }
    addBlock(residuals, to: &buffer.samples, place, bitDepth: parameters.bitDepth)
  }

  @inline(__always)
  private func residualBlock(_ component: Int, log2Size: Int, mode: Int) -> ResidualBlock {
    var block = ResidualBlock()
    block.log2Size = log2Size
    block.component = component
    if log2Size == 2 || log2Size == 3 && (component == 0 || parameters.chromaType == 3) {
      block.scan = (6...14).contains(mode) ? 2 : (22...30).contains(mode) ? 1 : 0
    }
    block.isStraight = mode == 10 || mode == 26
    block.isBypass = unit.isBypass
    (block.scale, block.shift) = scaling(component, log2Size: log2Size)
    block.hasWeights = parameters.hasWeights
    return block
  }

  /// Residuals of samples of more than 12 bits.
  private mutating func decodeWideResidual(
    _ block: ResidualBlock, mode: Int, isCoded: Bool, lumaScale: Int, _ bytes: Span<UInt8>
  ) {
    let log2Size = block.log2Size
    if isCoded {
      let extent = readCoefficients(block, bytes)
      if block.isBypass || extent.isTransformSkipped {
        copySpatialResiduals(coefficients, into: &wide.residuals, spatialForm(block, mode: mode))
        clear(&coefficients, count: 1 &<< (2 &* log2Size))
      } else if extent.isFirstOnly, log2Size > 2 {
        wide.setConstant(coefficients[0], log2Size: log2Size, bitDepth: parameters.bitDepth)
        coefficients[0] = 0
      } else {
        wide.invertTransform(
          coefficients, &transformScratch, log2Size: log2Size, columnCount: extent.columnCount,
          rowCount: extent.rowCount, isSine: log2Size == 2 && block.component == 0, bitDepth: parameters.bitDepth)
        clear(&coefficients, count: extent.rowCount &<< log2Size)
      }
    } else {
      wide.clear(log2Size: log2Size)
    }
    if lumaScale != 0 { wide.addLuma(scale: lumaScale, log2Size: log2Size) }
  }

  private func spatialForm(_ block: ResidualBlock, mode: Int) -> SpatialForm {
    var form = SpatialForm(log2Size: block.log2Size, isBypass: block.isBypass, bitDepth: parameters.bitDepth)
    form.isRotated = parameters.rotatesSkippedTransforms && block.log2Size == 2
    if parameters.tools.hasImplicitRDPCM, block.isStraight { form.distance = mode == 26 ? 1 &<< block.log2Size : 1 }
    return form
  }

  @inline(__always)
  private mutating func readCoefficients(_ block: ResidualBlock, _ bytes: Span<UInt8>) -> ResidualExtent {
    let start = ((block.log2Size &- 2) &* 3 &+ block.component) &* ScalingLists.blockByteCount
    return readBlock(
      &cabac, &models, bytes, block, parameters.tools, weights, at: block.hasWeights ? start : 0, into: &coefficients)
  }

  /// Turns coefficients into residuals, and zeroes them.
  @inline(__always)
  private mutating func invert(_ block: ResidualBlock, _ extent: ResidualExtent, mode: Int) {
    let log2Size = block.log2Size
    if block.isBypass || extent.isTransformSkipped {
      copySpatialResiduals(coefficients, into: &residuals, spatialForm(block, mode: mode))
      clear(&coefficients, count: 1 &<< (2 &* log2Size))
    } else if log2Size == 2 {
      invertSmallBlock(coefficients, into: &residuals, isSine: block.component == 0, bitDepth: parameters.bitDepth)
      clear(&coefficients, count: 16)
    } else if extent.isFirstOnly {
      fill(&residuals, count: 1 &<< (2 &* log2Size), constantResidual(Int32(coefficients[0]), parameters.bitDepth))
      coefficients[0] = 0
    } else {
      invertBlock(
        coefficients, &transformScratch, into: &residuals, log2Size: log2Size, extent, bitDepth: parameters.bitDepth)
      clear(&coefficients, count: extent.rowCount &<< log2Size)
    }
  }

  // MARK: Cross-component prediction

  /// Keeps the residuals of luma for those of chroma.
  mutating func keepLumaResiduals(log2Size: Int) {
    if parameters.isWide {
      wide.keepLuma(log2Size: log2Size)
      return
    }
    for index in 0..<1 << (2 * log2Size) { lumaResiduals[index] = residuals[index] }
  }

  /// Section 8.6.6: residual modification with luma.
  private mutating func addLumaResiduals(scale: Int, log2Size: Int) {
    for index in 0..<1 << (2 * log2Size) {
      let addend = (Int32(truncatingIfNeeded: scale) &* Int32(lumaResiduals[index])) &>> 3
      residuals[index] = Int16(truncatingIfNeeded: Int32(residuals[index]) &+ addend)
    }
  }
}
