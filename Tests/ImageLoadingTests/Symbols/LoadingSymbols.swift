// Uses of Nuke's symbols: that this file compiles shows that they exist. Names are those of COMING-FROM-NUKE.md.

import Foundation
import ImageLoading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension SymbolUses {
  mutating func useCancellable() {
    use("Cancellable", (any Cancellable).self)
    use("Cancellable.cancel()", (any Cancellable).cancel)
  }

  mutating func useDataCache() {
    use("DataCache", DataCache.self)
    use("DataCache.FilenameGenerator", DataCache.FilenameGenerator.self)
    use("DataCache.cachedData(for:)", DataCache.cachedData(for:))
    use("DataCache.containsData(for:)", DataCache.containsData(for:))
    use("DataCache.filename(for:)", { (x: DataCache) in x.filename(for: "key") })
    use("DataCache.flush()", { (x: DataCache) in x.flush() })
    use("DataCache.flush(for:)", { (x: DataCache) in x.flush(for: "key") })
    use("DataCache.init(name:filenameGenerator:)", DataCache.init(name:filenameGenerator:))
    use("DataCache.init(path:filenameGenerator:)", DataCache.init(path:filenameGenerator:))
    use("DataCache.isSweepEnabled", \DataCache.isSweepEnabled)
    use("DataCache.path", \DataCache.path)
    use("DataCache.queue", \DataCache.queue)
    use("DataCache.removeAll()", DataCache.removeAll)
    use("DataCache.removeData(for:)", DataCache.removeData(for:))
    use("DataCache.sizeLimit", \DataCache.sizeLimit)
    use("DataCache.storeData(_:for:)", DataCache.storeData(_:for:))
    use("DataCache.subscript(key:)", { (x: DataCache) in x["key"] = x["other"] })
    use("DataCache.sweep()", DataCache.sweep)
    use("DataCache.sweepInterval", \DataCache.sweepInterval)
    use("DataCache.totalAllocatedSize", \DataCache.totalAllocatedSize)
    use("DataCache.totalCount", \DataCache.totalCount)
    use("DataCache.totalSize", \DataCache.totalSize)
    use("DataCache.url(for:)", DataCache.url(for:))
  }

  mutating func useDataCaching() {
    use("DataCaching", (any DataCaching).self)
    use("DataCaching.cachedData(for:)", (any DataCaching).cachedData(for:))
    use("DataCaching.containsData(for:)", (any DataCaching).containsData(for:))
    use("DataCaching.removeAll()", (any DataCaching).removeAll)
    use("DataCaching.removeData(for:)", (any DataCaching).removeData(for:))
    use("DataCaching.storeData(_:for:)", (any DataCaching).storeData(_:for:))
  }

  mutating func useDataLoader() {
    use("DataLoader", DataLoader.self)
    use("DataLoader.Error", DataLoader.Error.self)
    use("DataLoader.Error.description", \DataLoader.Error.description)
    use("DataLoader.Error.statusCodeUnacceptable(_:)", DataLoader.Error.statusCodeUnacceptable(404))
    use("DataLoader.defaultConfiguration", DataLoader.defaultConfiguration)
    use("DataLoader.delegate", \DataLoader.delegate)
    use("DataLoader.init(configuration:validate:)", DataLoader.init(configuration:validate:))
    use("DataLoader.loadData(with:didReceiveData:completion:)", DataLoader.loadData(with:didReceiveData:completion:))
    use("DataLoader.prefersIncrementalDelivery", \DataLoader.prefersIncrementalDelivery)
    use("DataLoader.session", \DataLoader.session)
    use("DataLoader.sharedUrlCache", DataLoader.sharedUrlCache)
    use("DataLoader.validate(response:)", DataLoader.validate(response:))
  }

  mutating func useDataLoading() {
    use("DataLoading", (any DataLoading).self)
    use(
      "DataLoading.loadData(with:didReceiveData:completion:)",
      (any DataLoading).loadData(with:didReceiveData:completion:))
  }

  mutating func useImageCache() {
    use("ImageCache", ImageCache.self)
    use("ImageCache.costLimit", \ImageCache.costLimit)
    use("ImageCache.countLimit", \ImageCache.countLimit)
    use("ImageCache.defaultCostLimit", ImageCache.defaultCostLimit)
    use("ImageCache.entryCostLimit", \ImageCache.entryCostLimit)
    use("ImageCache.init(costLimit:countLimit:)", ImageCache.init(costLimit:countLimit:))
    use("ImageCache.removeAll()", ImageCache.removeAll)
    use("ImageCache.shared", ImageCache.shared)
    use("ImageCache.subscript(key:)", { (x: ImageCache, key: ImageCacheKey) in x[key] = x[key] })
    use("ImageCache.totalCost", \ImageCache.totalCost)
    use("ImageCache.totalCount", \ImageCache.totalCount)
    use("ImageCache.trim(toCost:)", ImageCache.trim(toCost:))
    use("ImageCache.trim(toCount:)", ImageCache.trim(toCount:))
    use("ImageCache.ttl", \ImageCache.ttl)
  }

  mutating func useImageCacheKey() {
    use("ImageCacheKey", ImageCacheKey.self)
    use("ImageCacheKey.==(lhs:rhs:)", { (a: ImageCacheKey, b: ImageCacheKey) in a == b })
    use("ImageCacheKey.hash(into:)", ImageCacheKey.hash(into:))
    use("ImageCacheKey.init(key:)", ImageCacheKey.init(key:))
    use("ImageCacheKey.init(request:)", ImageCacheKey.init(request:))
  }

  mutating func useImageCaching() {
    use("ImageCaching", (any ImageCaching).self)
    use("ImageCaching.removeAll()", (any ImageCaching).removeAll)
    use("ImageCaching.subscript(key:)", { (x: any ImageCaching, key: ImageCacheKey) in x[key] = x[key] })
  }

  mutating func useImagePrefetcher() {
    use("ImagePrefetcher", ImagePrefetcher.self)
    use("ImagePrefetcher.Destination", ImagePrefetcher.Destination.self)
    use("ImagePrefetcher.Destination.diskCache", ImagePrefetcher.Destination.diskCache)
    use("ImagePrefetcher.Destination.memoryCache", ImagePrefetcher.Destination.memoryCache)
    use("ImagePrefetcher.didComplete", \ImagePrefetcher.didComplete)
    use(
      "ImagePrefetcher.init(pipeline:destination:maxConcurrentRequestCount:)",
      ImagePrefetcher.init(pipeline:destination:maxConcurrentRequestCount:))
    use("ImagePrefetcher.isPaused", \ImagePrefetcher.isPaused)
    use("ImagePrefetcher.priority", \ImagePrefetcher.priority)
    use(
      "ImagePrefetcher.startPrefetching(with:)",
      { (x: ImagePrefetcher, a: [URL], b: [ImageRequest]) in (x.startPrefetching(with: a), x.startPrefetching(with: b))
      })
    use("ImagePrefetcher.stopPrefetching()", { (x: ImagePrefetcher) in x.stopPrefetching() })
    use(
      "ImagePrefetcher.stopPrefetching(with:)",
      { (x: ImagePrefetcher, a: [URL], b: [ImageRequest]) in (x.stopPrefetching(with: a), x.stopPrefetching(with: b)) })
  }

  mutating func useImageTask() {
    use("ImageTask", ImageTask.self)
    use("ImageTask.==(lhs:rhs:)", { (a: ImageTask, b: ImageTask) in a == b })
    use("ImageTask.Event", ImageTask.Event.self)
    use("ImageTask.Event.started", ImageTask.Event.started)
    use("ImageTask.Event.finished(_:)", ImageTask.Event.finished)
    use("ImageTask.Event.preview(_:)", ImageTask.Event.preview)
    use("ImageTask.Event.progress(_:)", ImageTask.Event.progress)
    use("ImageTask.Progress", ImageTask.Progress.self)
    use("ImageTask.Progress.completed", \ImageTask.Progress.completed)
    use("ImageTask.Progress.fraction", \ImageTask.Progress.fraction)
    use("ImageTask.Progress.init(completed:total:)", ImageTask.Progress.init(completed:total:))
    use("ImageTask.Progress.total", \ImageTask.Progress.total)
    use("ImageTask.State", ImageTask.State.self)
    use("ImageTask.State.cancelled", ImageTask.State.cancelled)
    use("ImageTask.State.completed", ImageTask.State.completed)
    use("ImageTask.State.running", ImageTask.State.running)
    use("ImageTask.cancel()", { (x: ImageTask) in x.cancel() })
    use("ImageTask.currentProgress", \ImageTask.currentProgress)
    use("ImageTask.description", \ImageTask.description)
    use("ImageTask.events", \ImageTask.events)
    use("ImageTask.hash(into:)", ImageTask.hash(into:))
    use("ImageTask.image", { (x: ImageTask) in try await x.image })
    use("ImageTask.previews", \ImageTask.previews)
    use("ImageTask.priority", \ImageTask.priority)
    use("ImageTask.progress", \ImageTask.progress)
    use("ImageTask.request", \ImageTask.request)
    use("ImageTask.response", { (x: ImageTask) in try await x.response })
    use("ImageTask.state", \ImageTask.state)
    use("ImageTask.taskId", \ImageTask.taskId)
  }

  mutating func useTaskQueue() {
    use("TaskQueue", TaskQueue.self)
    use("TaskQueue.init(maxConcurrentOperationCount:)", TaskQueue.init(maxConcurrentOperationCount:))
    use("TaskQueue.isSuspended", \TaskQueue.isSuspended)
    use("TaskQueue.maxConcurrentOperationCount", \TaskQueue.maxConcurrentOperationCount)
  }

  mutating func useLoadingSymbols() {
    useCancellable()
    useDataCache()
    useDataCaching()
    useDataLoader()
    useDataLoading()
    useImageCache()
    useImageCacheKey()
    useImageCaching()
    useImagePrefetcher()
    useImageTask()
    useTaskQueue()
  }
}
