// Intra prediction of blocks: the availability of neighbours, and their smoothing (sections 6.4.1 and 8.4.4.2).

/// The bits of 0…15 apart, for the order of blocks within a CTB.
private let spreadBits: InlineArray<16, UInt8> = [
  0x00, 0x01, 0x04, 0x05, 0x10, 0x11, 0x14, 0x15, 0x40, 0x41, 0x44, 0x45, 0x50, 0x51, 0x54, 0x55,
]

/// The place of a square of 4 × 4 luma samples in the decoding order of its CTB.
@inline(__always)
private func order(_ x: Int, _ y: Int) -> UInt8 {
  spreadBits[(x &>> 2) & 15] | spreadBits[(y &>> 2) & 15] &<< 1
}

extension BlockReconstruction {
  /// Predicts a block of a component.
  ///
  /// - Parameters:
  ///   - x, y: of the block, in samples of the component.
  ///   - isBypass: `cu_transquant_bypass_flag`.
  @inline(__always)
  mutating func predict(
    _ component: Int, x: Int, y: Int, log2Size: Int, mode: Int, isBypass: Bool, _ ctb: CodingTreeBlockPosition,
    _ samples: inout SampleBuffer
  ) {
    let shifts = parameters.shifts(component)
    let size = 1 &<< log2Size
    // The block in luma samples.
    let (left, top) = (x &<< shifts.x, y &<< shifts.y)
    let (right, bottom) = (left &+ size &<< shifts.x, top &+ size &<< shifts.y)
    let ctbSize = parameters.codingTreeBlockSize
    let hasLeft = left > ctb.x || ctb.hasLeft
    let hasTop = top > ctb.y || ctb.hasTop

    var block = IntraBlock()
    block.index = samples.index(component, x: x, y: y)
    block.stride = samples.strides[component]
    block.log2Size = log2Size
    block.mode = mode
    block.bitDepth = parameters.bitDepth
    if hasLeft {
      block.leftCount = size
      if bottom < parameters.height, bottom < ctb.y &+ ctbSize,
        left == ctb.x || order(left &- 1, bottom) < order(left, top)
      {
        block.leftCount &+= min(size, (parameters.height &- bottom) &>> shifts.y)
      }
    }
    let hasTopRight: Bool
    if right >= ctb.x &+ ctbSize {
      hasTopRight = top == ctb.y && ctb.hasTopRight
    } else {
      hasTopRight = top == ctb.y ? hasTop : order(right, top &- 1) < order(left, top)
    }
    if hasTop || hasTopRight { block.topCount = size }
    // The first CTB of a slice may be at the top right of one that has no other neighbour above.
    if !hasTop { block.topGap = block.topCount }
    if hasTopRight, right < parameters.width {
      block.topCount &+= min(size, (parameters.width &- right) &>> shifts.x)
    }
    if left > ctb.x {
      block.hasCorner = top > ctb.y || ctb.hasTop
    } else {
      block.hasCorner = top > ctb.y ? ctb.hasLeft : ctb.hasTopLeft
    }

    let isLuma = component == 0
    if parameters.isSmoothingEnabled, isLuma || parameters.chromaType == 3, log2Size > 2, mode != 1 {
      let distance = min(abs(mode &- 26), abs(mode &- 10))
      let threshold = log2Size == 3 ? 7 : log2Size == 4 ? 1 : 0
      block.isSmoothed = distance > threshold
      block.isStronglySmoothed = parameters.isStrongSmoothingEnabled && isLuma && log2Size == 5
    }
    if isLuma, log2Size < 5 {
      block.blendsEdges = mode == 1 || !(parameters.tools.hasImplicitRDPCM && isBypass)
    }
    predictBlock(&samples.values, &intraScratch, block)
  }
}

@inline(__always)
private func predictBlock(_ samples: inout [UInt16], _ scratch: inout [UInt16], _ block: IntraBlock) {
  var samples = samples.mutableSpan
  var scratch = scratch.mutableSpan
  predictIntra(&samples, &scratch, block)
}
