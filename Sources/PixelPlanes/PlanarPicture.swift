// A picture as video and image codecs code it: separate planes of luma, chroma and alpha, with the information required
// to convert them to RGB.

public import ImageCoding

/// A picture of separate Y, Cb and Cr planes and optional alpha.
///
/// The size of the chroma planes follows from ``chromaFormat``, rounded up. All planes have the same bit depth, except
/// alpha, whose depth may differ.
public struct PlanarPicture: Hashable, Sendable {
  /// The interpretation of a picture's samples.
  public struct Coding: Hashable, Sendable {
    /// The matrix between RGB and the planes.
    public var matrix: MatrixCoefficients
    /// The range of sample values. Alpha always has the full range.
    public var range: SampleRange
    /// The position of chroma samples relative to luma samples.
    public var siting: ChromaSiting

    /// Creates a coding from its values.
    public init(
      matrix: MatrixCoefficients = .unspecified, range: SampleRange = .limited, siting: ChromaSiting = .left
    ) {
      self.matrix = matrix
      self.range = range
      self.siting = siting
    }

    /// BT.601, full range, centred chroma (ITU-T T.871).
    public static let jfif = Coding(matrix: .bt601, range: .full, siting: .center)
    /// BT.601, limited range, centred chroma (RFC 6386, section 9.2).
    public static let webP = Coding(matrix: .bt601, range: .limited, siting: .center)
  }

  /// The chroma subsampling.
  public let chromaFormat: ChromaFormat
  /// The interpretation of the samples.
  public var coding: Coding
  /// Y, or G if the matrix is ``MatrixCoefficients/identity``.
  public private(set) var luma: SamplePlane
  /// Cb, or B if the matrix is the identity; `nil` if monochrome.
  public private(set) var cb: SamplePlane?
  /// Cr, or R if the matrix is the identity; `nil` if monochrome.
  public private(set) var cr: SamplePlane?
  /// Alpha at the resolution of luma, full range; `nil` if opaque.
  public private(set) var alpha: SamplePlane?
  /// Whether the colour planes are premultiplied by alpha. `false` by default.
  public var isPremultiplied = false
  /// The colour space that the file states; unspecified by default.
  public var colorSpace: ColorSpace = .unspecified

  /// The number of luma columns.
  public var width: Int { luma.width }
  /// The number of luma rows.
  public var height: Int { luma.height }
  /// The bits per colour sample, 8…16.
  public var bitDepth: Int { luma.bitDepth }

  /// Creates a picture of black luma and neutral chroma, whose memory is charged to `budget`.
  ///
  /// - Parameters:
  ///   - width: the width in pixels.
  ///   - height: the height in pixels.
  ///   - bitDepth: the bits per sample, 8…16.
  ///   - chromaFormat: how chroma is subsampled.
  ///   - coding: the matrix, the range and the siting of the samples.
  ///   - budget: charged with memory and work before they are spent.
  /// - Throws: `CodecError.Kind.limitExceeded`; `CodecError.Kind.unsupported` for depths other than 8…16.
  public init(
    width: Int, height: Int, bitDepth: Int, chromaFormat: ChromaFormat, coding: Coding = Coding(),
    budget: inout ResourceBudget
  ) throws(CodecError) {
    let luma = try SamplePlane(width: width, height: height, bitDepth: bitDepth, budget: &budget)
    var chroma: SamplePlane?
    if chromaFormat != .monochrome {
      chroma = try SamplePlane(
        width: chromaFormat.chromaWidth(width), height: chromaFormat.chromaHeight(height), bitDepth: bitDepth,
        filledWith: 1 << UInt16(bitDepth - 1), budget: &budget)
      // Cr shares the memory of Cb until the first write, but has to be charged now.
      try budget.allocatePixels(
        width: chromaFormat.chromaWidth(width), height: chromaFormat.chromaHeight(height),
        bytesPerPixel: bitDepth > 8 ? 2 : 1)
    }
    try self.init(chromaFormat: chromaFormat, coding: coding, luma: luma, cb: chroma, cr: chroma)
  }

  /// Creates a picture from existing planes.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` if sizes or depths do not match.
  public init(
    chromaFormat: ChromaFormat, coding: Coding, luma: SamplePlane, cb: SamplePlane? = nil, cr: SamplePlane? = nil,
    alpha: SamplePlane? = nil
  ) throws(CodecError) {
    let (width, height) = (chromaFormat.chromaWidth(luma.width), chromaFormat.chromaHeight(luma.height))
    func isValid(_ plane: SamplePlane?) -> Bool {
      guard let plane else { return chromaFormat == .monochrome }
      return chromaFormat != .monochrome && plane.width == width && plane.height == height
        && plane.bitDepth == luma.bitDepth
    }
    guard isValid(cb), isValid(cr) else {
      throw CodecError(.invalidArgument, "the chroma planes do not match \(chromaFormat.rawValue) luma")
    }
    (self.chromaFormat, self.coding) = (chromaFormat, coding)
    (self.luma, self.cb, self.cr) = (luma, cb, cr)
    try setAlpha(alpha)
  }

  /// Sets or removes the alpha plane.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` if the plane does not have the size of luma.
  public mutating func setAlpha(_ plane: SamplePlane?) throws(CodecError) {
    guard plane.map({ $0.width == width && $0.height == height }) ?? true else {
      throw CodecError(.invalidArgument, "the alpha plane does not have the size of luma")
    }
    alpha = plane
  }

  /// Calls `body` with a plane to modify in place. `body` must not change the plane's size or depth.
  public mutating func withMutablePlane<E: Error>(
    _ component: Component, _ body: (inout SamplePlane) throws(E) -> Void
  ) throws(E) {
    switch component {
    case .luma: try body(&luma)
    case .cb: if cb != nil { try Self.modify(&cb, body) }
    case .cr: if cr != nil { try Self.modify(&cr, body) }
    case .alpha: if alpha != nil { try Self.modify(&alpha, body) }
    }
  }

  /// Moves the plane out of its property while `body` modifies it. The plane is then uniquely referenced and not
  /// copied.
  private static func modify<E: Error>(
    _ plane: inout SamplePlane?, _ body: (inout SamplePlane) throws(E) -> Void
  ) throws(E) {
    guard var taken = plane.take() else { return }
    defer { plane = taken }
    try body(&taken)
  }

  /// The role of a plane.
  public enum Component: Hashable, Sendable, CaseIterable {
    /// As the properties of the picture with these names.
    case luma, cb, cr, alpha
  }

  /// Returns the plane of a role; `nil` if the picture has none.
  public func plane(_ component: Component) -> SamplePlane? {
    switch component {
    case .luma: luma
    case .cb: cb
    case .cr: cr
    case .alpha: alpha
    }
  }
}
