// A group of a VarDCT frame (ISO/IEC 18181-1, G.4).

internal import ImageCoding

/// Decodes the passes of a group, and reconstructs its samples.
struct VarDCTGroup {
  private let frame: VarDCTFrame
  private let region: PixelRegion
  private let index: Int
  private var coefficients: GroupCoefficients
  private var extras: [ModularGroup.Decoded] = []

  /// - Parameter coefficients: those of another group, which are zeros again; they are replaced if their number differs.
  init(
    _ index: Int, _ frame: VarDCTFrame, reusing coefficients: consuming GroupCoefficients? = nil,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    (self.index, self.frame) = (index, frame)
    region = frame.grid.region(ofGroup: index)
    if let coefficients, coefficients.fits(region, frame.grid) {
      self.coefficients = coefficients
    } else {
      budget.release(coefficients?.byteCount ?? 0)
      self.coefficients = try GroupCoefficients(region, frame.grid, budget: &budget)
    }
  }

  /// Decodes the section of a pass.
  ///
  /// - Parameters:
  ///   - extra: the part of the extra channels that the section contains.
  ///   - shapes: the channels without samples.
  mutating func decode(
    pass: Int, _ bits: inout BitReader, extra: ModularGroup?, _ shapes: ModularImage, _ tree: DecisionTree?,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    let decoder = CoefficientDecoder(
      grid: frame.grid, region: region, contexts: frame.contexts, presetCount: frame.highFrequency.presetCount,
      shift: frame.passShifts[pass])
    try decoder.decode(
      &bits, frame.highFrequency.passes[pass], frame.blocks, classes: frame.lowFrequency.classes, into: &coefficients,
      budget: &budget)
    guard let extra else { return }
    let decoded = try extra.decode(&bits, shapes, tree, budget: &budget)
    extras.append(decoded)
    if let damage = decoded.damage { throw damage }
  }

  /// Removes the coefficients, which are zeros after reconstruction. Their memory remains charged.
  consuming func takeCoefficients() -> GroupCoefficients { coefficients }

  /// Reconstructs the samples, unless the coefficients are retained. The memory of the samples remains charged.
  ///
  /// - Parameter planes: planes that are not used any more, whose memory is used if their size is the same.
  mutating func reconstruct(
    into planes: consuming [SamplePlane] = [], budget: inout ResourceBudget
  ) throws(CodecError) -> Decoded {
    guard !frame.retainsCoefficients else {
      return Decoded(planes: [], coefficients: coefficients, extras: extras, region: region)
    }
    let held = budget.heldByteCount - planes.reduce(0) { $0 + $1.byteCount }
    let reconstruction = try GroupReconstruction(frame, region, budget: &budget)
    let samples = try reconstruction.samples(of: &coefficients, into: planes, budget: &budget)
    budget.settle(heldByteCount: held + samples.reduce(0) { $0 + $1.byteCount })
    return Decoded(planes: samples, extras: extras, region: region)
  }

  /// The samples of a group.
  struct Decoded: Sendable {
    let planes: [SamplePlane]
    /// The quantised coefficients, if they are retained.
    let coefficients: GroupCoefficients?
    let extras: [ModularGroup.Decoded]
    /// The blocks of the group.
    let region: PixelRegion

    init(
      planes: [SamplePlane], coefficients: GroupCoefficients? = nil, extras: [ModularGroup.Decoded],
      region: PixelRegion
    ) {
      (self.planes, self.coefficients, self.extras, self.region) = (planes, coefficients, extras, region)
    }

    /// Copies the samples to their places.
    func store(into colors: inout [SamplePlane], _ grid: BlockGrid, _ modular: inout ModularImage) {
      for (index, plane) in planes.enumerated() {
        let (x, y) = (8 * region.x >> grid.horizontalShifts[index], 8 * region.y >> grid.verticalShifts[index])
        colors[index].store(plane.samples, width: plane.width, height: plane.height, x: x, y: y)
      }
      for extra in extras { extra.store(into: &modular) }
    }
  }
}
