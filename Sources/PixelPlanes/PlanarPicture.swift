// A picture as video and image codecs code it: luma, chroma and alpha in planes of their own, with what is needed to
// make colours of them.

public import ImageCore

/// A picture of separate Y, Cb and Cr planes, and alpha where there is one.
///
/// Chroma planes have the size that ``chromaFormat`` implies, rounded up. All planes have one bit depth, except for
/// alpha, which may have its own.
public struct PlanarPicture: Hashable, Sendable {
  /// What the samples of a picture mean.
  public struct Coding: Hashable, Sendable {
    /// The matrix between RGB and the planes.
    public var matrix: MatrixCoefficients
    /// Which values samples take. Alpha always has the full range.
    public var range: SampleRange
    /// Where chroma samples lie between luma samples.
    public var siting: ChromaSiting

    /// Creates a description.
    public init(
      matrix: MatrixCoefficients = .unspecified, range: SampleRange = .limited, siting: ChromaSiting = .left
    ) {
      self.matrix = matrix
      self.range = range
      self.siting = siting
    }

    /// BT.601, full range, centred chroma. ITU-T T.871.
    public static let jfif = Coding(matrix: .bt601, range: .full, siting: .center)
    /// BT.601, limited range, centred chroma. RFC 6386, section 9.2.
    public static let webP = Coding(matrix: .bt601, range: .limited, siting: .center)
  }

  /// The sampling of the chroma planes.
  public let chromaFormat: ChromaFormat
  /// What the samples mean.
  public var coding: Coding
  /// Y; G where the matrix is ``MatrixCoefficients/identity``.
  public private(set) var luma: SamplePlane
  /// Cb; B where the matrix is the identity; `nil` when monochrome.
  public private(set) var cb: SamplePlane?
  /// Cr; R where the matrix is the identity; `nil` when monochrome.
  public private(set) var cr: SamplePlane?
  /// Alpha at the resolution of luma, full range; `nil` when opaque.
  public private(set) var alpha: SamplePlane?
  /// Whether the colour planes are multiplied by alpha.
  public var isPremultiplied = false
  /// What the colours mean, as the file states it.
  public var colorSpace: ColorSpace = .unspecified

  /// Columns of luma.
  public var width: Int { luma.width }
  /// Rows of luma.
  public var height: Int { luma.height }
  /// Bits of a colour sample, 8…16.
  public var bitDepth: Int { luma.bitDepth }

  /// A picture of black luma and neutral chroma, whose memory is charged to `budget`.
  ///
  /// - Parameter stride: luma samples from row to row; `nil` packs the rows.
  /// - Throws: ``CodecError/Kind/limitExceeded``; ``CodecError/Kind/unsupported`` for depths other than 8…16.
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
      // The second plane becomes memory of its own with the first write.
      try budget.allocatePixels(
        width: chromaFormat.chromaWidth(width), height: chromaFormat.chromaHeight(height),
        bytesPerPixel: bitDepth > 8 ? 2 : 1)
    }
    try self.init(chromaFormat: chromaFormat, coding: coding, luma: luma, cb: chroma, cr: chroma)
  }

  /// A picture of existing planes.
  ///
  /// - Throws: ``CodecError/Kind/invalidArgument`` when sizes or depths do not match.
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

  /// Attaches alpha samples, or removes them.
  ///
  /// - Throws: ``CodecError/Kind/invalidArgument`` unless the plane has the size of luma.
  public mutating func setAlpha(_ plane: SamplePlane?) throws(CodecError) {
    guard plane.map({ $0.width == width && $0.height == height }) ?? true else {
      throw CodecError(.invalidArgument, "the alpha plane does not have the size of luma")
    }
    alpha = plane
  }

  /// Lets `body` write to a plane in place. The plane must keep its size and depth.
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

  /// Takes the plane out while `body` writes, so that it has one owner and is not copied.
  private static func modify<E: Error>(
    _ plane: inout SamplePlane?, _ body: (inout SamplePlane) throws(E) -> Void
  ) throws(E) {
    guard var taken = plane.take() else { return }
    defer { plane = taken }
    try body(&taken)
  }

  /// A plane by its role.
  public enum Component: Hashable, Sendable, CaseIterable {
    case luma, cb, cr, alpha
  }

  /// The plane of a role; `nil` when there is none.
  public func plane(_ component: Component) -> SamplePlane? {
    switch component {
    case .luma: luma
    case .cb: cb
    case .cr: cr
    case .alpha: alpha
    }
  }
}
