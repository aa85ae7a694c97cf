// The header of a frame (ISO/IEC 18181-1, F.2).

internal import ImageCoding

/// `FrameHeader`.
struct FrameHeader: Hashable, Sendable {
  /// The purpose of a frame.
  enum Kind: Int, Hashable, Sendable {
    case regular
    /// A frame of an eighth of the size, or less, whose samples are the LF coefficients of another frame.
    case lowFrequency
    case referenceOnly
    case skipProgressive
  }

  /// The features of a frame.
  struct Flags: OptionSet, Hashable, Sendable {
    let rawValue: UInt64
    static let noise = Flags(rawValue: 1)
    static let patches = Flags(rawValue: 2)
    static let splines = Flags(rawValue: 0x10)
    static let usesLowFrequencyFrame = Flags(rawValue: 0x20)
    static let skipsSmoothing = Flags(rawValue: 0x80)
  }

  private(set) var kind = Kind.regular
  private(set) var isModular = false
  private(set) var flags: Flags = []
  private(set) var isYCbCr = false
  /// The sampling factors of Cb, Y and Cr: 0 is 1 × 1, 1 is 2 × 2, 2 is 2 × 1, 3 is 1 × 2.
  private(set) var chromaSampling = [0, 0, 0]
  /// The factor by which the coded frame is smaller: 1, 2, 4 or 8.
  private(set) var upsampling = 1
  /// The factors by which the extra channels are smaller than the frame.
  private(set) var extraUpsampling: [Int]
  /// The binary logarithm of the size of a group of samples.
  private(set) var groupSizeShift = 8
  /// The factors of the quantisation of X and B.
  private(set) var quantizationScaleX = 3
  private(set) var quantizationScaleB = 2
  private(set) var passes = Passes()
  /// 1…4 for low-frequency frames, otherwise 0.
  private(set) var lowFrequencyLevel = 0
  /// The position of the frame on the canvas.
  private(set) var x0 = 0
  private(set) var y0 = 0
  /// The size of the frame before it is reduced as ``lowFrequencyLevel`` and ``upsampling`` state.
  private(set) var size: PixelSize
  private(set) var blending = Blending()
  private(set) var extraBlending: [Blending]
  /// The duration in ticks.
  private(set) var duration: UInt32 = 0
  private(set) var timecode: UInt32 = 0
  private(set) var isLast = true
  /// The slot that the frame is saved in.
  private(set) var savedSlot = 0
  /// Whether the frame is saved before its colours are transformed.
  private(set) var isSavedBeforeColorTransform = false
  private(set) var name = ""
  private(set) var filter = RestorationFilter()

  /// Reads the header, which starts at the next byte.
  ///
  /// - Parameter canvas: the size of the image, or of the preview.
  init(parsing bits: inout BitReader, image: ImageHeader, canvas: PixelSize) throws(CodecError) {
    size = canvas
    extraBlending = [Blending](repeating: Blending(), count: image.extraChannels.count)
    extraUpsampling = image.extraChannels.map { 1 << $0.dimensionShift }
    if !image.isXYB { quantizationScaleX = 2 }
    if try bits.readFlag() { return }
    kind = Kind(rawValue: try bits.readInt(2)) ?? .regular
    isModular = try bits.readFlag()
    flags = Flags(rawValue: try bits.readU64())
    try readSampling(&bits, image)
    try readCoding(&bits, image)
    if kind == .lowFrequency {
      lowFrequencyLevel = 1 + (try bits.readInt(2))
    } else if try bits.readFlag() {
      try readCrop(&bits)
    }
    try readComposition(&bits, image, canvas)
    name = try bits.readName()
    filter = try RestorationFilter(parsing: &bits, isModular: isModular)
    try bits.skipExtensions()
  }

  private mutating func readSampling(_ bits: inout BitReader, _ image: ImageHeader) throws(CodecError) {
    let usesLowFrequencyFrame = flags.contains(.usesLowFrequencyFrame)
    if !image.isXYB { isYCbCr = try bits.readFlag() }
    guard !usesLowFrequencyFrame else { return }
    if isYCbCr {
      for index in 0..<3 { chromaSampling[index] = try bits.readInt(2) }
    }
    upsampling = try Self.readFactor(&bits)
    for (index, channel) in image.extraChannels.enumerated() {
      let factor = try Self.readFactor(&bits) << channel.dimensionShift
      guard factor >= upsampling, factor <= 8 else {
        throw bits.error(.malformed, "an extra channel is upsampled by \(factor), the frame by \(upsampling)")
      }
      extraUpsampling[index] = factor
    }
  }

  private static func readFactor(_ bits: inout BitReader) throws(CodecError) -> Int {
    try bits.readInt(.value(1), .value(2), .value(4), .value(8))
  }

  private mutating func readCoding(_ bits: inout BitReader, _ image: ImageHeader) throws(CodecError) {
    if isModular {
      groupSizeShift = 7 + (try bits.readInt(2))
      quantizationScaleX = 2
    } else if image.isXYB {
      quantizationScaleX = try bits.readInt(3)
      quantizationScaleB = try bits.readInt(3)
    }
    if kind != .referenceOnly { passes = try Passes(parsing: &bits) }
  }

  private mutating func readCrop(_ bits: inout BitReader) throws(CodecError) {
    func read(_ bits: inout BitReader) throws(CodecError) -> UInt32 {
      try bits.readU32(.bits(8), .bits(11, offset: 256), .bits(14, offset: 2304), .bits(30, offset: 18688))
    }
    if kind != .referenceOnly {
      x0 = Int(unpackSigned(try read(&bits)))
      y0 = Int(unpackSigned(try read(&bits)))
    }
    size = PixelSize(width: Int(try read(&bits)), height: Int(try read(&bits)))
    guard size.width > 0, size.height > 0, max(size.width, size.height) <= PixelSize.maximumJXLDimension else {
      throw bits.error(.malformed, "a frame has \(size.width) × \(size.height) pixels")
    }
  }

  private mutating func readComposition(
    _ bits: inout BitReader, _ image: ImageHeader, _ canvas: PixelSize
  ) throws(CodecError) {
    let isShown = kind == .regular || kind == .skipProgressive
    let coversCanvas =
      x0 <= 0 && y0 <= 0 && Int64(x0) + Int64(size.width) >= Int64(canvas.width)
      && Int64(y0) + Int64(size.height) >= Int64(canvas.height)
    if isShown {
      blending = try Blending(parsing: &bits, image, coversCanvas: coversCanvas)
      for index in extraBlending.indices {
        extraBlending[index] = try Blending(parsing: &bits, image, coversCanvas: coversCanvas)
      }
      if let animation = image.animation {
        duration = try bits.readU32(.value(0), .value(1), .bits(8), .bits(32))
        if animation.hasTimecodes { timecode = try bits.readBits(32) }
      }
      isLast = try bits.readFlag()
    } else {
      isLast = false
    }
    if kind != .lowFrequency, !isLast { savedSlot = try bits.readInt(2) }
    isSavedBeforeColorTransform = kind == .lowFrequency
    if kind == .referenceOnly || (canBeReferenced && coversCanvas && blending.mode == .replace) {
      isSavedBeforeColorTransform = try bits.readFlag()
    }
  }

  /// Whether later frames can refer to the frame.
  var canBeReferenced: Bool { !isLast && kind != .lowFrequency && (duration == 0 || savedSlot != 0) }
  /// Whether the frame is a picture of the animation, or the last layer of the image, and not an earlier layer.
  var isPicture: Bool { (kind == .regular || kind == .skipProgressive) && (duration > 0 || isLast) }

  /// The binary logarithms of the sampling factors of Cb, Y and Cr.
  var horizontalSamplingShifts: [Int] { chromaSampling.map { $0 == 1 || $0 == 2 ? 1 : 0 } }
  var verticalSamplingShifts: [Int] { chromaSampling.map { $0 == 1 || $0 == 3 ? 1 : 0 } }

  /// The size of the frame's samples after upsampling.
  var sampleSize: PixelSize {
    let shift = 3 * lowFrequencyLevel
    func reduced(_ length: Int) -> Int { (length - 1) >> shift + 1 }
    return PixelSize(width: reduced(size.width), height: reduced(size.height))
  }

  /// The size of the coded samples.
  var codedSize: PixelSize {
    let full = sampleSize
    return PixelSize(width: (full.width - 1) / upsampling + 1, height: (full.height - 1) / upsampling + 1)
  }

  /// The size of the coded samples in whole blocks.
  var paddedSize: PixelSize {
    let size = codedSize
    return PixelSize(width: (size.width + 7) & ~7, height: (size.height + 7) & ~7)
  }
}
