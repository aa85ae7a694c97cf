// The border of processors that cut an image to a shape.

public import Foundation

/// The colour type of processors on all platforms: 8-bit sRGB.
public typealias PlatformColor = RGBA8

extension ImageProcessingOptions {
  /// A border along the inside of a shape.
  public struct Border: Hashable, Sendable, CustomStringConvertible {
    /// The colour.
    public let color: PlatformColor
    /// The width in pixels.
    public let width: CGFloat

    /// Creates a border.
    ///
    /// - Parameters:
    ///   - color: the colour of the border.
    ///   - width: the width in pixels.
    ///   - unit: has no effect, because there is no screen: a point is a pixel.
    public init(color: PlatformColor, width: CGFloat = 1, unit: Unit = .points) {
      self.color = color
      self.width = width
    }

    /// The colour, with its alpha unless it is opaque, and the width in one line.
    public var description: String {
      let alpha = color.alpha < 255 ? [color.alpha] : []
      let samples = ([color.red, color.green, color.blue] + alpha).map { sample in
        (sample < 16 ? "0" : "") + String(sample, radix: 16, uppercase: true)
      }
      return "Border(color: #\(samples.joined()), width: \(width) pixels)"
    }
  }
}
