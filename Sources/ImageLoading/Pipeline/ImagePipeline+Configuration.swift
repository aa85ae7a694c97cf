// The parts and the options of a pipeline.

public import Foundation

extension ImagePipeline {
  /// The parts and options of a pipeline.
  public struct Configuration: Sendable {
    /// Loads data that is not local.
    public var dataLoader: any DataLoading
    /// The cache on disk. Default `nil`: no such cache.
    public var dataCache: (any DataCaching)?
    /// The cache of decoded images. Default ``ImageCache/shared``.
    public var imageCache: (any ImageCaching)? = ImageCache.shared
    /// Creates a decoder. By default asks ``ImageDecoderRegistry/shared``.
    ///
    /// To decode untrusted images with smaller limits, use
    /// `{ ImageDecoders.Default(context: $0, options: DecodingOptions(limits: .server)) }`.
    public var makeImageDecoder: @Sendable (ImageDecodingContext) -> (any ImageDecoding)? = {
      ImageDecoderRegistry.shared.decoder(for: $0)
    }
    /// Creates an encoder for the disk cache. By default ``ImageEncoders/Default``.
    public var makeImageEncoder: @Sendable (ImageEncodingContext) -> any ImageEncoding = { _ in ImageEncoders.Default()
    }

    /// The data that is stored in the disk cache. Default ``DataCachePolicy/storeOriginalData``.
    public var dataCachePolicy = DataCachePolicy.storeOriginalData
    /// Whether requests for the same image share the work. Default `true`.
    public var isTaskCoalescingEnabled = true
    /// Whether downloads start at a limited rate: 80 per second, after a burst of 25. Default `true`.
    public var isRateLimiterEnabled = true
    /// Whether previews are decoded while data arrives. Default `false`.
    public var isProgressiveDecodingEnabled = false
    /// The minimum time between two previews, in seconds. Data that arrives earlier is skipped. Default 0.5, which also
    /// replaces NaN; values outside 0…10⁹ have the effect of the nearest one.
    public var progressiveDecodingInterval: TimeInterval = 0.5
    /// Whether previews are kept in the memory cache until the final image replaces them. Default `true`.
    public var isStoringPreviewsInMemoryCache = true
    /// Whether an interrupted download continues where it ended, if the server sends the rest of the same version.
    /// Requests that have a `Range` field or another method than `GET` are not continued. Default `true`.
    public var isResumableDataEnabled = true
    /// Whether `file:` and `data:` URLs are read without the loader. Default `true`.
    ///
    /// - Warning: Servers that load URLs supplied by users must set this to `false`, or else users can read the
    ///   server's images, and find out which files exist. ``DataLoader`` refuses `file:` URLs.
    public var isLocalResourcesSupportEnabled = true
    /// The maximum number of bytes of a download, file, `data:` URL, closure's data or sequence of chunks; `nil` for no
    /// limit. Compressed responses are limited by their decompressed length. Default: a tenth of the memory, at most
    /// 200 MB.
    public var maximumResponseDataSize: Int? = Int(
      clamping: min(ProcessInfo.processInfo.physicalMemory / 10, 200_000_000))
    /// Has no effect: decoding yields pixels.
    public var isDecompressionEnabled = false
    /// Has no effect: decoding yields pixels.
    public var isUsingPrepareForDisplay = false

    /// Limits concurrent downloads. Default: 6.
    public var dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: 6)
    /// Limits concurrent decoding. Default: the number of processors.
    public var imageDecodingQueue = TaskQueue(
      maxConcurrentOperationCount: ProcessInfo.processInfo.activeProcessorCount)
    /// Limits concurrent encoding. Default: 1.
    public var imageEncodingQueue = TaskQueue(maxConcurrentOperationCount: 1)
    /// Limits concurrent processing. Default: 2.
    public var imageProcessingQueue = TaskQueue(maxConcurrentOperationCount: 2)
    /// Limits concurrent calls of ``ImagePipeline/Delegate/decompress(response:request:pipeline:)``. Default: 2.
    public var imageDecompressingQueue = TaskQueue(maxConcurrentOperationCount: 2)

    /// Creates a configuration with the default options.
    public init(dataLoader: any DataLoading = DataLoader()) {
      self.dataLoader = dataLoader
    }

    /// The default configuration: HTTP responses are cached by the URL loading system.
    public static var withURLCache: Configuration { Configuration() }

    /// The configuration with a ``DataCache`` of 150 MB instead of the HTTP cache.
    public static var withDataCache: Configuration { withDataCache() }

    /// Returns the configuration with a ``DataCache`` instead of the HTTP cache.
    ///
    /// - Parameters:
    ///   - name: the name of the cache's folder.
    ///   - sizeLimit: the maximum size in bytes; `nil` for the default of ``DataCache/sizeLimit``.
    public static func withDataCache(
      name: String = "com.github.kean.Nuke.DataCache", sizeLimit: Int? = nil
    ) -> Configuration {
      var configuration = Configuration(dataLoader: .withoutURLCache)
      let dataCache = try? DataCache(name: name)
      if let sizeLimit { dataCache?.sizeLimit = sizeLimit }
      configuration.dataCache = dataCache
      return configuration
    }
  }

  /// The data that a pipeline stores in its disk cache. Data of `file:` and `data:` URLs is never stored.
  public enum DataCachePolicy: Hashable, Sendable {
    /// The original data for requests without processors, the encoded image for requests with processors.
    case automatic
    /// The original data.
    case storeOriginalData
    /// The encoded image.
    case storeEncodedImages
    /// The original data and, for requests with processors, the encoded image.
    case storeAll
  }

  /// The previews that a pipeline requests from a decoder.
  public typealias PreviewPolicy = ImagePreviewPolicy
}
