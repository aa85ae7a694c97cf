// The start of an entry whose type does not tell how its picture is stored.

internal import ImageCoding

/// The properties of a picture that its first bytes tell. Its decoder checks them.
struct PictureHeader {
  /// How the picture is stored; `nil` if that is not known.
  private(set) var coding: IconFamily.Picture.Coding?
  /// The size in pixels, of picture files only.
  private(set) var size: PixelSize?
  private(set) var bitDepth: Int?
  private(set) var colorModel: ImageInfo.StoredColorModel?
  private(set) var bitsPerPixel: Int?

  /// The larger side of pictures whose size is believed before they are decoded.
  private static let maximumSide: UInt32 = 1 << 16

  /// - Parameters:
  ///   - range: the range of the picture in the file, which may exceed the input.
  ///   - allowsPlanes: whether bytes that are not those of a file are planes of red, green and blue.
  init(_ bytes: Span<UInt8>, in range: Range<Int>, allowsPlanes: Bool) {
    let available = range.clamped(to: 0..<bytes.count)
    guard !available.isEmpty || range.isEmpty else { return }
    let picture = bytes.extracting(available)
    switch FourCharacterCode(picture, at: 0)?.rawValue {
    case 0x8950_4E47:
      coding = .png
      readPNG(picture)
    case 0xFF4F_FF51:
      coding = .jpeg2000
      readCodestream(picture)
    case 0x0000_000C where FourCharacterCode(picture, at: 4) == "jP  ":
      coding = .jpeg2000
      readBoxes(picture)
    case 0x4152_4742: (coding, bitDepth, colorModel, bitsPerPixel) = (.argb, 8, .rgb, 32)
    case nil where available.count < range.count: break
    default: if allowsPlanes { (coding, bitDepth, colorModel, bitsPerPixel) = (.rgb, 8, .rgb, 24) }
    }
  }

  /// Reads the header chunk of a PNG file, in which the width is at 16 bytes.
  private mutating func readPNG(_ picture: Span<UInt8>) {
    guard picture.count >= 26 else { return }
    setSize(width: FourCharacterCode(picture, at: 16)?.rawValue, height: FourCharacterCode(picture, at: 20)?.rawValue)
    let colorType = picture[25]
    let models: [UInt8: (ImageInfo.StoredColorModel, Int)] = [
      0: (.gray, 1), 2: (.rgb, 3), 3: (.palette, 1), 4: (.gray, 2), 6: (.rgb, 4),
    ]
    guard let (model, sampleCount) = models[colorType] else { return }
    (bitDepth, colorModel, bitsPerPixel) = (Int(picture[24]), model, Int(picture[24]) * sampleCount)
  }

  /// Reads the SIZ segment of a codestream: the size and the offset of the image on the reference grid, then the
  /// components.
  private mutating func readCodestream(_ picture: Span<UInt8>) {
    guard picture.count >= 43, let right = FourCharacterCode(picture, at: 8)?.rawValue,
      let bottom = FourCharacterCode(picture, at: 12)?.rawValue,
      let left = FourCharacterCode(picture, at: 16)?.rawValue,
      let top = FourCharacterCode(picture, at: 20)?.rawValue, right > left, bottom > top
    else { return }
    setSize(width: right - left, height: bottom - top)
    setComponents(Int(picture[40]) << 8 | Int(picture[41]), precision: picture[42])
  }

  /// Reads the image header box, which is the first one in the JP2 header box.
  private mutating func readBoxes(_ picture: Span<UInt8>) {
    var position = 12
    // The file type box is the only one that precedes the header.
    for _ in 0..<2 {
      guard let length = FourCharacterCode(picture, at: position)?.rawValue,
        let type = FourCharacterCode(picture, at: position + 4)
      else { return }
      if type == "jp2h" {
        let content = position + 16
        guard FourCharacterCode(picture, at: position + 12) == "ihdr", picture.count >= content + 11 else { return }
        setSize(
          width: FourCharacterCode(picture, at: content + 4)?.rawValue,
          height: FourCharacterCode(picture, at: content)?.rawValue)
        return setComponents(
          Int(picture[content + 8]) << 8 | Int(picture[content + 9]), precision: picture[content + 10])
      }
      guard length >= 8, length <= UInt32(clamping: picture.count) else { return }
      position += Int(length)
    }
  }

  private mutating func setSize(width: UInt32?, height: UInt32?) {
    guard let width, let height, width > 0, height > 0, width <= Self.maximumSide, height <= Self.maximumSide else {
      return
    }
    size = PixelSize(width: Int(width), height: Int(height))
  }

  /// - Parameter precision: the number of bits less 1, with the highest bit set for signed samples; 255 if they differ
  ///   between components.
  private mutating func setComponents(_ count: Int, precision: UInt8) {
    guard precision != 255 else { return }
    let bits = Int(precision & 0x7F) + 1
    (bitDepth, bitsPerPixel) = (bits, bits * count)
    colorModel = count < 3 ? .gray : .rgb
  }
}
