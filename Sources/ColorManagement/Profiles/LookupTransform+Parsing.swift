// Elements of the types `mft1`, `mft2`, `mAB ` and `mBA ` (ICC.1, sections 10.10…10.13).

internal import ImageCore

extension LookupTransform {
  /// Reads the element of a tag.
  ///
  /// - Parameter isToDevice: whether the element converts from the connection space.
  /// - Throws: `CodecError.Kind.malformed`, `CodecError.Kind.truncated`; `CodecError.Kind.unsupported` for other
  ///   types and numbers of channels; `CodecError.Kind.limitExceeded`.
  init(
    _ profile: ICCProfile, _ range: Range<Int>, isToDevice: Bool = false, budget: inout ResourceBudget
  ) throws(CodecError) {
    let element = profile.bytes.span.extracting(range)
    var reader = ByteReader(element, baseOffset: range.lowerBound)
    let type = FourCharacterCode(rawValue: try reader.readUInt32BigEndian())
    try reader.skip(4)
    inputCount = Int(try reader.readUInt8())
    outputCount = Int(try reader.readUInt8())
    stages = []
    encoding = profile.connectsInLab ? (type == "mft2" ? .legacyLab : .lab) : .xyz
    let deviceCount = profile.colorModel.sampleCount
    guard inputCount == (isToDevice ? 3 : deviceCount), outputCount == (isToDevice ? deviceCount : 3) else {
      throw reader.error(.malformed, "a table of the ICC profile has \(inputCount) inputs and \(outputCount) outputs")
    }
    switch type {
    case "mft1": try readTables(&reader, bytesPerSample: 1, &budget)
    case "mft2": try readTables(&reader, bytesPerSample: 2, &budget)
    case "mAB ", "mBA ": try readElements(element, range.lowerBound, isToDevice: type == "mBA ", &budget)
    default: throw reader.error(.unsupported, "tables of the type \(type) are not supported")
    }
  }

  /// Reads the rest of a `mft1` or `mft2` element: matrix, input tables, grid, output tables.
  @_lifetime(reader: copy reader)
  private mutating func readTables(
    _ reader: inout ByteReader, bytesPerSample: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let pointCount = Int(try reader.readUInt8())
    try reader.skip(1)
    let matrix = try reader.readMatrix()
    if inputCount == 3, matrix != .identity { stages.append(.matrix(matrix, offset: SIMD3())) }
    var (inputEntries, outputEntries) = (256, 256)
    if bytesPerSample == 2 {
      inputEntries = Int(try reader.readUInt16BigEndian())
      outputEntries = Int(try reader.readUInt16BigEndian())
    }
    try readCurves(&reader, inputCount, entries: inputEntries, bytesPerSample, &budget)
    if pointCount > 0 {
      let points = Array(repeating: pointCount, count: inputCount)
      stages.append(.grid(try reader.readGrid(points, outputCount, bytesPerSample, &budget)))
    } else if inputCount != outputCount {
      throw reader.error(.malformed, "a table of the ICC profile has no grid")
    }
    try readCurves(&reader, outputCount, entries: outputEntries, bytesPerSample, &budget)
  }

  @_lifetime(reader: copy reader)
  private mutating func readCurves(
    _ reader: inout ByteReader, _ count: Int, entries: Int, _ bytesPerSample: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    guard entries >= 2 else { throw reader.error(.malformed, "a curve of the ICC profile has \(entries) samples") }
    var curves: [ToneCurve] = []
    for _ in 0..<count {
      curves.append(
        .table(
          bytesPerSample == 2 ? try reader.readSamples(entries, &budget) : try reader.readByteSamples(entries, &budget))
      )
    }
    if !curves.allSatisfy({ $0.isIdentity }) { stages.append(.curves(curves)) }
  }

  /// Reads the rest of a `mAB ` or `mBA ` element: the curves A, grid, curves M, matrix and curves B, or the reverse.
  private mutating func readElements(
    _ element: Span<UInt8>, _ baseOffset: Int, isToDevice: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var reader = ByteReader(element, baseOffset: baseOffset)
    try reader.seek(to: 12)
    var offsets: [Int] = []
    for _ in 0..<5 { offsets.append(Int(clamping: try reader.readUInt32BigEndian())) }
    let (b, matrix, m, grid, a) = (offsets[0], offsets[1], offsets[2], offsets[3], offsets[4])
    guard grid != 0 || inputCount == outputCount else {
      throw reader.error(.malformed, "a table of the ICC profile has no grid")
    }
    let (nearDevice, nearConnection) = (isToDevice ? outputCount : inputCount, isToDevice ? inputCount : outputCount)
    var elements: [Stage] = []
    if a != 0 { elements.append(.curves(try Self.readCurves(&reader, at: a, nearDevice, &budget))) }
    if grid != 0 {
      try reader.seek(to: grid)
      elements.append(.grid(try reader.readVariableGrid(inputCount, outputCount, &budget)))
    }
    if m != 0 { elements.append(.curves(try Self.readCurves(&reader, at: m, nearConnection, &budget))) }
    if matrix != 0 {
      guard nearConnection == 3 else { throw reader.error(.malformed, "a matrix is for three channels only") }
      try reader.seek(to: matrix)
      let coefficients = try reader.readMatrix()
      let offset = SIMD3(try reader.readFixed16(), try reader.readFixed16(), try reader.readFixed16())
      elements.append(.matrix(coefficients, offset: offset))
    }
    if b != 0 { elements.append(.curves(try Self.readCurves(&reader, at: b, nearConnection, &budget))) }
    if isToDevice { elements.reverse() }
    stages = elements.filter { stage in
      if case .curves(let curves) = stage { return !curves.allSatisfy({ $0.isIdentity }) }
      return true
    }
  }

  @_lifetime(reader: copy reader)
  private static func readCurves(
    _ reader: inout ByteReader, at offset: Int, _ count: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [ToneCurve] {
    try reader.seek(to: offset)
    var curves: [ToneCurve] = []
    for _ in 0..<count {
      curves.append(try ToneCurve(parsing: &reader, budget: &budget))
      // Each curve starts at a multiple of four bytes; the last one may end the element.
      let padding = -reader.byteOffset & 3
      if padding <= reader.remaining { try reader.skip(padding) }
    }
    return curves
  }
}

extension ByteReader {
  /// Reads nine s15Fixed16Numbers by rows.
  @_lifetime(self: copy self)
  fileprivate mutating func readMatrix() throws(CodecError) -> Matrix3 {
    var values: [Double] = []
    for _ in 0..<9 { values.append(try readFixed16()) }
    return Matrix3(
      SIMD3(values[0], values[1], values[2]), SIMD3(values[3], values[4], values[5]),
      SIMD3(values[6], values[7], values[8]))
  }

  /// Reads 8-bit samples, widened to 16 bits.
  @_lifetime(self: copy self)
  fileprivate mutating func readByteSamples(
    _ count: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt16] {
    let bytes = try read(count)
    try budget.allocate(count: count, bytesEach: 2)
    try budget.chargeWork(count)
    var samples: [UInt16] = []
    samples.reserveCapacity(count)
    for index in bytes.indices { samples.append(UInt16(bytes[index]) &* 257) }
    return samples
  }

  /// Reads the grid of a `mAB ` or `mBA ` element: its size, its precision and its samples.
  @_lifetime(self: copy self)
  fileprivate mutating func readVariableGrid(
    _ inputCount: Int, _ outputCount: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> ColorGrid {
    let sizes = try read(16)
    let points = (0..<inputCount).map { Int(sizes[$0]) }
    let precision = Int(try readUInt8())
    try skip(3)
    guard precision == 1 || precision == 2 else {
      throw error(.malformed, "the samples of a grid have \(precision) bytes")
    }
    return try readGrid(points, outputCount, precision, &budget)
  }

  /// Reads the samples of a grid. Its size is checked with the bytes that remain.
  @_lifetime(self: copy self)
  fileprivate mutating func readGrid(
    _ points: [Int], _ outputCount: Int, _ bytesPerSample: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> ColorGrid {
    var nodeCount = 1
    for count in points {
      guard count >= 2 else { throw error(.malformed, "a grid of the ICC profile has \(count) points") }
      // At most 255 times the bytes of the profile.
      nodeCount *= count
      guard nodeCount <= remaining else { throw error(.truncated, "the ICC profile ends inside a table") }
    }
    guard nodeCount <= remaining / (outputCount * bytesPerSample) else {
      throw error(.truncated, "the ICC profile ends inside a table")
    }
    try budget.allocate(count: nodeCount, bytesEach: MemoryLayout<SIMD4<Float>>.stride)
    try budget.chargeWork(count: nodeCount, unitsEach: 8)
    let bytes = try read(nodeCount * outputCount * bytesPerSample)
    var nodes: [SIMD4<Float>] = []
    nodes.reserveCapacity(nodeCount)
    let scale: Float = bytesPerSample == 2 ? 1 / 65535 : 1 / 255
    var position = 0
    for _ in 0..<nodeCount {
      var node = SIMD4<Float>()
      for output in 0..<outputCount {
        var sample = UInt32(bytes[position])
        if bytesPerSample == 2 { sample = sample &<< 8 | UInt32(bytes[position &+ 1]) }
        node[output] = Float(sample) * scale
        position &+= bytesPerSample
      }
      nodes.append(node)
    }
    return ColorGrid(points: points, outputCount: outputCount, nodes: nodes)
  }
}

extension ToneCurve {
  /// Whether samples in 0…1 are unchanged.
  var isIdentity: Bool {
    switch self {
    case .parametric(let curve): curve == ParametricCurve(gamma: 1)
    case .table(let samples): samples == [0, 65535]
    case .logarithmic, .perceptualQuantizer, .hybridLogGamma: false
    }
  }
}
