// Patches: rectangles of earlier frames that are added to a frame (ISO/IEC 18181-1, K.3).

internal import ImageCoding

/// The patches of a frame.
struct PatchDictionary: Sendable {
  /// The combination of a patch with the frame.
  struct Blend: Sendable {
    var mode: Mode
    var alphaChannel: Int
    var clamps: Bool
  }

  enum Mode: Int, Sendable {
    case none
    case replace
    case add
    case multiply
    case blendAbove
    case blendBelow
    case alphaWeightedAddAbove
    case alphaWeightedAddBelow

    var usesAlpha: Bool { rawValue >= 4 }
    var usesClamp: Bool { rawValue >= 3 }
  }

  /// A rectangle of a saved frame.
  struct Source: Sendable {
    var slot: Int
    var region: PixelRegion
  }

  /// A position of a rectangle in the frame.
  struct Placement: Sendable {
    var source: Int
    var x: Int
    var y: Int
    /// The index of the first blend of the placement: that of the colours, which those of the extra channels follow.
    var firstBlend: Int
  }

  private(set) var sources: [Source] = []
  private(set) var placements: [Placement] = []
  private(set) var blends: [Blend] = []

  init(
    parsing bits: inout BitReader, _ image: ImageHeader, size: PixelSize, slots: ReferenceSlots,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    let code = try EntropyCode(parsing: &bits, contextCount: 10, budget: &budget)
    var symbols = SymbolReader(&bits, code)
    func read(_ context: Int, _ symbols: inout SymbolReader, _ bits: inout BitReader) -> Int {
      Int(truncatingIfNeeded: symbols.read(context: context, code, &bits) & 0x7FFF_FFFF)
    }
    let area = UInt64(size.width) * UInt64(size.height)
    let maximumCount = Int(min(1 << 22, 64 + area / 16))
    let count = read(0, &symbols, &bits)
    guard count <= maximumCount else { throw bits.error(.malformed, "a frame has \(count) patches") }
    let blendCount = 1 + image.extraChannels.count
    for _ in 0..<count {
      try budget.chargeWork(200, byteOffset: bits.byteOffset)
      try budget.allocate(MemoryLayout<Source>.stride)
      let slot = read(1, &symbols, &bits)
      let (x, y) = (read(3, &symbols, &bits), read(3, &symbols, &bits))
      let (width, height) = (1 + read(2, &symbols, &bits), 1 + read(2, &symbols, &bits))
      guard slot < 4, let frame = slots.patchSource(slot), width <= frame.width, height <= frame.height,
        x <= frame.width - width, y <= frame.height - height
      else { throw bits.error(.malformed, "a patch exceeds the frame that it is copied from") }
      let placementCount = read(7, &symbols, &bits)
      guard placementCount < maximumCount, placements.count + placementCount < 4 * maximumCount else {
        throw bits.error(.malformed, "a frame has too many patches")
      }
      sources.append(
        Source(slot: slot, region: PixelRegion(x: x, y: y, width: width, height: height)))
      for index in 0...placementCount {
        try budget.chargeWork(count: blendCount, unitsEach: 60, byteOffset: bits.byteOffset)
        try budget.allocate(
          MemoryLayout<Placement>.stride + blendCount * MemoryLayout<Blend>.stride)
        var (left, top) = (Int64(0), Int64(0))
        if index == 0 {
          left = Int64(read(4, &symbols, &bits))
          top = Int64(read(4, &symbols, &bits))
        } else if let last = placements.last {
          left = Int64(last.x) + Int64(unpackSigned(symbols.read(context: 6, code, &bits)))
          top = Int64(last.y) + Int64(unpackSigned(symbols.read(context: 6, code, &bits)))
        }
        guard left >= 0, top >= 0, left <= Int64(size.width - width), top <= Int64(size.height - height) else {
          throw bits.error(.malformed, "a patch exceeds its frame")
        }
        placements.append(
          Placement(source: sources.count - 1, x: Int(left), y: Int(top), firstBlend: blends.count))
        for _ in 0..<blendCount {
          guard let mode = Mode(rawValue: read(5, &symbols, &bits)) else {
            throw bits.error(.malformed, "the blend mode of a patch is unknown")
          }
          var blend = Blend(mode: mode, alphaChannel: image.alphaIndex ?? 0, clamps: false)
          if mode.usesAlpha, image.extraChannels.count(where: { $0.isAlpha }) > 1 {
            blend.alphaChannel = read(8, &symbols, &bits)
            guard blend.alphaChannel < image.extraChannels.count else {
              throw bits.error(.malformed, "the opacity of a patch is a missing channel")
            }
          }
          if mode.usesClamp { blend.clamps = read(9, &symbols, &bits) != 0 }
          blends.append(blend)
        }
      }
      try bits.checkEnd()
    }
    try symbols.finish(&bits, code)
  }
}
