// The decoder that renders SVG at the size a request specifies.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ImageRequest.UserInfoKey {
  /// The size in pixels into which an SVG is fitted, as an `ImageSize`.
  public static let svgTargetSizeKey: ImageRequest.UserInfoKey = "github.com/swift-image-codecs/svgTargetSize"
  /// The fonts for the text of an SVG, as a `FontProvider`.
  public static let svgFontsKey: ImageRequest.UserInfoKey = "github.com/swift-image-codecs/svgFonts"
}

extension ImageDecoders {
  /// Renders SVG documents at the size of the request's thumbnail or of its
  /// ``ImageRequest/UserInfoKey/svgTargetSizeKey``, otherwise at their intrinsic size. Text uses the fonts of
  /// ``ImageRequest/UserInfoKey/svgFontsKey``.
  ///
  /// The name leaves `ImageDecoders.SVG` to applications that declare a decoder with that name.
  public struct VectorImage: ImageDecoding {
    private let target: ImageRequest.ThumbnailOptions?
    private let scale: Double
    private let fonts: FontProvider
    private let shouldCancel: (@Sendable () -> Bool)?

    /// Creates a decoder that fits documents into a size in pixels, or uses their intrinsic size. Without fonts, text
    /// is not drawn.
    public init(targetSize: ImageSize? = nil, scale: Double = 1, fonts: FontProvider = FontProvider()) {
      self.init(target: targetSize.map(Self.fitting), scale: scale, fonts: fonts)
    }

    private init(
      target: ImageRequest.ThumbnailOptions?, scale: Double, fonts: FontProvider,
      shouldCancel: (@Sendable () -> Bool)? = nil
    ) {
      self.target = target
      self.scale = scale
      self.fonts = fonts
      self.shouldCancel = shouldCancel
    }

    private static func fitting(_ size: ImageSize) -> ImageRequest.ThumbnailOptions {
      ImageRequest.ThumbnailOptions(size: size, unit: .pixels, contentMode: .aspectFit)
    }

    /// Creates a decoder for the image of a context. Returns `nil` unless the data is complete and is SVG according to
    /// its content, its MIME type or the extension in its URL.
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
      self.init(
        target: requested.map(Self.fitting) ?? context.request.thumbnail, scale: Double(context.request.scale),
        fonts: context.request.userInfo[.svgFontsKey] as? FontProvider ?? FontProvider(),
        shouldCancel: context.shouldCancel)
    }

    /// Renders the document.
    ///
    /// - Throws: ``ImageDecodingError/codec(_:)``.
    public func decode(_ data: Data) throws -> ImageContainer {
      do throws(CodecError) {
        var options = SVGDocument.Options.withBuiltInPictures
        options.fonts = fonts
        var budget = ResourceBudget(.default, format: SVGDecoder.type, shouldCancel: shouldCancel)
        let document = try SVGDocument(parsing: data.span, options: options, budget: &budget)
        let size = target?.pixelSize(for: document.pixelSize(), isDrawing: true)
        var bitmap = try document.render(width: size?.width, height: size?.height, budget: &budget)
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
