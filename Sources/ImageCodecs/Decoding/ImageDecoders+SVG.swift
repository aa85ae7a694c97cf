// The decoder that draws SVG at the size that a request asks for.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ImageRequest.UserInfoKey {
  /// The size in pixels at which an SVG is drawn, an ``ImageSize``: the drawing fits into it.
  public static let svgTargetSizeKey: ImageRequest.UserInfoKey = "github.com/swift-image-codecs/svgTargetSize"
}

extension ImageDecoders {
  /// Draws SVG documents at the size of the request's thumbnail or of its ``ImageRequest/UserInfoKey/svgTargetSizeKey``,
  /// else at their own.
  public struct SVG: ImageDecoding {
    private let targetSize: ImageSize?
    private let scale: Double

    /// Draws at a size into which the document is fitted, or at its own.
    public init(targetSize: ImageSize? = nil, scale: Double = 1) {
      self.targetSize = targetSize
      self.scale = scale
    }

    /// A decoder for the image of a context; `nil` unless the data is complete and is SVG by its content, its MIME type
    /// or the suffix of its URL.
    public init?(context: ImageDecodingContext) {
      guard context.isCompleted else { return nil }
      let isKnown = SVGDecoder().probe(context.data.span) == .yes(SVGDecoder.type)
      let type = context.urlResponse?.mimeType?.lowercased() ?? ""
      let path = context.urlResponse?.url?.path.lowercased() ?? ""
      guard
        isKnown || type.hasPrefix("image/svg+xml")
          || type.isEmpty && (path.hasSuffix(".svg") || path.hasSuffix(".svgz"))
      else { return nil }
      let requested = context.request.userInfo[.svgTargetSizeKey] as? ImageSize
      self.init(targetSize: requested ?? context.request.thumbnail?.drawingSize, scale: context.request.scale)
    }

    /// Draws the document.
    ///
    /// - Throws: ``ImageDecodingError/codec(_:)``.
    public func decode(_ data: Data) throws -> ImageContainer {
      do throws(DecodeError) {
        let document = try SVGDocument(parsing: data.span, options: .withBuiltInPictures)
        let size = document.intrinsicSize
        var bitmap: Bitmap
        if let targetSize, size.width > 0, size.height > 0 {
          let factor = min(targetSize.width / size.width, targetSize.height / size.height)
          bitmap = try document.render(scale: factor)
        } else {
          bitmap = try document.render()
        }
        bitmap.scale = scale
        var container = ImageContainer(image: bitmap, type: .svg)
        if !document.diagnostics.isEmpty { container.userInfo[.diagnosticsKey] = document.diagnostics }
        return container
      } catch {
        throw ImageDecodingError.codec(error)
      }
    }
  }
}

extension ImageRequest.ThumbnailOptions {
  /// The size into which a drawing is fitted.
  var drawingSize: ImageSize {
    switch target {
    case .longestSide(let side): ImageSize(width: side, height: side)
    case .size(let size, _): size
    }
  }
}
