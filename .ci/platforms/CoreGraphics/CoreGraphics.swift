// Images, contexts and colour spaces of Core Graphics.

public import Foundation

public typealias CFData = Data
public typealias CFString = String

public enum CGColorSpaceModel: Int32, Sendable {
  case unknown = -1
  case monochrome, rgb, cmyk, lab, deviceN, indexed, pattern, XYZ
}

public final class CGColorSpace: @unchecked Sendable {
  public init?(name: CFString) { nil }
  public init?(iccData: CFData) { nil }
  public var model: CGColorSpaceModel { .unknown }
  public var supportsOutput: Bool { false }
  public func copyICCData() -> CFData? { nil }

  public class var sRGB: CFString { "" }
  public class var linearSRGB: CFString { "" }
  public class var itur_709_PQ: CFString { "" }
  public class var itur_709_HLG: CFString { "" }
  public class var displayP3: CFString { "" }
  public class var linearDisplayP3: CFString { "" }
  public class var displayP3_PQ: CFString { "" }
  public class var displayP3_HLG: CFString { "" }
  public class var itur_2020: CFString { "" }
  public class var linearITUR_2020: CFString { "" }
  public class var itur_2100_PQ: CFString { "" }
  public class var itur_2100_HLG: CFString { "" }
}

public enum CGColorRenderingIntent: Int32, Sendable {
  case defaultIntent, absoluteColorimetric, relativeColorimetric, perceptual, saturation
}

public enum CGImageAlphaInfo: UInt32, Sendable {
  case none, premultipliedLast, premultipliedFirst, last, first, noneSkipLast, noneSkipFirst, alphaOnly
}

public struct CGBitmapInfo: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static var byteOrder16Little: CGBitmapInfo { CGBitmapInfo(rawValue: 1 << 12) }
}

public final class CGDataProvider {
  public init?(data: CFData) { nil }
}

public final class CGImage {
  public init?(
    width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int, space: CGColorSpace,
    bitmapInfo: CGBitmapInfo, provider: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool,
    intent: CGColorRenderingIntent
  ) { nil }
  public var width: Int { 0 }
  public var height: Int { 0 }
  public var colorSpace: CGColorSpace? { nil }
}

public final class CGContext {
  public init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
    space: CGColorSpace, bitmapInfo: UInt32
  ) { nil }
  public func draw(_ image: CGImage, in rectangle: CGRect, byTiling: Bool = false) {}
}
