// Conversion of bitmaps to and from Core Graphics images, if the platform has Core Graphics.

#if canImport(CoreGraphics)
  public import CoreGraphics
  internal import Foundation

  extension Bitmap {
    /// Returns a Core Graphics image with the bitmap's pixels and colour space. The pixels are converted to RGBA with 8
    /// bits per sample, or with 16 if the bitmap's samples have more than 8 bits.
    ///
    /// - Throws: `CodecError.Kind.invalidArgument` if the bitmap is empty or Core Graphics rejects it.
    public func makeCGImage() throws(CodecError) -> CGImage {
      let isDeep = format.sampleType != .uint8
      let pixels = try converted(to: isDeep ? .rgba16 : .rgba8)
      var info = CGBitmapInfo(rawValue: CGImageAlphaInfo.last.rawValue)
      if isDeep { info.insert(.byteOrder16Little) }
      let profile = pixels.colorSpace.iccProfile.flatMap { CGColorSpace(iccData: Data($0) as CFData) }
      guard !isEmpty,
        let space = profile.flatMap({ $0.model == .rgb ? $0 : nil })
          ?? CGColorSpace(name: Self.name(of: DisplayColorSpace(colorSpace))),
        let provider = CGDataProvider(data: Data(pixels.packedPixels) as CFData),
        // SAFETY: no decode array is passed.
        let image = unsafe CGImage(
          width: width, height: height, bitsPerComponent: isDeep ? 16 : 8, bitsPerPixel: isDeep ? 64 : 32,
          bytesPerRow: width * (isDeep ? 8 : 4), space: space, bitmapInfo: info, provider: provider, decode: nil,
          shouldInterpolate: true, intent: .defaultIntent)
      else { throw CodecError(.invalidArgument, "Core Graphics cannot represent the bitmap") }
      return image
    }

    private static func name(of space: DisplayColorSpace) -> CFString {
      switch space {
      case .sRGB: CGColorSpace.sRGB
      case .linearSRGB: CGColorSpace.linearSRGB
      case .bt709PQ: CGColorSpace.itur_709_PQ
      case .bt709HLG: CGColorSpace.itur_709_HLG
      case .displayP3: CGColorSpace.displayP3
      case .linearDisplayP3: CGColorSpace.linearDisplayP3
      case .displayP3PQ: CGColorSpace.displayP3_PQ
      case .displayP3HLG: CGColorSpace.displayP3_HLG
      case .bt2020: CGColorSpace.itur_2020
      case .linearBT2020: CGColorSpace.linearITUR_2020
      case .bt2100PQ: CGColorSpace.itur_2100_PQ
      case .bt2100HLG: CGColorSpace.itur_2100_HLG
      }
    }

    /// Creates a straight 8-bit RGBA bitmap from a Core Graphics image, in the image's RGB colour space. For other colour
    /// models, and for spaces in which Core Graphics does not draw with 8 bits, such as those of extended range, it is in
    /// sRGB. The ICC profile of the colour space is attached.
    ///
    /// - Throws: `CodecError.Kind.invalidArgument` if Core Graphics cannot draw the image,
    ///   `CodecError.Kind.limitExceeded` if its size exceeds `limits`.
    public init(cgImage image: CGImage, limits: DecodingLimits = .default) throws(CodecError) {
      let own = image.colorSpace.flatMap { $0.model == .rgb && $0.supportsOutput ? $0 : nil }
      let spaces = [own, CGColorSpace(name: CGColorSpace.sRGB)].compactMap { $0 }
      let premultiplied = PixelFormat.rgba8.premultiplied
      var drawnSpace: CGColorSpace?
      let drawn = try Bitmap(width: image.width, height: image.height, format: premultiplied, limits: limits) {
        (bytes) throws(CodecError) in
        drawnSpace = spaces.first { Self.draw(image, in: $0, into: &bytes) }
      }
      guard let drawnSpace else { throw CodecError(.invalidArgument, "Core Graphics cannot draw the image") }
      self = try drawn.converted(to: .rgba8)
      if let profile = drawnSpace.copyICCData() { colorSpace = .icc(Array(profile as Data)) }
    }

    /// Draws an image into premultiplied RGBA pixels of its size. Returns `false` if Core Graphics has no context for the
    /// colour space.
    private static func draw(_ image: CGImage, in space: CGColorSpace, into bytes: inout MutableSpan<UInt8>) -> Bool {
      unsafe bytes.withUnsafeMutableBytes { buffer in
        // SAFETY: the buffer has the size passed to the context, and outlives it.
        guard
          let context = unsafe CGContext(
            data: buffer.baseAddress, width: image.width, height: image.height, bitsPerComponent: 8,
            bytesPerRow: image.width * 4, space: space, bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
        else { return false }
        context.draw(image, in: CGRect(x: 0, y: 0, width: image.width, height: image.height))
        return true
      }
    }
  }
#endif
