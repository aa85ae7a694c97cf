// Conversion of bitmaps to and from Core Graphics images, if the platform has Core Graphics.

#if canImport(CoreGraphics)
  public import CoreGraphics
  internal import Foundation

  extension Bitmap {
    /// Returns a Core Graphics image with the bitmap's pixels and colour space. The pixels are converted to RGBA with 8
    /// bits per sample, or with 16 if the bitmap's samples have more than 8 bits.
    ///
    /// - Throws: ``CodecError/Kind/invalidArgument`` if the bitmap is empty or Core Graphics rejects it.
    public func makeCGImage() throws(CodecError) -> CGImage {
      let isDeep = format.sampleType != .uint8
      let pixels = try converted(to: isDeep ? .rgba16 : .rgba8)
      var info = CGBitmapInfo(rawValue: CGImageAlphaInfo.last.rawValue)
      if isDeep { info.insert(.byteOrder16Little) }
      let profile = pixels.colorSpace.iccProfile.flatMap { CGColorSpace(iccData: Data($0) as CFData) }
      guard !isEmpty,
        let space = profile.flatMap({ $0.model == .rgb ? $0 : nil }) ?? CGColorSpace(name: Self.name(of: colorSpace)),
        let provider = CGDataProvider(data: Data(pixels.packedPixels) as CFData),
        // SAFETY: no decode array is passed.
        let image = unsafe CGImage(
          width: width, height: height, bitsPerComponent: isDeep ? 16 : 8, bitsPerPixel: isDeep ? 64 : 32,
          bytesPerRow: width * (isDeep ? 8 : 4), space: space, bitmapInfo: info, provider: provider, decode: nil,
          shouldInterpolate: true, intent: .defaultIntent)
      else { throw CodecError(.invalidArgument, "Core Graphics cannot represent the bitmap") }
      return image
    }

    private static func name(of space: ColorSpace) -> CFString {
      switch space.definition {
      case .codePoints(let points) where points.colorPrimaries == 12: CGColorSpace.displayP3
      case .codePoints(let points) where points.transferFunction == 16: CGColorSpace.itur_2100_PQ
      case .codePoints(let points) where points.transferFunction == 18: CGColorSpace.itur_2100_HLG
      default: CGColorSpace.sRGB
      }
    }

    /// Creates a straight 8-bit RGBA bitmap from a Core Graphics image, in the image's RGB colour space or, for other
    /// colour models, in sRGB. The ICC profile of the colour space is attached.
    ///
    /// - Throws: ``CodecError/Kind/invalidArgument`` if Core Graphics cannot draw the image,
    ///   ``CodecError/Kind/limitExceeded`` if its size exceeds `limits`.
    public init(cgImage image: CGImage, limits: DecodingLimits = .default) throws(CodecError) {
      let own = image.colorSpace.flatMap { $0.model == .rgb && $0.supportsOutput ? $0 : nil }
      let premultiplied = PixelFormat.rgba8.premultiplied
      var isDrawn = false
      let drawn = try Bitmap(width: image.width, height: image.height, format: premultiplied, limits: limits) {
        (bytes) throws(CodecError) in
        guard let space = own ?? CGColorSpace(name: CGColorSpace.sRGB) else { return }
        let bytesPerRow = image.width * 4
        unsafe bytes.withUnsafeMutableBytes { buffer in
          // SAFETY: the buffer has the size passed to the context, and outlives it.
          guard
            let context = unsafe CGContext(
              data: buffer.baseAddress, width: image.width, height: image.height, bitsPerComponent: 8,
              bytesPerRow: bytesPerRow, space: space, bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
          else { return }
          context.draw(image, in: CGRect(x: 0, y: 0, width: image.width, height: image.height))
          isDrawn = true
        }
      }
      guard isDrawn else { throw CodecError(.invalidArgument, "Core Graphics cannot draw the image") }
      self = try drawn.converted(to: .rgba8)
      if let profile = (own ?? CGColorSpace(name: CGColorSpace.sRGB))?.copyICCData() {
        colorSpace = .icc(Array(profile as Data))
      }
    }
  }
#endif
