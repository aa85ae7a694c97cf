// The first section of a frame (ISO/IEC 18181-1, G.1).

internal import ImageCoding

/// `LfGlobal`: what all groups share, and the channels that are small enough to be coded at once.
struct GlobalSection: Sendable {
  /// The patches of the frame.
  private(set) var patches: PatchDictionary?
  private(set) var splines: SplineDictionary?
  private(set) var noise: NoiseParameters?
  /// The factors of the LF coefficients of X, Y and B, by which XYB samples of Modular frames are multiplied too.
  private(set) var lowFrequencyFactors: [Float] = [1.0 / 4096, 1.0 / 512, 1.0 / 256]
  /// The parameters of a VarDCT frame.
  private(set) var varDCT: LowFrequencyGlobal?
  /// The decision tree that the streams of groups may use.
  private(set) var tree: DecisionTree?
  /// The stream of the Modular channels; `nil` if there are none.
  let stream: ModularStream?
  /// The number of channels, from the start of the list, that are not coded in groups.
  let decodedChannelCount: Int
  /// The binary logarithm of the factor by which the Modular channels are reduced, as finer levels are left out.
  private(set) var level = 0
  /// The damage of these channels, of which the start has been decoded.
  private(set) var damage: CodecError?

  /// The channels that are decoded.
  enum Channels {
    /// None: only the header of their stream is read.
    case none
    /// Those of a picture that may be reduced by a power of two, whose binary logarithm has a maximum.
    case reduced(maximumLevel: Int)
  }

  init(
    parsing bits: inout BitReader, _ header: FrameHeader, _ image: ImageHeader, _ modular: inout ModularImage,
    _ layout: FrameLayout, _ slots: ReferenceSlots, channels: Channels = .reduced(maximumLevel: 0),
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    if header.flags.contains(.patches) {
      patches = try PatchDictionary(
        parsing: &bits, image, size: header.isModular ? header.codedSize : header.paddedSize, slots: slots,
        budget: &budget)
    }
    if header.flags.contains(.splines) {
      splines = try SplineDictionary(parsing: &bits, size: header.codedSize, budget: &budget)
    }
    if header.flags.contains(.noise) { noise = try NoiseParameters(parsing: &bits) }
    if try !bits.readFlag() {
      for index in 0..<3 {
        lowFrequencyFactors[index] = try bits.readF16() / 128
        guard lowFrequencyFactors[index] >= 1e-8 else { throw bits.error(.malformed, "an LF factor is not positive") }
      }
    }
    if !header.isModular { varDCT = try LowFrequencyGlobal(parsing: &bits, budget: &budget) }
    if try bits.readFlag() {
      // The number of samples in units of 16, without overflow.
      let area = UInt64(header.codedSize.width) * UInt64(header.codedSize.height)
      let samples = area * UInt64(modular.channels.count + (header.isModular ? 0 : 3)) / 16
      tree = try DecisionTree(
        parsing: &bits, maximumNodeCount: Int(min(1 << 22, 1024 + samples)), budget: &budget)
    }
    guard !modular.channels.isEmpty else {
      (stream, decodedChannelCount) = (nil, 0)
      return
    }
    let stream = try ModularStream(parsing: &bits, &modular, budget: &budget)
    self.stream = stream
    guard case .reduced(let maximumLevel) = channels else {
      decodedChannelCount = 0
      return
    }
    level = try stream.omitFinerLevels(upTo: maximumLevel, &modular, budget: &budget)
    decodedChannelCount = try stream.decode(
      &bits, &modular, index: 0, globalTree: tree, maximumSize: layout.groupSize, &damage, budget: &budget)
  }
}
