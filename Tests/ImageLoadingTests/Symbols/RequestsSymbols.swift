// Uses of Nuke's symbols: that this file compiles shows that they exist. Names are those of COMING-FROM-NUKE.md.

import Foundation
import ImageLoading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension SymbolUses {
  mutating func useImageRequest() {
    use("ImageRequest", ImageRequest.self)
    use("ImageRequest.Options", ImageRequest.Options.self)
    use("ImageRequest.Options.disableDiskCache", ImageRequest.Options.disableDiskCache)
    use("ImageRequest.Options.disableDiskCacheReads", ImageRequest.Options.disableDiskCacheReads)
    use("ImageRequest.Options.disableDiskCacheWrites", ImageRequest.Options.disableDiskCacheWrites)
    use("ImageRequest.Options.disableMemoryCache", ImageRequest.Options.disableMemoryCache)
    use("ImageRequest.Options.disableMemoryCacheReads", ImageRequest.Options.disableMemoryCacheReads)
    use("ImageRequest.Options.disableMemoryCacheWrites", ImageRequest.Options.disableMemoryCacheWrites)
    use("ImageRequest.Options.init(rawValue:)", ImageRequest.Options.init(rawValue:))
    use("ImageRequest.Options.rawValue", \ImageRequest.Options.rawValue)
    use("ImageRequest.Options.reloadIgnoringCachedData", ImageRequest.Options.reloadIgnoringCachedData)
    use("ImageRequest.Options.returnCacheDataDontLoad", ImageRequest.Options.returnCacheDataDontLoad)
    use("ImageRequest.Options.skipDataLoadingQueue", ImageRequest.Options.skipDataLoadingQueue)
    use("ImageRequest.Options.skipDecompression", ImageRequest.Options.skipDecompression)
    use("ImageRequest.Priority", ImageRequest.Priority.self)
    use("ImageRequest.Priority.<(lhs:rhs:)", { (a: ImageRequest.Priority, b: ImageRequest.Priority) in a < b })
    use("ImageRequest.Priority.high", ImageRequest.Priority.high)
    use("ImageRequest.Priority.low", ImageRequest.Priority.low)
    use("ImageRequest.Priority.normal", ImageRequest.Priority.normal)
    use("ImageRequest.Priority.veryHigh", ImageRequest.Priority.veryHigh)
    use("ImageRequest.Priority.veryLow", ImageRequest.Priority.veryLow)
    use("ImageRequest.ThumbnailOptions", ImageRequest.ThumbnailOptions.self)
    use(
      "ImageRequest.ThumbnailOptions.createThumbnailFromImageAlways",
      \ImageRequest.ThumbnailOptions.createThumbnailFromImageAlways)
    use(
      "ImageRequest.ThumbnailOptions.createThumbnailFromImageIfAbsent",
      \ImageRequest.ThumbnailOptions.createThumbnailFromImageIfAbsent)
    use(
      "ImageRequest.ThumbnailOptions.createThumbnailWithTransform",
      \ImageRequest.ThumbnailOptions.createThumbnailWithTransform)
    use("ImageRequest.ThumbnailOptions.init(maxPixelSize:)", ImageRequest.ThumbnailOptions(maxPixelSize: Float(3)))
    use(
      "ImageRequest.ThumbnailOptions.init(size:unit:contentMode:)",
      { (size: CGSize) in ImageRequest.ThumbnailOptions(size: size, unit: .pixels, contentMode: .aspectFit) })
    use("ImageRequest.ThumbnailOptions.makeThumbnail(with:)", ImageRequest.ThumbnailOptions.makeThumbnail(with:))
    use("ImageRequest.ThumbnailOptions.shouldCacheImmediately", \ImageRequest.ThumbnailOptions.shouldCacheImmediately)
    use("ImageRequest.UserInfoKey", ImageRequest.UserInfoKey.self)
    use("ImageRequest.UserInfoKey.init(_:)", ImageRequest.UserInfoKey.init(_:))
    use("ImageRequest.UserInfoKey.init(stringLiteral:)", ImageRequest.UserInfoKey(stringLiteral: "key"))
    use("ImageRequest.UserInfoKey.rawValue", \ImageRequest.UserInfoKey.rawValue)
    use("ImageRequest.description", \ImageRequest.description)
    use("ImageRequest.imageID", \ImageRequest.imageID)
    use(
      "ImageRequest.init(id:data:processors:priority:options:userInfo:)",
      ImageRequest.init(id:data:processors:priority:options:userInfo:))
    use(
      "ImageRequest.init(id:image:processors:priority:options:userInfo:)",
      ImageRequest.init(id:image:processors:priority:options:userInfo:))
    use("ImageRequest.init(stringLiteral:)", ImageRequest(stringLiteral: "http://example.com"))
    use(
      "ImageRequest.init(url:processors:priority:options:userInfo:)",
      ImageRequest.init(url:processors:priority:options:userInfo:))
    use(
      "ImageRequest.init(urlRequest:processors:priority:options:userInfo:)",
      ImageRequest.init(urlRequest:processors:priority:options:userInfo:))
    use("ImageRequest.options", \ImageRequest.options)
    use("ImageRequest.priority", \ImageRequest.priority)
    use("ImageRequest.processors", \ImageRequest.processors)
    use("ImageRequest.scale", \ImageRequest.scale)
    use("ImageRequest.thumbnail", \ImageRequest.thumbnail)
    use("ImageRequest.url", \ImageRequest.url)
    use("ImageRequest.urlRequest", \ImageRequest.urlRequest)
    use("ImageRequest.userInfo", \ImageRequest.userInfo)
  }

  mutating func useImageResponse() {
    use("ImageResponse", ImageResponse.self)
    use("ImageResponse.CacheType", ImageResponse.CacheType.self)
    use("ImageResponse.CacheType.disk", ImageResponse.CacheType.disk)
    use("ImageResponse.CacheType.memory", ImageResponse.CacheType.memory)
    use("ImageResponse.cacheType", \ImageResponse.cacheType)
    use("ImageResponse.container", \ImageResponse.container)
    use("ImageResponse.image", \ImageResponse.image)
    use(
      "ImageResponse.init(container:request:urlResponse:cacheType:)",
      ImageResponse.init(container:request:urlResponse:cacheType:))
    use("ImageResponse.isPreview", \ImageResponse.isPreview)
    use("ImageResponse.request", \ImageResponse.request)
    use("ImageResponse.urlResponse", \ImageResponse.urlResponse)
  }

  @available(*, deprecated, message: "uses deprecated symbols")
  mutating func useDeprecatedRequests() {
    use("ImageRequest.UserInfoKey.imageIdKey", ImageRequest.UserInfoKey.imageIdKey)
    use("ImageRequest.UserInfoKey.scaleKey", ImageRequest.UserInfoKey.scaleKey)
    use("ImageRequest.UserInfoKey.thumbnailKey", ImageRequest.UserInfoKey.thumbnailKey)
    use("ImageRequest.imageId", \ImageRequest.imageId)
  }

  mutating func useRequestsSymbols() {
    useImageRequest()
    useImageResponse()
  }
}
