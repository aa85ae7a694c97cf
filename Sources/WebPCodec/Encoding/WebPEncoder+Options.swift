// The options of the WebP encoder.

public import ImageCoding

extension WebPEncoder {
  /// The options of WebP encoding.
  public struct Options: Hashable, Sendable {
    /// The coding of pixels.
    public enum Coding: String, Hashable, Sendable, CaseIterable {
      /// VP8: small files for photos. Chroma has half the resolution of luma.
      case lossy
      /// VP8L: every pixel is restored exactly.
      case lossless
      /// The smaller one of both codings, for each frame of an animation and for still images.
      case mixed
    }

    /// The coding of pixels. The default is lossy.
    public var coding: Coding
    /// The quality of lossy images on libwebp's scale, 0 (smallest) … 100. The default is 75.
    public var quality: Int
    /// The time spent for a small file, 0 (fastest) … 9 (smallest). The default is 6.
    public var effort: Int
    /// The quality of near-lossless preprocessing of lossless images, 0 (smallest) … 100 (no preprocessing, the
    /// default). It rounds samples where the picture is busy.
    public var nearLossless: Int
    /// Whether the colours of fully transparent pixels are kept; otherwise they become whatever is smallest. The
    /// default is `false`.
    public var keepsInvisibleColors: Bool
    /// The quality of the alpha of lossy images, 0 (smallest) … 100 (exact, the default).
    public var alphaQuality: Int
    /// Whether chroma is chosen so that colours at sharp edges keep their luminance, which takes longer. The default is
    /// `false`.
    public var usesSharpChroma: Bool
    /// The strength of the loop filter of lossy images, 0 (none) … 100. The default is 60.
    public var filterStrength: Int
    /// The sharpness of the loop filter, 0…7; higher values preserve more edges. The default is 0.
    public var filterSharpness: Int
    /// The number of segments with separate quantizers in a lossy image, 1…4. The default is 4.
    public var segmentCount: Int
    /// The strength with which the quantizers of segments differ by their texture, 0…100. The default is 50.
    public var noiseShaping: Int
    /// The number of coefficient partitions of a lossy image, which decoders can read in parallel: 1, 2, 4 or 8. The
    /// default is 1.
    public var partitionCount: Int
    /// The maximum number of bytes of the file of a lossy image; `nil` for no limit. If the file would be larger,
    /// ``quality`` is lowered until it fits. The default is `nil`.
    public var maximumByteCount: Int?
    /// The greatest number of frames of an animation between complete ones, from which decoders can start; `nil` for no
    /// complete frames except the first. The default is `nil`.
    public var keyFrameInterval: Int?
    /// The maximum number of threads. The file is the same on any number. The default is 1.
    public var parallelism: Int

    /// Creates options. By default a lossy file of quality 75 is written.
    public init(
      coding: Coding = .lossy, quality: Int = 75, effort: Int = 6, nearLossless: Int = 100,
      keepsInvisibleColors: Bool = false, alphaQuality: Int = 100, usesSharpChroma: Bool = false,
      filterStrength: Int = 60, filterSharpness: Int = 0, segmentCount: Int = 4, noiseShaping: Int = 50,
      partitionCount: Int = 1, maximumByteCount: Int? = nil, keyFrameInterval: Int? = nil, parallelism: Int = 1
    ) {
      self.coding = coding
      self.quality = quality
      self.effort = effort
      self.nearLossless = nearLossless
      self.keepsInvisibleColors = keepsInvisibleColors
      self.alphaQuality = alphaQuality
      self.usesSharpChroma = usesSharpChroma
      self.filterStrength = filterStrength
      self.filterSharpness = filterSharpness
      self.segmentCount = segmentCount
      self.noiseShaping = noiseShaping
      self.partitionCount = partitionCount
      self.maximumByteCount = maximumByteCount
      self.keyFrameInterval = keyFrameInterval
      self.parallelism = parallelism
    }

    /// Lossless with default options.
    public static var lossless: Options { Options(coding: .lossless) }

    /// Converts a fraction of 0…1 to a quality: `round(100 · fraction)`.
    ///
    /// - Throws: `CodecError.Kind.invalidArgument` if `fraction` is not in 0…1.
    public static func quality(fraction: Double) throws(CodecError) -> Int {
      guard fraction >= 0, fraction <= 1 else {
        throw CodecError(.invalidArgument, "the quality \(fraction) is not 0…1", format: WebPDecoder.type)
      }
      return Int((100 * fraction).rounded())
    }

    /// The work that every picture needs, in units for each pixel: the decisions on macroblocks of 256 pixels, or the
    /// search for matches and the parsing of them.
    var leastWorkPerPixel: Int { coding == .lossless ? 50 : LossyEncoder.workPerMacroblock / 256 }

    /// Throws `CodecError.Kind.invalidArgument` if a value is out of range.
    func validate() throws(CodecError) {
      try check(quality, "quality", 0...100)
      try check(effort, "effort", 0...9)
      try check(nearLossless, "near-lossless quality", 0...100)
      try check(alphaQuality, "alpha quality", 0...100)
      try check(filterStrength, "filter strength", 0...100)
      try check(filterSharpness, "filter sharpness", 0...7)
      try check(segmentCount, "number of segments", 1...4)
      try check(noiseShaping, "noise shaping", 0...100)
      guard [1, 2, 4, 8].contains(partitionCount) else {
        throw CodecError(
          .invalidArgument, "the number of partitions \(partitionCount) is not 1, 2, 4 or 8", format: WebPDecoder.type)
      }
      if let maximumByteCount, maximumByteCount < 1 {
        throw CodecError(
          .invalidArgument, "the maximum of \(maximumByteCount) bytes is not positive", format: WebPDecoder.type)
      }
      if let keyFrameInterval, keyFrameInterval < 1 {
        throw CodecError(
          .invalidArgument, "the key frame interval \(keyFrameInterval) is not positive", format: WebPDecoder.type)
      }
    }

    private func check(_ value: Int, _ name: String, _ range: ClosedRange<Int>) throws(CodecError) {
      guard range.contains(value) else {
        throw CodecError(
          .invalidArgument, "the \(name) \(value) is not \(range.lowerBound)…\(range.upperBound)",
          format: WebPDecoder.type)
      }
    }
  }
}
