// The memory cache and the list that it is made of.

import Foundation
import ImageLoading
import TestSupport
import Testing

@Suite struct ImageCacheTests {
  private func container(_ width: Int, isPreview: Bool = false) throws -> ImageContainer {
    ImageContainer(image: try Bitmap(width: width, height: 1, format: .gray8), isPreview: isPreview)
  }

  private func key(_ index: Int) -> ImageCacheKey { ImageCacheKey(key: "\(index)") }

  @Test func theLeastRecentlyUsedImagesAreRemoved() throws {
    let cache = ImageCache(costLimit: 100)
    cache.entryCostLimit = 1
    for index in 0..<5 { cache[key(index)] = try container(20) }
    #expect(cache.totalCost == 100 && cache.totalCount == 5)
    _ = cache[key(0)]
    cache[key(5)] = try container(21)
    #expect((0...5).map { cache[key($0)] != nil } == [true, false, false, true, true, true])
    #expect(cache.totalCost == 81)
    cache.countLimit = 2
    #expect(cache.totalCount == 2)
    cache.trim(toCount: 1)
    #expect(cache[key(5)] != nil && cache.totalCount == 1)
    cache.trim(toCost: 20)
    #expect(cache.totalCount == 0 && cache.totalCost == 0)
  }

  @Test func costsAreBytes() throws {
    let cache = ImageCache(costLimit: 1000, countLimit: 10)
    cache[key(0)] = ImageContainer(
      image: try Bitmap(width: 3, height: 2, format: .rgba8), data: Data(repeating: 0, count: 10))
    #expect(cache.totalCost == 3 * 2 * 4 + 10)
    // An entry costs at most a tenth of the limit.
    cache[key(1)] = try container(101)
    #expect(cache[key(1)] == nil)
    // One that is too large removes what it was to replace.
    cache[key(0)] = try container(101)
    #expect(cache.totalCount == 0)
    cache[key(0)] = try container(100)
    cache[key(0)] = nil
    #expect(cache[key(0)] == nil && cache.totalCost == 0)
    #expect(ImageCache.defaultCostLimit > 0 && ImageCache.defaultCostLimit <= 512 << 20)
  }

  @Test func imagesExpire() throws {
    let cache = ImageCache(costLimit: 1000)
    cache.ttl = 1e-9
    cache[key(0)] = try container(1)
    #expect(cache[key(0)] == nil && cache.totalCount == 0)
    for time in [0, -1, -Double.infinity] {
      cache.ttl = time
      cache[key(0)] = try container(1)
      #expect(cache[key(0)] == nil, "\(time)")
    }
    for time in [3600, .infinity, .nan, nil] {
      cache.ttl = time
      cache[key(0)] = try container(1)
      #expect(cache[key(0)] != nil, "\(String(describing: time))")
    }
    cache.removeAll()
    #expect(cache.totalCount == 0)
  }

  @Test func keysDistinguishWhatIsDecoded() {
    let url = testURL
    var scaled = ImageRequest(url: url)
    scaled.scale = 2
    var thumbnail = ImageRequest(url: url)
    thumbnail.thumbnail = .init(maxPixelSize: 10)
    var renamed = ImageRequest(url: url)
    renamed.imageID = "id"
    let requests = [
      ImageRequest(url: url), scaled, thumbnail, renamed, ImageRequest(url: url, processors: [.resize(width: 10)]),
      ImageRequest(url: url, processors: [.resize(width: 11)]),
      ImageRequest(url: url, processors: [.resize(width: 10), .circle()]),
      ImageRequest(url: url, userInfo: [.svgTargetSizeKey: ImageSize(width: 1, height: 1)]),
    ]
    #expect(Set(requests.map(ImageCacheKey.init(request:))).count == requests.count)
    #expect(ImageCacheKey(request: requests[4]) == ImageCacheKey(request: requests[4]))
    var urgent = ImageRequest(url: url, priority: .high, options: [.skipDecompression])
    urgent.userInfo["key"] = 1
    #expect(ImageCacheKey(request: urgent) == ImageCacheKey(request: requests[0]))
  }

  /// Keys with such numbers would not equal themselves.
  @Test func numbersThatAreNoneDoNotFillTheCache() throws {
    let cache = ImageCache(costLimit: 1_000)
    let image = ImageContainer(image: try Bitmap(width: 10, height: 9, format: .gray8))
    for _ in 0..<5 {
      var request = ImageRequest(url: testURL, userInfo: [.svgTargetSizeKey: ImageSize(width: .nan, height: 1)])
      request.scale = .nan
      let key = ImageCacheKey(request: request)
      #expect(key == key)
      cache[key] = image
      #expect(cache.totalCount == 1 && cache[key] != nil)
    }
    var list = RecencyList<Double, Int>()
    list.insert(1, for: .nan, cost: 5)
    #expect(list.count == 0 && list.totalCost == 0 && list.removeOldest() == nil)
  }

  /// Compares the list with an array in the order of use.
  @Test func theListEqualsAnArray() {
    var random = TestRandom(5)
    var list = RecencyList<Int, Int>()
    var reference: [(key: Int, value: Int, cost: Int)] = []
    for step in 0..<5000 {
      let key = Int.random(in: 0..<20, using: &random)
      let index = reference.firstIndex { $0.key == key }
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        list.insert(step, for: key, cost: key)
        if let index { reference.remove(at: index) }
        reference.append((key, step, key))
      case 2:
        #expect(list.use(key) == index.map { reference[$0].value })
        if let index { reference.append(reference.remove(at: index)) }
      case 3:
        #expect(list.remove(key)?.value == index.map { reference.remove(at: $0).value })
      default:
        #expect(list.removeOldest()?.key == (reference.isEmpty ? nil : reference.removeFirst().key))
      }
      #expect(list.count == reference.count && list.totalCost == reference.reduce(0) { $0 + $1.cost })
    }
  }
}
