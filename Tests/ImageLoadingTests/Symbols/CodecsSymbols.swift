// Uses of Nuke's symbols: that this file compiles shows that they exist. Names are those of COMING-FROM-NUKE.md.

import Foundation
import ImageLoading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension SymbolUses {
  mutating func useAssetType() {
    use("AssetType", AssetType.self)
    use("AssetType.bmp", AssetType.bmp)
    use("AssetType.gif", AssetType.gif)
    use("AssetType.heic", AssetType.heic)
    use("AssetType.ico", AssetType.ico)
    use("AssetType.init(_:)", AssetType.init as (Data) -> AssetType?)
    use("AssetType.init(rawValue:)", AssetType.init(rawValue:))
    use("AssetType.init(stringLiteral:)", AssetType(stringLiteral: "a"))
    use("AssetType.jpeg", AssetType.jpeg)
    use("AssetType.jpeg2000", AssetType.jpeg2000)
    use("AssetType.jxl", AssetType.jxl)
    use("AssetType.m4v", AssetType.m4v)
    use("AssetType.mov", AssetType.mov)
    use("AssetType.mp4", AssetType.mp4)
    use("AssetType.png", AssetType.png)
    use("AssetType.rawValue", \AssetType.rawValue)
    use("AssetType.tiff", AssetType.tiff)
    use("AssetType.webp", AssetType.webp)
  }

  mutating func useAsyncImageDecoding() {
    use("AsyncImageDecoding", (any AsyncImageDecoding).self)
    use(
      "AsyncImageDecoding.decode(_:)",
      { (x: any AsyncImageDecoding, data: Data) async throws in try await x.decode(data) as ImageContainer })
  }

  mutating func useImageContainer() {
    use("ImageContainer", ImageContainer.self)
    use("ImageContainer.UserInfoKey", ImageContainer.UserInfoKey.self)
    use("ImageContainer.UserInfoKey.init(_:)", ImageContainer.UserInfoKey.init(_:))
    use("ImageContainer.UserInfoKey.init(stringLiteral:)", ImageContainer.UserInfoKey(stringLiteral: "key"))
    use("ImageContainer.UserInfoKey.rawValue", \ImageContainer.UserInfoKey.rawValue)
    use("ImageContainer.UserInfoKey.scanNumberKey", ImageContainer.UserInfoKey.scanNumberKey)
    use("ImageContainer.data", \ImageContainer.data)
    use("ImageContainer.image", \ImageContainer.image)
    use(
      "ImageContainer.init(image:type:isPreview:data:userInfo:)",
      ImageContainer.init(image:type:isPreview:data:userInfo:))
    use("ImageContainer.isPreview", \ImageContainer.isPreview)
    use("ImageContainer.type", \ImageContainer.type)
    use("ImageContainer.userInfo", \ImageContainer.userInfo)
  }

  mutating func useImageDecoderRegistry() {
    use("ImageDecoderRegistry", ImageDecoderRegistry.self)
    use("ImageDecoderRegistry.RegistrationToken", ImageDecoderRegistry.RegistrationToken.self)
    use("ImageDecoderRegistry.clear()", ImageDecoderRegistry.clear)
    use("ImageDecoderRegistry.decoder(for:)", ImageDecoderRegistry.decoder(for:))
    use("ImageDecoderRegistry.init()", ImageDecoderRegistry.init())
    use("ImageDecoderRegistry.register(_:)", { (x: ImageDecoderRegistry) in x.register { _ in nil } })
    use("ImageDecoderRegistry.shared", ImageDecoderRegistry.shared)
    use("ImageDecoderRegistry.unregister(_:)", ImageDecoderRegistry.unregister(_:))
  }

  mutating func useImageDecoders() {
    use("ImageDecoders", ImageDecoders.self)
    use("ImageDecoders.Default", ImageDecoders.Default.self)
    use("ImageDecoders.Default.decode(_:)", ImageDecoders.Default.decode(_:))
    use(
      "ImageDecoders.Default.decodePartiallyDownloadedData(_:)", ImageDecoders.Default.decodePartiallyDownloadedData(_:)
    )
    use("ImageDecoders.Default.init()", ImageDecoders.Default())
    use(
      "ImageDecoders.Default.init(context:)",
      { (context: ImageDecodingContext) in ImageDecoders.Default(context: context) })
    use("ImageDecoders.Default.isAsynchronous", \ImageDecoders.Default.isAsynchronous)
    use("ImageDecoders.Empty", ImageDecoders.Empty.self)
    use("ImageDecoders.Empty.decode(_:)", ImageDecoders.Empty.decode(_:))
    use("ImageDecoders.Empty.decodePartiallyDownloadedData(_:)", ImageDecoders.Empty.decodePartiallyDownloadedData(_:))
    use("ImageDecoders.Empty.init(assetType:isProgressive:)", ImageDecoders.Empty.init(assetType:isProgressive:))
    use("ImageDecoders.Empty.isAsynchronous", \ImageDecoders.Empty.isAsynchronous)
    use("ImageDecoders.Empty.isProgressive", \ImageDecoders.Empty.isProgressive)
  }

  mutating func useImageDecoding() {
    use("ImageDecoding", (any ImageDecoding).self)
    use("ImageDecoding.decode(_:)", (any ImageDecoding).decode(_:))
    use("ImageDecoding.decodePartiallyDownloadedData(_:)", (any ImageDecoding).decodePartiallyDownloadedData(_:))
    use("ImageDecoding.isAsynchronous", { (x: (any ImageDecoding)) in x.isAsynchronous })
  }

  mutating func useImageDecodingContext() {
    use("ImageDecodingContext", ImageDecodingContext.self)
    use("ImageDecodingContext.cacheType", \ImageDecodingContext.cacheType)
    use("ImageDecodingContext.data", \ImageDecodingContext.data)
    use(
      "ImageDecodingContext.init(request:data:isCompleted:urlResponse:cacheType:)",
      ImageDecodingContext.init(request:data:isCompleted:urlResponse:cacheType:))
    use("ImageDecodingContext.isCompleted", \ImageDecodingContext.isCompleted)
    use("ImageDecodingContext.previewPolicy", \ImageDecodingContext.previewPolicy)
    use("ImageDecodingContext.request", \ImageDecodingContext.request)
    use("ImageDecodingContext.urlResponse", \ImageDecodingContext.urlResponse)
  }

  mutating func useImageDecodingError() {
    use("ImageDecodingError", ImageDecodingError.self)
    use("ImageDecodingError.description", \ImageDecodingError.description)
    use("ImageDecodingError.synchronousDecodingUnsupported", ImageDecodingError.synchronousDecodingUnsupported)
    use("ImageDecodingError.unknown", ImageDecodingError.unknown)
  }

  mutating func useImageEncoders() {
    use("ImageEncoders", ImageEncoders.self)
    use("ImageEncoders.Default", ImageEncoders.Default.self)
    use("ImageEncoders.Default.compressionQuality", \ImageEncoders.Default.compressionQuality)
    use("ImageEncoders.Default.encode(_:)", { (x: ImageEncoders.Default, image: PlatformImage) in x.encode(image) })
    use("ImageEncoders.Default.init(compressionQuality:)", ImageEncoders.Default(compressionQuality: 0.5))
    use("ImageEncoders.Default.isHEIFPreferred", \ImageEncoders.Default.isHEIFPreferred)
    use("ImageEncoders.ImageIO", ImageEncoders.ImageIO.self)
    use("ImageEncoders.ImageIO.compressionRatio", \ImageEncoders.ImageIO.compressionRatio)
    use("ImageEncoders.ImageIO.encode(_:)", { (x: ImageEncoders.ImageIO, image: PlatformImage) in x.encode(image) })
    use(
      "ImageEncoders.ImageIO.init(type:compressionRatio:)",
      ImageEncoders.ImageIO(type: .png, compressionRatio: Float(0.5)))
    use("ImageEncoders.ImageIO.isSupported(type:)", ImageEncoders.ImageIO.isSupported(type:))
    use("ImageEncoders.ImageIO.type", \ImageEncoders.ImageIO.type)
  }

  mutating func useImageEncoding() {
    use("ImageEncoding", (any ImageEncoding).self)
    use("ImageEncoding.encode(_:)", { (x: any ImageEncoding, image: PlatformImage) in x.encode(image) })
    use(
      "ImageEncoding.encode(_:context:)",
      { (x: any ImageEncoding, image: ImageContainer, context: ImageEncodingContext) in
        x.encode(image, context: context)
      })
    use("ImageEncoding.default(compressionQuality:)", { () -> any ImageEncoding in .default(compressionQuality: 0.5) })
    use(
      "ImageEncoding.imageIO(type:compressionRatio:)",
      { () -> any ImageEncoding in .imageIO(type: .png, compressionRatio: 0.5) })
  }

  mutating func useImageEncodingContext() {
    use("ImageEncodingContext", ImageEncodingContext.self)
    use("ImageEncodingContext.image", \ImageEncodingContext.image)
    use("ImageEncodingContext.request", \ImageEncodingContext.request)
    use("ImageEncodingContext.urlResponse", \ImageEncodingContext.urlResponse)
  }

  mutating func usePlatformImage() {
    use("PlatformImage", PlatformImage.self)
  }

  mutating func useCodecsSymbols() {
    useAssetType()
    useAsyncImageDecoding()
    useImageContainer()
    useImageDecoderRegistry()
    useImageDecoders()
    useImageDecoding()
    useImageDecodingContext()
    useImageDecodingError()
    useImageEncoders()
    useImageEncoding()
    useImageEncodingContext()
    usePlatformImage()
  }
}
