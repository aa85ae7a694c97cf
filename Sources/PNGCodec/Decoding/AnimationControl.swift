// acTL and fcTL, PNG section 11.3.6: the number of frames, and the position and duration of each.

internal import ImageCoding

/// acTL: marks a PNG as animated.
struct AnimationControl: Hashable, Sendable {
  let frameCount: Int
  let loopCount: LoopCount

  init(parsing reader: inout ByteReader) throws(CodecError) {
    guard reader.remaining == 8 else { throw reader.error(.malformed, "acTL is not 8 bytes long") }
    frameCount = Int(clamping: try reader.readUInt32BigEndian())
    loopCount = LoopCount(rawCount: Int(clamping: try reader.readUInt32BigEndian()))
    guard frameCount > 0, frameCount <= 0x7FFF_FFFF else {
      throw reader.error(.malformed, "acTL declares \(frameCount) frames")
    }
  }
}

/// fcTL: one frame of an animation.
struct FrameControl: Hashable, Sendable {
  let sequenceNumber: UInt32
  let frame: AnimationFrameInfo

  /// Parses fcTL.
  ///
  /// - Throws: `CodecError.Kind.malformed` if the frame extends outside `canvas` or a code is unknown.
  init(parsing reader: inout ByteReader, canvas: PixelSize, isOpaque: Bool) throws(CodecError) {
    guard reader.remaining == 26 else { throw reader.error(.malformed, "fcTL is not 26 bytes long") }
    sequenceNumber = try reader.readUInt32BigEndian()
    let width = Int(clamping: try reader.readUInt32BigEndian())
    let height = Int(clamping: try reader.readUInt32BigEndian())
    let x = Int(clamping: try reader.readUInt32BigEndian())
    let y = Int(clamping: try reader.readUInt32BigEndian())
    let region = PixelRegion(x: x, y: y, width: width, height: height)
    guard width > 0, height > 0, region.fits(in: canvas) else {
      throw reader.error(.malformed, "a frame of \(width) × \(height) at \(x), \(y) extends outside the canvas")
    }
    let delay = Self.delay(
      numerator: try reader.readUInt16BigEndian(), denominator: try reader.readUInt16BigEndian())
    let disposal: AnimationFrameInfo.Disposal =
      switch try reader.readUInt8() {
      case 0: .keep
      case 1: .clear
      case 2: .restorePrevious
      default: throw reader.error(.malformed, "fcTL has an unknown disposal operation")
      }
    let blend: AnimationFrameInfo.Blend =
      switch try reader.readUInt8() {
      case 0: .replace
      case 1: .over
      default: throw reader.error(.malformed, "fcTL has an unknown blend operation")
      }
    frame = AnimationFrameInfo(
      region: region, storedDelay: delay, disposal: disposal, blend: blend, isOpaque: isOpaque)
  }

  /// A denominator of 0 means 100.
  private static func delay(numerator: UInt16, denominator: UInt16) -> Duration {
    .nanoseconds(Int64(numerator) * 1_000_000_000 / Int64(denominator == 0 ? 100 : denominator))
  }
}
