// Uses of Nuke's symbols: that this file compiles shows that they exist. Names are those of COMING-FROM-NUKE.md.

import Foundation
import ImageLoading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension SymbolUses {
  mutating func useImageProcessing() {
    use("ImageProcessing", (any ImageProcessing).self)
    use("ImageProcessing.hashableIdentifier", { (x: (any ImageProcessing)) in x.hashableIdentifier })
    use("ImageProcessing.identifier", { (x: (any ImageProcessing)) in x.identifier })
    use("ImageProcessing.process(_:)", { (x: any ImageProcessing, image: PlatformImage) in x.process(image) })
    use(
      "ImageProcessing.process(_:context:)",
      { (x: any ImageProcessing, a: ImageContainer, b: ImageProcessingContext) in try x.process(a, context: b) })
    use("ImageProcessing.process(id:_:)", { () -> any ImageProcessing in .process(id: "id") { $0 } })
    use("ImageProcessing.circle(border:)", { () -> any ImageProcessing in .circle(border: nil) })
    use("ImageProcessing.gaussianBlur(radius:)", { () -> any ImageProcessing in .gaussianBlur(radius: 3) })
    use(
      "ImageProcessing.resize(height:unit:upscale:)",
      { () -> any ImageProcessing in .resize(height: 3, unit: .pixels, upscale: true) })
    use(
      "ImageProcessing.resize(size:unit:contentMode:crop:upscale:)",
      { (size: CGSize) -> any ImageProcessing in
        .resize(size: size, unit: .pixels, contentMode: .aspectFit, crop: true, upscale: true)
      })
    use(
      "ImageProcessing.resize(width:unit:upscale:)",
      { () -> any ImageProcessing in .resize(width: 3, unit: .pixels, upscale: true) })
    use(
      "ImageProcessing.roundedCorners(radius:unit:border:)",
      { () -> any ImageProcessing in .roundedCorners(radius: 3, unit: .pixels, border: nil) })
  }

  mutating func useImageProcessingContext() {
    use("ImageProcessingContext", ImageProcessingContext.self)
    use(
      "ImageProcessingContext.init(request:response:isCompleted:)",
      ImageProcessingContext.init(request:response:isCompleted:))
    use("ImageProcessingContext.isCompleted", \ImageProcessingContext.isCompleted)
    use("ImageProcessingContext.request", \ImageProcessingContext.request)
    use("ImageProcessingContext.response", \ImageProcessingContext.response)
  }

  mutating func useImageProcessingError() {
    use("ImageProcessingError", ImageProcessingError.self)
    use("ImageProcessingError.description", \ImageProcessingError.description)
    use("ImageProcessingError.unknown", ImageProcessingError.unknown)
  }

  mutating func useImageProcessingOptions() {
    use("ImageProcessingOptions", ImageProcessingOptions.self)
    use("ImageProcessingOptions.Border", ImageProcessingOptions.Border.self)
    use("ImageProcessingOptions.Border.color", \ImageProcessingOptions.Border.color)
    use("ImageProcessingOptions.Border.description", \ImageProcessingOptions.Border.description)
    use("ImageProcessingOptions.Border.init(color:width:unit:)", ImageProcessingOptions.Border.init(color:width:unit:))
    use("ImageProcessingOptions.Border.width", \ImageProcessingOptions.Border.width)
    use("ImageProcessingOptions.ContentMode", ImageProcessingOptions.ContentMode.self)
    use("ImageProcessingOptions.ContentMode.aspectFill", ImageProcessingOptions.ContentMode.aspectFill)
    use("ImageProcessingOptions.ContentMode.aspectFit", ImageProcessingOptions.ContentMode.aspectFit)
    use("ImageProcessingOptions.ContentMode.description", \ImageProcessingOptions.ContentMode.description)
    use("ImageProcessingOptions.Unit", ImageProcessingOptions.Unit.self)
    use("ImageProcessingOptions.Unit.description", \ImageProcessingOptions.Unit.description)
    use("ImageProcessingOptions.Unit.pixels", ImageProcessingOptions.Unit.pixels)
    use("ImageProcessingOptions.Unit.points", ImageProcessingOptions.Unit.points)
  }

  mutating func useImageProcessors() {
    use("ImageProcessors", ImageProcessors.self)
    use("ImageProcessors.Anonymous", ImageProcessors.Anonymous.self)
    use("ImageProcessors.Anonymous.description", \ImageProcessors.Anonymous.description)
    use("ImageProcessors.Anonymous.identifier", \ImageProcessors.Anonymous.identifier)
    use("ImageProcessors.Anonymous.init(id:_:)", ImageProcessors.Anonymous.init(id:_:))
    use(
      "ImageProcessors.Anonymous.process(_:)",
      { (x: ImageProcessors.Anonymous, image: PlatformImage) in x.process(image) })
    use("ImageProcessors.Circle", ImageProcessors.Circle.self)
    use("ImageProcessors.Circle.description", \ImageProcessors.Circle.description)
    use("ImageProcessors.Circle.identifier", \ImageProcessors.Circle.identifier)
    use("ImageProcessors.Circle.init(border:)", ImageProcessors.Circle.init(border:))
    use("ImageProcessors.Circle.process(_:)", { (x: ImageProcessors.Circle, image: PlatformImage) in x.process(image) })
    use("ImageProcessors.Composition", ImageProcessors.Composition.self)
    use(
      "ImageProcessors.Composition.==(lhs:rhs:)",
      { (a: ImageProcessors.Composition, b: ImageProcessors.Composition) in a == b })
    use("ImageProcessors.Composition.description", \ImageProcessors.Composition.description)
    use("ImageProcessors.Composition.hash(into:)", ImageProcessors.Composition.hash(into:))
    use("ImageProcessors.Composition.identifier", \ImageProcessors.Composition.identifier)
    use("ImageProcessors.Composition.init(_:)", ImageProcessors.Composition.init(_:))
    use(
      "ImageProcessors.Composition.process(_:)",
      { (x: ImageProcessors.Composition, image: PlatformImage) in x.process(image) })
    use(
      "ImageProcessors.Composition.process(_:context:)",
      { (x: ImageProcessors.Composition, a: ImageContainer, b: ImageProcessingContext) in try x.process(a, context: b) }
    )
    use("ImageProcessors.GaussianBlur", ImageProcessors.GaussianBlur.self)
    use("ImageProcessors.GaussianBlur.description", \ImageProcessors.GaussianBlur.description)
    use("ImageProcessors.GaussianBlur.identifier", \ImageProcessors.GaussianBlur.identifier)
    use("ImageProcessors.GaussianBlur.init(radius:)", ImageProcessors.GaussianBlur.init(radius:))
    use(
      "ImageProcessors.GaussianBlur.process(_:)",
      { (x: ImageProcessors.GaussianBlur, image: PlatformImage) in x.process(image) })
    use("ImageProcessors.Resize", ImageProcessors.Resize.self)
    use("ImageProcessors.Resize.description", \ImageProcessors.Resize.description)
    use("ImageProcessors.Resize.identifier", \ImageProcessors.Resize.identifier)
    use("ImageProcessors.Resize.init(height:unit:upscale:)", ImageProcessors.Resize.init(height:unit:upscale:))
    use(
      "ImageProcessors.Resize.init(size:unit:contentMode:crop:upscale:)",
      { (size: CGSize) in
        ImageProcessors.Resize(size: size, unit: .points, contentMode: .aspectFit, crop: true, upscale: true)
      })
    use("ImageProcessors.Resize.init(width:unit:upscale:)", ImageProcessors.Resize.init(width:unit:upscale:))
    use("ImageProcessors.Resize.process(_:)", { (x: ImageProcessors.Resize, image: PlatformImage) in x.process(image) })
    use("ImageProcessors.RoundedCorners", ImageProcessors.RoundedCorners.self)
    use("ImageProcessors.RoundedCorners.description", \ImageProcessors.RoundedCorners.description)
    use("ImageProcessors.RoundedCorners.identifier", \ImageProcessors.RoundedCorners.identifier)
    use(
      "ImageProcessors.RoundedCorners.init(radius:unit:border:)",
      ImageProcessors.RoundedCorners.init(radius:unit:border:))
    use(
      "ImageProcessors.RoundedCorners.process(_:)",
      { (x: ImageProcessors.RoundedCorners, image: PlatformImage) in x.process(image) })
  }

  mutating func usePlatformColor() {
    use("PlatformColor", PlatformColor.self)
  }

  mutating func useProcessingSymbols() {
    useImageProcessing()
    useImageProcessingContext()
    useImageProcessingError()
    useImageProcessingOptions()
    useImageProcessors()
    usePlatformColor()
  }
}
