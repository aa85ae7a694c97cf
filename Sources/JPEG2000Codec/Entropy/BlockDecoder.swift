// The decoding of code-blocks: their passes, bit-plane by bit-plane (ITU-T T.800, annex D).

internal import ImageCoding

/// Decodes code-blocks into coefficients. One decoder is used for all code-blocks of a tile, so that its memory is
/// allocated once.
struct BlockDecoder {
  /// The states of the samples, with a border: the pitch is that of a code-block plus two.
  private var flags: [UInt32] = []
  private var mq = MQDecoder()

  /// The number of bit-planes that coefficients of 32 bits can hold.
  static let maximumPlaneCount = 30
  /// The number of bytes of a decoder, at most.
  static let byteCount = (1024 + 2) * 8 * 4

  /// Decodes a code-block.
  ///
  /// - Parameter samples: receives the coefficients, row by row, in units of half a quantisation step.
  /// - Returns: `false` if a segmentation symbol is wrong; the passes before it have been decoded.
  mutating func decode(
    _ block: CodedBlock, _ data: BlockSegments, _ samples: inout [Int32], _ budget: inout ResourceBudget
  ) throws(CodecError) -> Bool {
    let count = block.width * block.height
    let pitch = block.width + 2
    let flagCount = pitch * ((block.height + 3) / 4 + 2)
    if flags.count < flagCount { flags = [UInt32](repeating: 0, count: flagCount) }
    // Moved out, so that both properties can be changed.
    var words = flags
    flags = []
    defer { flags = words }
    for index in 0..<flagCount { words[index] = 0 }
    mq.resetContexts()
    var (plane, kind, pass) = (block.planeCount - 1, 2, 0)
    let bytes = data.bytes.span
    for segment in data.segments {
      let isRaw = block.style.contains(.bypass) && pass >= 10 && kind != 2
      var raw = RawBitReader(segment.bytes)
      if !isRaw { mq.start(bytes, segment.bytes) }
      try budget.chargeWork(count: segment.bytes.count, unitsEach: 8)
      for _ in 0..<segment.passCount {
        guard plane >= 0 else { return true }
        try budget.chargeWork(count + 50)
        var isIntact = true
        var states = words.mutableSpan
        var coefficients = samples.mutableSpan
        switch (kind, isRaw) {
        case (0, false): Self.propagateSignificance(block, plane, bytes, &states, &coefficients, &mq)
        case (0, true): Self.propagateRawSignificance(block, plane, bytes, &states, &coefficients, &raw)
        case (1, false): Self.refine(block, plane, bytes, &states, &coefficients, &mq)
        case (1, true): Self.refineRaw(block, plane, bytes, &states, &coefficients, &raw)
        default: isIntact = Self.cleanUp(block, plane, bytes, &states, &coefficients, &mq)
        }
        guard isIntact else { return false }
        if block.style.contains(.resetsContexts) { mq.resetContexts() }
        pass += 1
        kind += 1
        if kind == 3 {
          kind = 0
          plane -= 1
        }
      }
    }
    return true
  }
}

// MARK: Passes with arithmetic coding

extension BlockDecoder {
  /// Reads the sign of a sample that becomes significant, and stores both.
  @inline(__always)
  private static func becomeSignificant(
    _ flags: inout MutableSpan<UInt32>, _ samples: inout MutableSpan<Int32>, _ index: Int, _ k: UInt32, _ sample: Int,
    _ value: Int32, pitch: Int, isCausal: Bool, _ mq: inout MQDecoder, _ bytes: Span<UInt8>, _ states: Span<UInt32>,
    _ signs: Span<UInt8>
  ) {
    let entry = signs[
      SampleFlags.signIndex(flags[index], left: flags[index &- 1], right: flags[index &+ 1], k)]
    let bit = mq.decode(Int(entry & 0x7F), bytes, states) ^ UInt32(entry &>> 7)
    samples[sample] = bit == 1 ? -value : value
    SampleFlags.setSignificant(&flags, index, k, isNegative: bit, pitch: pitch, isCausal: isCausal)
  }

  /// The significance propagation pass (D.3.1).
  private static func propagateSignificance(
    _ block: CodedBlock, _ plane: Int, _ bytes: Span<UInt8>, _ flags: inout MutableSpan<UInt32>,
    _ samples: inout MutableSpan<Int32>,
    _ decoder: inout MQDecoder
  ) {
    let tables = ContextTables.tables(block.orientation)
    let (zeros, signs) = (tables.zeroCoding.span, tables.signCoding.span)
    let packed = ProbabilityStates.packed
    let states = packed.span
    let isCausal = block.style.contains(.verticallyCausal)
    let value = Int32(3) << Int32(plane)
    let (width, height, pitch) = (block.width, block.height, block.width + 2)
    var mq = decoder
    for top in stride(from: 0, to: height, by: 4) {
      let rows = UInt32(truncatingIfNeeded: min(4, height - top))
      let first = (top / 4 + 1) * pitch + 1
      for x in 0..<width {
        let index = first &+ x
        guard flags[index] & SampleFlags.window != 0 else { continue }
        var k: UInt32 = 0
        while k < rows {
          let window = flags[index] &>> (3 &* k)
          if window & SampleFlags.neighbors != 0, window & SampleFlags.significant == 0 {
            let context = Int(zeros[Int(window & SampleFlags.neighbors)])
            if mq.decode(context, bytes, states) == 1 {
              Self.becomeSignificant(
                &flags, &samples, index, k, (top &+ Int(k)) &* width &+ x, value, pitch: pitch, isCausal: isCausal, &mq,
                bytes, states, signs)
            }
            flags[index] |= SampleFlags.visited &<< (3 &* k)
          }
          k &+= 1
        }
      }
    }
    decoder = mq
  }

  /// The magnitude refinement pass (D.3.3).
  private static func refine(
    _ block: CodedBlock, _ plane: Int, _ bytes: Span<UInt8>, _ flags: inout MutableSpan<UInt32>,
    _ samples: inout MutableSpan<Int32>,
    _ decoder: inout MQDecoder
  ) {
    let packed = ProbabilityStates.packed
    let states = packed.span
    let half = Int32(1) << Int32(plane)
    let (width, height, pitch) = (block.width, block.height, block.width + 2)
    var mq = decoder
    for top in stride(from: 0, to: height, by: 4) {
      let rows = UInt32(truncatingIfNeeded: min(4, height - top))
      let first = (top / 4 + 1) * pitch + 1
      for x in 0..<width {
        var word = flags[first &+ x]
        guard word & SampleFlags.anySignificant != 0 else { continue }
        var k: UInt32 = 0
        while k < rows {
          let window = word &>> (3 &* k)
          if window & (SampleFlags.significant | SampleFlags.visited) == SampleFlags.significant {
            let context =
              window & SampleFlags.refined != 0
              ? BlockContext.refinement + 2
              : window & SampleFlags.neighbors != 0 ? BlockContext.refinement + 1 : BlockContext.refinement
            let bit = mq.decode(context, bytes, states)
            let sample = (top &+ Int(k)) &* width &+ x
            let old = samples[sample]
            samples[sample] = old &+ ((bit == 1) == (old > 0) ? half : -half)
            word |= SampleFlags.refined &<< (3 &* k)
          }
          k &+= 1
        }
        flags[first &+ x] = word
      }
    }
    decoder = mq
  }

  /// The cleanup pass (D.3.4).
  ///
  /// - Returns: whether the segmentation symbol that may follow is right.
  private static func cleanUp(
    _ block: CodedBlock, _ plane: Int, _ bytes: Span<UInt8>, _ flags: inout MutableSpan<UInt32>,
    _ samples: inout MutableSpan<Int32>,
    _ decoder: inout MQDecoder
  ) -> Bool {
    let tables = ContextTables.tables(block.orientation)
    let (zeros, signs) = (tables.zeroCoding.span, tables.signCoding.span)
    let packed = ProbabilityStates.packed
    let states = packed.span
    let isCausal = block.style.contains(.verticallyCausal)
    let value = Int32(3) << Int32(plane)
    let (width, height, pitch) = (block.width, block.height, block.width + 2)
    var mq = decoder
    for top in stride(from: 0, to: height, by: 4) {
      let rows = UInt32(truncatingIfNeeded: min(4, height - top))
      let first = (top / 4 + 1) * pitch + 1
      for x in 0..<width {
        let index = first &+ x
        var k: UInt32 = 0
        var isKnown = false
        if rows == 4, flags[index] & (SampleFlags.window | SampleFlags.anyVisited) == 0 {
          // A run of four samples, of which the first significant one is stated.
          if mq.decode(BlockContext.runLength, bytes, states) == 0 { continue }
          k = mq.decode(BlockContext.uniform, bytes, states) &<< 1
          k |= mq.decode(BlockContext.uniform, bytes, states)
          isKnown = true
        }
        while k < rows {
          let window = flags[index] &>> (3 &* k)
          if window & (SampleFlags.significant | SampleFlags.visited) == 0 {
            let context = Int(zeros[Int(window & SampleFlags.neighbors)])
            if isKnown || mq.decode(context, bytes, states) == 1 {
              Self.becomeSignificant(
                &flags, &samples, index, k, (top &+ Int(k)) &* width &+ x, value, pitch: pitch, isCausal: isCausal, &mq,
                bytes, states, signs)
            }
          }
          isKnown = false
          k &+= 1
        }
        flags[index] &= ~SampleFlags.anyVisited
      }
    }
    var isIntact = true
    if block.style.contains(.segmentationSymbols) {
      var symbol: UInt32 = 0
      for _ in 0..<4 { symbol = symbol << 1 | mq.decode(BlockContext.uniform, bytes, states) }
      isIntact = symbol == 0b1010
    }
    decoder = mq
    return isIntact
  }
}

// MARK: Raw passes

extension BlockDecoder {
  private static func propagateRawSignificance(
    _ block: CodedBlock, _ plane: Int, _ bytes: Span<UInt8>, _ flags: inout MutableSpan<UInt32>,
    _ samples: inout MutableSpan<Int32>,
    _ raw: inout RawBitReader
  ) {
    let isCausal = block.style.contains(.verticallyCausal)
    let value = Int32(3) << Int32(plane)
    let (width, height, pitch) = (block.width, block.height, block.width + 2)
    for top in stride(from: 0, to: height, by: 4) {
      let rows = UInt32(truncatingIfNeeded: min(4, height - top))
      let first = (top / 4 + 1) * pitch + 1
      for x in 0..<width {
        let index = first &+ x
        guard flags[index] & SampleFlags.window != 0 else { continue }
        for k in 0..<rows {
          let window = flags[index] &>> (3 &* k)
          guard window & SampleFlags.neighbors != 0, window & SampleFlags.significant == 0 else { continue }
          if raw.read(bytes) == 1 {
            let bit = raw.read(bytes)
            samples[(top &+ Int(k)) &* width &+ x] = bit == 1 ? -value : value
            SampleFlags.setSignificant(&flags, index, k, isNegative: bit, pitch: pitch, isCausal: isCausal)
          }
          flags[index] |= SampleFlags.visited &<< (3 &* k)
        }
      }
    }
  }

  private static func refineRaw(
    _ block: CodedBlock, _ plane: Int, _ bytes: Span<UInt8>, _ flags: inout MutableSpan<UInt32>,
    _ samples: inout MutableSpan<Int32>,
    _ raw: inout RawBitReader
  ) {
    let half = Int32(1) << Int32(plane)
    let (width, height, pitch) = (block.width, block.height, block.width + 2)
    for top in stride(from: 0, to: height, by: 4) {
      let rows = UInt32(truncatingIfNeeded: min(4, height - top))
      let first = (top / 4 + 1) * pitch + 1
      for x in 0..<width {
        let index = first &+ x
        guard flags[index] & SampleFlags.anySignificant != 0 else { continue }
        for k in 0..<rows {
          let window = flags[index] &>> (3 &* k)
          guard window & (SampleFlags.significant | SampleFlags.visited) == SampleFlags.significant else { continue }
          let sample = (top &+ Int(k)) &* width &+ x
          let old = samples[sample]
          samples[sample] = old &+ ((raw.read(bytes) == 1) == (old > 0) ? half : -half)
          flags[index] |= SampleFlags.refined &<< (3 &* k)
        }
      }
    }
  }
}
