// Animations frame by frame: what a player or a server asks of one.

/// The frames of an animation, composed on demand. Safe to use from many threads.
public protocol AnimatedImageSource: Sendable {
  /// The size of every composed frame.
  var canvasSize: PixelSize { get }
  /// The number of frames.
  var frameCount: Int { get }
  /// How often the animation plays.
  var loopCount: LoopCount { get }

  /// What the file says of a frame. Decodes nothing.
  ///
  /// - Parameter index: `0..<frameCount`.
  func frameInfo(at index: Int) -> AnimationFrameInfo

  /// A composed frame, as a player shows it. Frames may be asked for in any order.
  ///
  /// - Parameter index: `0..<frameCount`.
  func frame(at index: Int) throws(DecodeError) -> Bitmap

  /// A cursor for playing from the first frame on with one canvas.
  func makeCursor() -> AnimationCursor
}

extension AnimatedImageSource {
  /// The sum of all frames' display durations.
  public func duration(rule: FrameDurationRule = .browser) -> Duration {
    (0..<frameCount).reduce(.zero) { $0 + frameInfo(at: $1).displayDuration(rule: rule) }
  }
}

/// What the file says of a frame.
public struct AnimationFrameInfo: Hashable, Sendable {
  /// What becomes of a frame's region before the next frame is drawn.
  public enum Disposal: Hashable, Sendable {
    /// It stays.
    case keep
    /// It is cleared to transparent.
    case clear
    /// It becomes what it was before the frame.
    case restorePrevious
  }

  /// How a frame is drawn on what is there.
  public enum Blend: Hashable, Sendable {
    /// It replaces what is there, transparency included.
    case replace
    /// It is composited over what is there.
    case over
  }

  /// The part of the canvas that the frame covers.
  public var region: PixelRegion
  /// How long the frame is shown, as stored; see ``displayDuration(rule:)``.
  public var storedDelay: Duration
  /// What becomes of the region afterwards.
  public var disposal: Disposal
  /// How the frame is drawn.
  public var blend: Blend
  /// Whether the frame has no transparent pixels, as far as its headers tell.
  public var isOpaque: Bool

  /// Creates the facts of a frame.
  public init(
    region: PixelRegion, storedDelay: Duration, disposal: Disposal, blend: Blend, isOpaque: Bool = false
  ) {
    self.region = region
    self.storedDelay = storedDelay
    self.disposal = disposal
    self.blend = blend
    self.isOpaque = isOpaque
  }

  /// How long a player shows the frame.
  public func displayDuration(rule: FrameDurationRule) -> Duration {
    switch rule {
    case .raw: storedDelay
    case .browser: storedDelay <= .milliseconds(10) ? .milliseconds(100) : storedDelay
    case .minimum(let minimum): max(storedDelay, minimum)
    }
  }

  /// Whether drawing the frame leaves nothing of what was there.
  func covers(_ canvas: PixelSize) -> Bool {
    region == PixelRegion(x: 0, y: 0, width: canvas.width, height: canvas.height) && (blend == .replace || isOpaque)
  }
}

/// How stored delays become shown ones.
public enum FrameDurationRule: Hashable, Sendable {
  /// As browsers do: up to 10 ms become 100 ms.
  case browser
  /// As stored.
  case raw
  /// At least this long.
  case minimum(Duration)
}
