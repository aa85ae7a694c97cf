// Interrupted downloads: servers that continue them, and servers that answer with something else.

import Foundation
import ImageLoading
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct ServerResumptionTests {
  private static let lastModified = "Mon, 01 Jan 2024 00:00:00 GMT"

  /// A server that cuts its first response, and serves ranges.
  private func makeCuttingServer(
    _ data: Data, _ headers: [String: String] = ["ETag": "\"v1\""], after newData: Data? = nil,
    continuation: @escaping @Sendable (HTTPExchange, Int) -> Void
  ) throws -> LoopbackServer {
    let count = Counter()
    return try LoopbackServer { exchange in
      let isFirst = count.increment() == 1
      if let start = exchange.request.rangeStart {
        continuation(exchange, start)
      } else {
        let data = isFirst ? data : newData ?? data
        exchange.head(length: data.count, headers.merging(["Accept-Ranges": "bytes"]) { $1 })
        exchange.send(isFirst ? data.prefix(data.count / 2) : data)
      }
    }
  }

  @Test func interruptedDownloadsContinue() async throws {
    let data = try TestImages.png(width: 300, height: 300)
    let server = try makeCuttingServer(data) { exchange, start in
      exchange.respond(
        206, ["Content-Range": "bytes \(start)-\(data.count - 1)/\(data.count)", "ETag": "\"v1\""],
        body: data[start...])
    }
    let pipeline = ImagePipeline.forServer()
    await expectError(pipeline, server.url) { $0.dataLoadingError != nil }
    let task = pipeline.imageTask(with: server.url)
    #expect(try await task.image.packedPixels == TestImages.decoded(data).packedPixels)
    let requests = server.requests
    #expect(requests.map(\.rangeStart) == [nil, data.count / 2])
    #expect(requests[1].headers["if-range"] == "\"v1\"" && requests[1].headers["accept-encoding"] == "identity")
    #expect(task.currentProgress == .init(completed: Int64(data.count), total: Int64(data.count)))
  }

  @Test func aNewVersionIsLoadedFromItsStart() async throws {
    let data = try TestImages.png(width: 300, height: 300)
    let newData = try TestImages.png(width: 310, height: 310)
    let server = try makeCuttingServer(data) { exchange, _ in
      exchange.respond(200, ["ETag": "\"v2\"", "Accept-Ranges": "bytes"], body: newData)
    }
    let pipeline = ImagePipeline.forServer()
    await expectError(pipeline, server.url) { $0.dataLoadingError != nil }
    #expect(try await pipeline.image(for: server.url).width == 310)
    #expect(server.requests.map(\.rangeStart) == [nil, data.count / 2])
  }

  /// Answers to the request for the rest that are not known to belong to the first part. `start`, `end` and `total` are
  /// replaced by those of the new version.
  private static let mismatches: [[String: String]] = [
    ["Content-Range": "bytes start-end/total", "ETag": "\"v2\""],
    ["Content-Range": "bytes start-end/total", "ETag": "W/\"v1\""],
    ["Content-Range": "bytes start-end/total"],
    ["Content-Range": "bytes start-end/total", "Last-Modified": lastModified],
    ["Content-Range": "bytes start-end/999999", "ETag": "\"v1\""],
    ["Content-Range": "bytes 0-end/total", "ETag": "\"v1\""],
    ["Content-Range": "bytes end-start/total", "ETag": "\"v1\""],
    ["Content-Range": "bytes start-end/*, 1", "ETag": "\"v1\""],
    ["ETag": "\"v1\""],
  ]

  @Test(arguments: mismatches) func otherPartsAreDiscardedAndTheFileIsLoadedAgain(headers: [String: String])
    async throws
  {
    let data = try TestImages.png(width: 300, height: 300)
    // Of the same length, so that the end of one fits the beginning of the other.
    var newData = data
    newData[data.count - 20] ^= 0x55
    let new = newData
    let server = try makeCuttingServer(data, after: new) { exchange, start in
      var headers = headers
      headers["Content-Range"] = headers["Content-Range"]?.replacingOccurrences(of: "start", with: "\(start)")
        .replacingOccurrences(of: "end", with: "\(new.count - 1)")
        .replacingOccurrences(of: "total", with: "\(new.count)")
      exchange.respond(206, headers, body: new[start...])
    }
    let cache = RecordingDataCache()
    let pipeline = ImagePipeline.forServer { $0.dataCache = cache }
    await expectError(pipeline, server.url) { $0.dataLoadingError != nil }
    #expect(cache.keys.isEmpty)
    #expect(try await pipeline.data(for: server.url).0 == new)
    #expect(cache.cachedData(for: server.url.absoluteString) == new)
    #expect(server.requests.map(\.rangeStart) == [nil, data.count / 2, nil])
  }

  @Test func partsThatWereNotRequestedAreErrors() async throws {
    let data = try TestImages.png(width: 300, height: 300)
    let server = try LoopbackServer { exchange in
      let start = exchange.request.path == "/whole" ? 0 : 10
      exchange.respond(
        206, ["Content-Range": "bytes \(start)-\(data.count - 1)/\(data.count)", "ETag": "\"v1\""], body: data[start...]
      )
    }
    let pipeline = ImagePipeline.forServer()
    for _ in 0..<2 { await expectError(pipeline, server.url) { $0.dataLoadingError != nil } }
    #expect(try await pipeline.data(for: server.url.appendingPathComponent("whole")).0 == data)
    #expect(server.requests.map(\.rangeStart) == [nil, nil, nil])
  }

  @Test func rejectedRangesAreLoadedAgain() async throws {
    let data = try TestImages.png(width: 300, height: 300)
    let newData = try TestImages.png(width: 10, height: 10)
    let server = try makeCuttingServer(data, after: newData) { exchange, _ in
      exchange.respond(416, ["Content-Range": "bytes */\(newData.count)"], body: Data())
    }
    let pipeline = ImagePipeline.forServer()
    await expectError(pipeline, server.url) { $0.dataLoadingError != nil }
    #expect(try await pipeline.image(for: server.url).width == 10)
    #expect(server.requests.map(\.rangeStart) == [nil, data.count / 2, nil])
  }

  @Test func aServerMaySendTheRestInParts() async throws {
    let data = try TestImages.png(width: 300, height: 300)
    let server = try makeCuttingServer(data, ["Last-Modified": Self.lastModified]) { exchange, start in
      let end = min(start + data.count / 3, data.count)
      exchange.respond(
        206, ["Content-Range": "bytes \(start)-\(end - 1)/\(data.count)", "Last-Modified": Self.lastModified],
        body: data[start..<end])
    }
    let pipeline = ImagePipeline.forServer()
    await expectError(pipeline, server.url) { $0.dataLoadingError != nil }
    await expectError(pipeline, server.url) { error in
      let received = data.count / 2 + data.count / 3
      return error.dataLoadingError as? DataLoader.Error
        == .dataIncomplete(received: Int64(received), expected: Int64(data.count))
    }
    #expect(try await pipeline.data(for: server.url).0 == data)
    #expect(server.requests.map(\.rangeStart) == [nil, data.count / 2, data.count / 2 + data.count / 3])
    #expect(server.requests.last?.headers["if-range"] == Self.lastModified)
  }

  @Test func downloadsWithoutAVersionStartAgain() async throws {
    let data = try TestImages.png(width: 300, height: 300)
    for tag in ["W/\"weak\"", ""] {
      let server = try makeCuttingServer(data, tag.isEmpty ? [:] : ["ETag": tag]) { _, _ in }
      let pipeline = ImagePipeline.forServer()
      await expectError(pipeline, server.url) { $0.dataLoadingError != nil }
      _ = try await pipeline.image(for: server.url)
      #expect(server.requests.map(\.rangeStart) == [nil, nil])
    }
  }

  @Test func requestsForPartsAndWithOtherMethodsAreNotContinued() async throws {
    let data = try TestImages.png(width: 300, height: 300)
    let server = try makeCuttingServer(data) { exchange, start in
      exchange.head(
        206, length: data.count - start,
        ["Content-Range": "bytes \(start)-\(data.count - 1)/\(data.count)", "ETag": "\"v1\""])
      exchange.send(data[start...].prefix(100))
    }
    let pipeline = ImagePipeline.forServer()
    var part = URLRequest(url: server.url)
    part.setValue("bytes=50-", forHTTPHeaderField: "Range")
    var post = URLRequest(url: server.url)
    post.httpMethod = "POST"
    for request in [post, part] {
      for _ in 0..<2 {
        _ = try? await pipeline.data(for: ImageRequest(urlRequest: request))
      }
    }
    #expect(server.requests.map(\.rangeStart) == [nil, nil, 50, 50])
    #expect(server.requests.allSatisfy { $0.headers["if-range"] == nil })
  }

  @Test func cancellationClosesTheConnectionAndTheDownloadContinuesLater() async throws {
    let data = try TestImages.png(width: 300, height: 300)
    let isClosed = Gate()
    let server = try LoopbackServer { exchange in
      let headers = ["Last-Modified": Self.lastModified, "Accept-Ranges": "bytes"]
      if let start = exchange.request.rangeStart {
        exchange.respond(
          206, headers.merging(["Content-Range": "bytes \(start)-\(data.count - 1)/\(data.count)"]) { $1 },
          body: data[start...])
      } else {
        exchange.head(length: data.count, headers)
        exchange.send(data.prefix(500))
        exchange.waitForClientToClose()
        isClosed.open()
      }
    }
    let pipeline = ImagePipeline.forServer()
    let task = pipeline.imageTask(with: server.url)
    await settle { task.currentProgress.completed == 500 }
    task.cancel()
    await isClosed.wait()
    #expect(try await pipeline.image(for: server.url).packedPixels == TestImages.decoded(data).packedPixels)
    #expect(server.requests.map(\.rangeStart) == [nil, 500])
  }

  @Test(
    arguments: [
      ("bytes 500-999/1234", 500, 999, 1234), ("BYTES 0-0/1", 0, 0, 1), ("bytes 5-9/*", 5, 9, nil),
    ] as [(String, Int64, Int64, Int64?)])
  func contentRanges(value: String, first: Int64, last: Int64, total: Int64?) throws {
    let range = try #require(ContentRange(parsing: value))
    #expect(range.first == first && range.last == last && range.totalByteCount == total)
  }

  @Test(
    arguments: [
      "", "bytes", "bytes */10", "bytes 9-5/10", "bytes 5-10/10", "bytes 5-9", "bytes -9/10", "bytes 5-/10",
      "bytes +5-9/10", "items 5-9/10", "bytes 5-9/99999999999999999999", "bytes 5-9/10/11", "bytes=5-9/10",
    ])
  func invalidContentRanges(value: String) {
    #expect(ContentRange(parsing: value) == nil)
  }
}
