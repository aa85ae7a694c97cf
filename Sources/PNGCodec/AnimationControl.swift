// acTL and fcTL, PNG section 11.3.6: how many frames there are, where each one goes and for how long.

internal import ImageCore

/// acTL: marks a PNG as animated.
struct AnimationControl: Hashable, Sendable {
  let frameCount: Int
  let loopCount: LoopCount

  init(parsing reader: inout ByteReader) throws(DecodeError) {
    guard reader.remaining == 8 else { throw reader.error(.malformed, "acTL is not 8 bytes long") }
    frameCount = Int(try reader.readUInt32BigEndian())
    loopCount = LoopCount(rawCount: Int(try reader.readUInt32BigEndian()))
    guard frameCount > 0, frameCount <= 0x7FFF_FFFF else {
      throw reader.error(.malformed, "acTL states \(frameCount) frames")
    }
  }
}

/// fcTL: one frame of an animation.
struct FrameControl: Hashable, Sendable {
  let sequenceNumber: UInt32
  let frame: AnimationFrameInfo

  /// Reads fcTL.
  ///
  /// - Throws: ``DecodeError/Kind/malformed`` when the frame does not lie within `canvas` or a code is unknown.
  init(parsing reader: inout ByteReader, canvas: PixelSize, isOpaque: Bool) throws(DecodeError) {
    guard reader.remaining == 26 else { throw reader.error(.malformed, "fcTL is not 26 bytes long") }
    sequenceNumber = try reader.readUInt32BigEndian()
    let width = Int(try reader.readUInt32BigEndian())
    let height = Int(try reader.readUInt32BigEndian())
    let x = Int(try reader.readUInt32BigEndian())
    let y = Int(try reader.readUInt32BigEndian())
    let region = PixelRegion(x: x, y: y, width: width, height: height)
    guard width > 0, height > 0, region.fits(in: canvas) else {
      throw reader.error(.malformed, "a frame of \(width) × \(height) at \(x), \(y) leaves the canvas")
    }
    let delay = Self.delay(
      numerator: try reader.readUInt16BigEndian(), denominator: try reader.readUInt16BigEndian())
    let disposal: AnimationFrameInfo.Disposal =
      switch try reader.readUInt8() {
      case 0: .keep
      case 1: .clear
      case 2: .restorePrevious
      default: throw reader.error(.malformed, "fcTL states an unknown disposal")
      }
    let blend: AnimationFrameInfo.Blend =
      switch try reader.readUInt8() {
      case 0: .replace
      case 1: .over
      default: throw reader.error(.malformed, "fcTL states an unknown blending")
      }
    frame = AnimationFrameInfo(
      region: region, storedDelay: delay, disposal: disposal, blend: blend, isOpaque: isOpaque)
  }

  /// A denominator of 0 stands for 100.
  private static func delay(numerator: UInt16, denominator: UInt16) -> Duration {
    .nanoseconds(Int64(numerator) * 1_000_000_000 / Int64(denominator == 0 ? 100 : denominator))
  }
}
