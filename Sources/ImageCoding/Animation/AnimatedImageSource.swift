// The interface of animations for players and servers: composed frames on demand.

public import ImageCore

/// The frames of an animation, composed on demand. Conforming types are safe to use from several threads.
public protocol AnimatedImageSource: AnyObject, Sendable {
  /// The size of every composed frame.
  var canvasSize: PixelSize { get }
  /// The number of frames.
  var frameCount: Int { get }
  /// The number of times the animation plays.
  var loopCount: LoopCount { get }
  /// The damage of the file that was tolerated when the animation was opened, such as that after which frames are left
  /// out. The default implementation returns none.
  var diagnostics: [ImageDiagnostic] { get }

  /// Returns the stored properties of a frame without decoding it.
  ///
  /// - Parameter index: `0..<frameCount`.
  /// - Precondition: the index is in this range, as for arrays.
  func frameInfo(at index: Int) -> AnimationFrameInfo

  /// Returns a composed frame, as a player shows it. Frames can be requested in any order. Each is a separate call,
  /// with the limits of the options that the animation was opened with.
  ///
  /// - Parameter index: `0..<frameCount`.
  /// - Precondition: the index is in this range, as for arrays.
  /// - Throws: the errors of the decoder.
  func frame(at index: Int) throws(CodecError) -> Bitmap

  /// Returns a composed frame as a part of a call with a budget, which is charged for all frames that have to be drawn
  /// for it, and on return holds the bytes of the frame. The default implementation calls ``frame(at:)`` after a check
  /// for cancellation.
  ///
  /// - Parameters:
  ///   - index: `0..<frameCount`.
  ///   - budget: charged with memory and work before they are spent.
  func frame(at index: Int, budget: inout ResourceBudget) throws(CodecError) -> Bitmap

  /// Returns the damage of a frame that was tolerated when it was drawn, without that of frames that it is drawn on. A
  /// frame that has not been drawn lately is drawn. The default implementation returns none.
  ///
  /// - Parameter index: `0..<frameCount`.
  /// - Throws: the errors of ``frame(at:)``.
  func diagnostics(ofFrameAt index: Int) throws(CodecError) -> [ImageDiagnostic]

  /// Creates a cursor that plays from the first frame, using a single canvas.
  func makeCursor() -> AnimationCursor
}

extension AnimatedImageSource {
  /// Returns a composed frame after a check for cancellation.
  public func frame(at index: Int, budget: inout ResourceBudget) throws(CodecError) -> Bitmap {
    try budget.checkpoint()
    let picture = try frame(at: index)
    try budget.allocate(picture.byteCount)
    return picture
  }

  /// No damage.
  public var diagnostics: [ImageDiagnostic] { [] }

  /// Returns no damage.
  public func diagnostics(ofFrameAt index: Int) throws(CodecError) -> [ImageDiagnostic] { [] }

  /// The total display duration of all frames.
  public func duration(rule: FrameDurationRule = .browser) -> Duration {
    (0..<frameCount).reduce(.zero) { $0 + frameInfo(at: $1).displayDuration(rule: rule) }
  }
}

/// The stored properties of a frame.
public struct AnimationFrameInfo: Hashable, Sendable {
  /// The disposal of a frame's region before the next frame is drawn.
  public enum Disposal: Hashable, Sendable {
    /// The region is left in place.
    case keep
    /// The region is cleared to transparent.
    case clear
    /// The region is restored to its state before the frame was drawn.
    case restorePrevious
  }

  /// The blending of a frame with the canvas.
  public enum Blend: Hashable, Sendable {
    /// The frame replaces the canvas, including its transparency.
    case replace
    /// The frame is composited over the canvas.
    case over
  }

  /// The rectangle of the canvas that the frame covers.
  public var region: PixelRegion
  /// The stored display time of the frame; see ``displayDuration(rule:)``.
  public var storedDelay: Duration
  /// The disposal of the region.
  public var disposal: Disposal
  /// The blending of the frame with the canvas.
  public var blend: Blend
  /// Whether the frame has no transparent pixels, as declared by its headers.
  public var isOpaque: Bool

  /// Creates the properties of a frame.
  public init(
    region: PixelRegion, storedDelay: Duration, disposal: Disposal, blend: Blend, isOpaque: Bool = false
  ) {
    self.region = region
    self.storedDelay = storedDelay
    self.disposal = disposal
    self.blend = blend
    self.isOpaque = isOpaque
  }

  /// Returns the time for which a player shows the frame.
  public func displayDuration(rule: FrameDurationRule) -> Duration {
    switch rule {
    case .raw: storedDelay
    case .browser: storedDelay <= .milliseconds(10) ? .milliseconds(100) : storedDelay
    case .minimum(let minimum): max(storedDelay, minimum)
    }
  }

  /// Whether drawing the frame overwrites the canvas entirely.
  func covers(_ canvas: PixelSize) -> Bool {
    region == PixelRegion(x: 0, y: 0, width: canvas.width, height: canvas.height) && (blend == .replace || isOpaque)
  }
}

/// The conversion of stored delays to display durations.
public enum FrameDurationRule: Hashable, Sendable {
  /// Delays up to 10 ms become 100 ms, as in browsers.
  case browser
  /// Stored delays are used unchanged.
  case raw
  /// Shorter delays are extended to this duration.
  case minimum(Duration)
}
