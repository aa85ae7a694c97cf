// Residuals of a transform block, from coefficients to samples (section 8.6.2).

internal import ImageCoding

/// The place of a block in a picture's samples.
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

extension BlockReconstruction {
  /// Adds the residuals of a block to its prediction.
  ///
  /// - Parameters:
  ///   - extent: of the ``coefficients``, which are zero afterwards; `nil` if there are none.
  ///   - lumaScale: the eighths of luma's residuals that are added.
  ///   - x, y: of the block, in samples of the component.
  mutating func addResidual(
    _ block: ResidualBlock, _ extent: ResidualExtent?, lumaScale: Int, x: Int, y: Int, to samples: inout SampleBuffer
  ) {
    let place = SamplePlace(
      index: samples.index(block.component, x: x, y: y), stride: samples.strides[block.component],
      log2Size: block.log2Size)
    if parameters.isWide {
      if let extent { invertWide(block, extent) } else { wide.clear(log2Size: block.log2Size) }
      if lumaScale != 0 { wide.addLuma(scale: lumaScale, log2Size: block.log2Size) }
      wide.add(to: &samples.values, place, bitDepth: parameters.bitDepth)
      return
    }
    if let extent { invert(block, extent) } else { clear(&residuals, count: 1 &<< (2 &* block.log2Size)) }
    if lumaScale != 0 { addLumaResiduals(scale: lumaScale, log2Size: block.log2Size) }
    addBlock(residuals, to: &samples.values, place, bitDepth: parameters.bitDepth)
  }

  /// Turns coefficients into residuals of more than 16 bits, and zeroes them.
  private mutating func invertWide(_ block: ResidualBlock, _ extent: ResidualExtent) {
    let log2Size = block.log2Size
    if block.isBypass || extent.isTransformSkipped {
      copySpatialResiduals(coefficients, into: &wide.residuals, spatialForm(block))
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
  }

  private func spatialForm(_ block: ResidualBlock) -> SpatialForm {
    var form = SpatialForm(log2Size: block.log2Size, isBypass: block.isBypass, bitDepth: parameters.bitDepth)
    form.isRotated = parameters.rotatesSkippedTransforms && block.log2Size == 2
    if parameters.tools.hasImplicitRDPCM, block.isStraight {
      form.distance = block.mode == 26 ? 1 &<< block.log2Size : 1
    }
    return form
  }

  /// Turns coefficients into residuals, and zeroes them.
  @inline(__always)
  private mutating func invert(_ block: ResidualBlock, _ extent: ResidualExtent) {
    let log2Size = block.log2Size
    if block.isBypass || extent.isTransformSkipped {
      copySpatialResiduals(coefficients, into: &residuals, spatialForm(block))
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
