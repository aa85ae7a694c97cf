// The options of the JPEG encoder.

public import ImageCoding

extension JPEGEncoder {
  /// The options of JPEG encoding.
  public struct Options: Hashable, Sendable {
    /// The resolution of chroma.
    public enum Subsampling: String, Hashable, Sendable, CaseIterable {
      /// Full resolution (4:4:4).
      case yuv444 = "444"
      /// Half the columns (4:2:2).
      case yuv422 = "422"
      /// Half the columns and half the rows (4:2:0).
      case yuv420 = "420"
      /// Half the rows (4:4:0).
      case yuv440 = "440"
      /// A quarter of the columns (4:1:1).
      case yuv411 = "411"
      /// No chroma: the image is converted to gray.
      case gray
    }

    /// The interval at which decoders can resynchronise after damage.
    public enum RestartInterval: Hashable, Sendable {
      /// No restart markers.
      case none
      /// The number of MCUs between markers, 1…65,535.
      case mcus(Int)
      /// The number of MCU rows between markers in each scan, 1…65,535; limited to 65,535 MCUs.
      case rows(Int)
    }

    /// The quality on libjpeg's scale, 1 (smallest) … 100. The default is 80.
    public var quality: Int
    /// The resolution of chroma. The default is 4:2:0.
    public var subsampling: Subsampling
    /// Whether to write a progressive file with libjpeg's script, which lets viewers show a coarse image early. This
    /// needs memory for all coefficients and implies optimised Huffman tables.
    public var isProgressive: Bool
    /// Whether to optimise the Huffman tables for the image, which saves a few per cent. This needs memory for all
    /// coefficients.
    public var optimizesHuffmanTables: Bool
    /// Whether quantisation steps are limited to 255, so that every decoder can read the file. Larger steps occur only
    /// at qualities below 25. The default is `true`.
    public var limitsStepsToBaseline: Bool
    /// The interval at which decoders can resynchronise. The default is no restart markers.
    public var restartInterval: RestartInterval
    /// Whether CMYK is written as YCCK with subsampled chroma, which is smaller. The default is `false`.
    public var convertsInksToYCCK: Bool
    /// The colour onto which transparent pixels are flattened; its alpha is ignored. The default is white.
    public var background: RGBA8

    /// The maximum number of bytes of the file; `nil` for no limit. If the file would be larger, ``quality`` is lowered
    /// until it fits. Coefficients are kept meanwhile, so that the image is transformed only once; this needs memory
    /// for them twice. The default is `nil`.
    public var maximumByteCount: Int?
    /// The maximum number of threads. They are used for baseline files with restart markers at the ends of rows of MCUs
    /// and without optimised tables; the file is the same on any number. The default is 1.
    public var parallelism: Int

    /// Creates options. By default a baseline file of quality 80 with 4:2:0 chroma is written.
    public init(
      quality: Int = 80, subsampling: Subsampling = .yuv420, isProgressive: Bool = false,
      optimizesHuffmanTables: Bool = false, limitsStepsToBaseline: Bool = true,
      restartInterval: RestartInterval = .none, convertsInksToYCCK: Bool = false,
      background: RGBA8 = RGBA8(red: 255, green: 255, blue: 255), maximumByteCount: Int? = nil, parallelism: Int = 1
    ) {
      self.quality = quality
      self.subsampling = subsampling
      self.isProgressive = isProgressive
      self.optimizesHuffmanTables = optimizesHuffmanTables
      self.limitsStepsToBaseline = limitsStepsToBaseline
      self.restartInterval = restartInterval
      self.convertsInksToYCCK = convertsInksToYCCK
      self.background = background
      self.maximumByteCount = maximumByteCount
      self.parallelism = parallelism
    }

    /// Converts a fraction of 0…1 to a quality: `max(1, round(100 · fraction))`.
    ///
    /// - Throws: `CodecError.Kind.invalidArgument` if `fraction` is not in 0…1.
    public static func quality(fraction: Double) throws(CodecError) -> Int {
      guard fraction >= 0, fraction <= 1 else {
        throw CodecError(.invalidArgument, "the quality \(fraction) is not 0…1", format: JPEGDecoder.type)
      }
      return max(1, Int((100 * fraction).rounded()))
    }

    /// Throws `CodecError.Kind.invalidArgument` if a value is out of range.
    func validate() throws(CodecError) {
      guard (1...100).contains(quality) else {
        throw CodecError(.invalidArgument, "the quality \(quality) is not 1…100", format: JPEGDecoder.type)
      }
      try restartInterval.validate()
      if let maximumByteCount, maximumByteCount < 1 {
        throw CodecError(
          .invalidArgument, "the maximum of \(maximumByteCount) bytes is not positive", format: JPEGDecoder.type)
      }
    }

    /// Whether all coefficients are stored until the image is complete.
    var storesCoefficients: Bool { isProgressive || optimizesHuffmanTables || maximumByteCount != nil }
  }
}

extension JPEGEncoder.Options.RestartInterval {
  /// Throws `CodecError.Kind.invalidArgument` if the interval is out of range.
  func validate() throws(CodecError) {
    switch self {
    case .none: break
    case .mcus(let count), .rows(let count):
      guard (1...65_535).contains(count) else {
        throw CodecError(
          .invalidArgument, "the restart interval \(count) is not 1…65,535", format: JPEGDecoder.type)
      }
    }
  }
}
