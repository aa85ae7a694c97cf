// Loading over HTTP from a server on the loopback interface that misbehaves in the ways that servers do.

import Foundation
import ImageLoading
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct ServerTests {
  private func makePipeline(
    _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    .forServer(configure)
  }

  @Test func previewsArriveBeforeTheEndOfASlowDownload() async throws {
    let data = try TestImages.progressiveJPEG(width: 160, height: 120)
    let hasListener = Gate()
    let twoPreviews = Gate()
    let server = try LoopbackServer { exchange in
      hasListener.block()
      exchange.head(length: data.count, ["Content-Type": "image/jpeg"])
      // In small pieces until the client has shown previews: pieces that arrive while it decodes are skipped, so that it
      // needs further ones afterwards.
      var start = 0
      while !twoPreviews.isOpen, start < data.count * 9 / 10 {
        let end = start + (start < data.count / 4 ? 200 : 1)
        exchange.send(data[start..<end])
        start = end
        // Other tests may keep all threads busy for minutes.
        Thread.sleep(forTimeInterval: start < data.count / 2 ? 0.01 : 0.1)
      }
      exchange.send(data[start...])
    }
    let pipeline = makePipeline { $0.isProgressiveDecodingEnabled = true }
    let task = pipeline.imageTask(with: server.url)
    let stream = task.previews
    hasListener.open()
    var previews: [ImageResponse] = []
    for await preview in stream {
      previews.append(preview)
      if previews.count == 2 { twoPreviews.open() }
    }
    #expect(previews.count >= 2)
    #expect(previews.allSatisfy { $0.isPreview && $0.image.width == 160 })
    let response = try await task.response
    #expect(try response.image.packedPixels == TestImages.decoded(data).packedPixels)
    #expect(response.urlResponse?.mimeType == "image/jpeg" && response.urlResponse?.statusCode == 200)
    #expect(response.urlResponse?.value(forHTTPHeaderField: "content-length") == "\(data.count)")
  }

  @Test func lengthsThatAreNotAnnounced() async throws {
    let data = try TestImages.progressiveJPEG()
    let server = try LoopbackServer { exchange in
      exchange.head(length: nil)
      exchange.send(data)
    }
    let pipeline = makePipeline { $0.isProgressiveDecodingEnabled = true }
    #expect(try await pipeline.image(for: server.url).packedPixels == TestImages.decoded(data).packedPixels)
  }

  @Test(arguments: [304, 404, 410, 500, 503]) func statusCodesAreErrors(code: Int) async throws {
    let server = try LoopbackServer { $0.respond(code, body: code == 304 ? Data() : Data("an explanation".utf8)) }
    await expectError(makePipeline(), server.url) { error in
      error.dataLoadingError as? DataLoader.Error == .statusCodeUnacceptable(code)
    }
  }

  @Test func emptyBodies() async throws {
    let server = try LoopbackServer { $0.respond(body: Data()) }
    await expectError(makePipeline(), server.url) { if case .dataIsEmpty = $0 { true } else { false } }
  }

  @Test func connectionsThatAreCutAreErrors() async throws {
    let data = try TestImages.png()
    let server = try LoopbackServer { exchange in
      exchange.head(length: data.count)
      exchange.send(data.prefix(data.count / 2))
    }
    await expectError(makePipeline(), server.url) { $0.dataLoadingError != nil }
    let silent = try LoopbackServer { _ in }
    await expectError(makePipeline(), silent.url) { $0.dataLoadingError != nil }
  }

  @Test func lengthsThatAreTooSmallCutTheData() async throws {
    let data = try TestImages.png()
    let server = try LoopbackServer { exchange in
      exchange.head(length: data.count / 2)
      exchange.send(data)
    }
    // Half of a PNG is decoded leniently, as by browsers.
    let (loaded, _) = try await makePipeline().data(for: server.url)
    #expect(loaded == data.prefix(data.count / 2))
  }

  @Test func serversThatAreAbsentAreErrors() async throws {
    let url = try LoopbackServer { _ in }.url
    await expectError(makePipeline(), url) { $0.dataLoadingError is URLError }
  }

  @Test func redirectionsAreFollowed() async throws {
    let data = try TestImages.png()
    let server = try LoopbackServer { exchange in
      if exchange.request.path == "/" {
        exchange.respond(302, ["Location": "/image.png"], body: Data())
      } else {
        exchange.respond(body: data)
      }
    }
    let response = try await makePipeline().imageTask(with: server.url).response
    #expect(response.urlResponse?.url?.path == "/image.png" && response.image.width == 96)
  }

  @Test func manyDownloadsAtOnce() async throws {
    let data = try (0..<16).map { try TestImages.png(width: 40 + $0, height: 30) }
    let server = try LoopbackServer { exchange in
      let index = Int(exchange.request.path.dropFirst()) ?? 0
      exchange.respond(body: data[index])
    }
    let pipeline = makePipeline { $0.isRateLimiterEnabled = true }
    try await withThrowingTaskGroup(of: (Int, Int).self) { group in
      for index in data.indices {
        group.addTask {
          (index, try await pipeline.image(for: server.url.appendingPathComponent("\(index)")).width)
        }
      }
      for try await (index, width) in group { #expect(width == 40 + index) }
    }
    #expect(Set(server.requests.map(\.path)).count == 16 && server.requests.count == 16)
    #expect(await pipeline.runningJobCount == 0)
  }
}
