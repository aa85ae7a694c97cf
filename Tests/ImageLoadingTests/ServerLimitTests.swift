// Limits on the size of data: servers that send without end, bombs, files, closures and sequences.

import Foundation
import ImageLoading
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private func isTooLarge(_ error: ImagePipeline.Error) -> Bool {
  if case .dataDownloadExceededMaximumSize = error { true } else { false }
}

@Suite struct ServerLimitTests {
  private static let limit = 1 << 20

  private func makePipeline(_ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }) -> ImagePipeline {
    ImagePipeline.forServer {
      $0.maximumResponseDataSize = Self.limit
      configure(&$0)
    }
  }

  /// Three gigabytes, which the limit stops.
  private static let endless = 3000 << 20

  @Test(arguments: [nil, endless]) func endlessBodiesAreStopped(length: Int?) async throws {
    let sent = Log<Int>()
    let isClosed = Gate()
    let server = try LoopbackServer { exchange in
      exchange.head(length: length, ["ETag": "\"a\"", "Accept-Ranges": "bytes"])
      sent.append(exchange.sendZeros(atMost: Self.endless))
      isClosed.open()
    }
    let pipeline = makePipeline()
    await expectError(pipeline, server.url, isTooLarge)
    await isClosed.wait()
    #expect(sent.values[0] < Self.endless)
    // Data that exceeds the limit is not kept for a continuation.
    await expectError(pipeline, server.url, isTooLarge)
    #expect(server.requests.map(\.rangeStart) == [nil, nil])
  }

  /// A gzip stream (RFC 1952) of zeros: one block with fixed codes (RFC 1951, section 3.2.6), with matches of 258 bytes
  /// at distance 1. Its trailer is missing.
  private static func gzipBomb(byteCount: Int) -> [UInt8] {
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    var bits = 0
    var bitCount = 0
    // Codes are packed from their most significant bit, other values from the least.
    func append(_ code: Int, _ count: Int) {
      for index in (0..<count).reversed() {
        bits |= (code >> index & 1) << bitCount
        bitCount += 1
        if bitCount == 8 {
          bytes.append(UInt8(bits))
          (bits, bitCount) = (0, 0)
        }
      }
    }
    append(0b110, 3)  // The last block; fixed codes.
    append(0b0011_0000, 8)  // The literal 0.
    for _ in 0..<byteCount / 258 { append(0b1100_0101 << 5, 13) }
    append(0, 7)
    append(0, 7)
    return bytes
  }

  @Test func compressedBodiesAreLimitedByTheirDecompressedSize() async throws {
    let bomb = Self.gzipBomb(byteCount: 40 << 20)
    #expect(bomb.count < Self.limit)
    let compressed = try #require(
      Data(
        base64Encoded: "H4sIAAAAAAACA3XMSQ6AIAxA0auQuOiOVt0Z4DLKlOAQaKzHFw/g+v880+6onr0czUJivhZEEdEy67NGnIgI+wFK"
          + "8sbJwkSgks8xsYWRwJnqV/6JKuRSLAwhdIUAnfko9wILR+x+cgAAAA=="))
    let server = try LoopbackServer { exchange in
      let body = exchange.request.path == "/bomb" ? Data(bomb) : compressed
      exchange.respond(200, ["Content-Encoding": "gzip"], body: body)
    }
    let pipeline = makePipeline()
    await expectError(pipeline, server.url.appendingPathComponent("bomb"), isTooLarge)
    #expect(try await pipeline.data(for: server.url).0 == TestImages.svg)
  }

  @Test func endlessBodiesOfErrorsAreStopped() async throws {
    let isClosed = Gate()
    let server = try LoopbackServer { exchange in
      exchange.head(404, length: nil)
      _ = exchange.sendZeros(atMost: Self.endless)
      isClosed.open()
    }
    await expectError(makePipeline(), server.url) {
      $0.dataLoadingError as? DataLoader.Error == .statusCodeUnacceptable(404)
    }
    await isClosed.wait()
  }

  /// Data that calls a closure when it is released.
  private static func data(_ byteCount: Int, onRelease: @escaping @Sendable () -> Void) -> Data {
    // SAFETY: the memory is initialized, and released once, when the data is.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 1)
    _ = unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0)
    guard let address = buffer.baseAddress else { return Data() }
    return unsafe Data(
      bytesNoCopy: address, count: byteCount,
      deallocator: .custom { address, _ in
        unsafe address.deallocate()
        onRelease()
      })
  }

  @Test func dataBeyondTheLimitIsReleasedWhileThePipelineIsBusy() async throws {
    let loader = ScriptedLoader()
    let pipeline = ImagePipeline.forTest(loader) { $0.maximumResponseDataSize = Self.limit }
    let task = pipeline.imageTask(with: testURL)
    await loader.count.wait(for: 1)
    let load = loader.loads.values[0]
    // Nothing runs on the actor until the gate opens.
    let (isBusy, mayContinue) = (Gate(), Gate())
    Task { @ImagePipelineActor in
      isBusy.open()
      mayContinue.block()
    }
    await isBusy.wait()
    let released = Counter()
    let part = Self.limit / 8
    for index in 1...20 {
      load.send(Self.data(part) { released.increment() }, total: -1)
      #expect(load.cancellation.isOpen == (index > 8))
      #expect(released.value == (index > 8 ? index : 0))
    }
    mayContinue.open()
    let error = await #expect(throws: ImagePipeline.Error.self) { try await task.image }
    #expect(error.map(isTooLarge) == true)
  }

  @Test func manySmallPartsAreCombined() async throws {
    let loader = ScriptedLoader()
    let pipeline = ImagePipeline.forTest(loader)
    let request = ImageRequest(url: testURL)
    let (isBusy, mayContinue) = (Gate(), Gate())
    let events = Counter()
    let task = pipeline.loadData(with: request) { _, _ in
      events.increment()
    } completion: { _ in
    }
    await loader.count.wait(for: 1)
    Task { @ImagePipelineActor in
      isBusy.open()
      mayContinue.block()
    }
    await isBusy.wait()
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
    for byte in bytes { loader.loads.values[0].send(Data([byte]), total: bytes.count) }
    loader.loads.values[0].finish()
    mayContinue.open()
    #expect(try await task.response.container.data == Data(bytes))
    #expect(events.value <= 100)
  }

  @Test func filesAreLimited() async throws {
    let pipeline = makePipeline()
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let file = folder.url.appendingPathComponent("sparse")
    #expect(FileManager.default.createFile(atPath: file.path, contents: Data([1, 2, 3])))
    #expect(try await pipeline.data(for: file).0 == Data([1, 2, 3]))
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: UInt64(Self.limit))
    #expect(try await pipeline.data(for: file).0.count == Self.limit)
    try handle.truncate(atOffset: 2500 << 20)
    await expectError(pipeline, file, isTooLarge)
    let link = folder.url.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    await expectError(pipeline, link, isTooLarge)
    await expectError(pipeline, folder.url) { $0.dataLoadingError != nil }
    #if os(Linux)
      // Files whose length is 0 until they are read, and devices.
      #expect(try await pipeline.data(for: URL(fileURLWithPath: "/proc/self/status")).0.isEmpty == false)
      await expectError(pipeline, URL(fileURLWithPath: "/dev/zero")) { $0.dataLoadingError != nil }
      let small = makePipeline { $0.maximumResponseDataSize = 10 }
      await expectError(small, URL(fileURLWithPath: "/proc/self/status"), isTooLarge)
    #endif
  }

  @Test func filesOfOtherHostsAreRefused() async throws {
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let file = folder.url.appendingPathComponent("file")
    try Data([1]).write(to: file)
    let pipeline = makePipeline()
    for host in ["", "localhost", "LOCALHOST"] {
      let url = try #require(URL(string: "file://\(host)\(file.path)"))
      #expect(try await pipeline.data(for: url).0 == Data([1]))
    }
    for host in ["otherhost", "127.0.0.1", "localhost.example", "%6cocalhos%74x"] {
      guard let url = URL(string: "file://\(host)\(file.path)") else { continue }
      await expectError(pipeline, url) { ($0.dataLoadingError as? CodecError)?.kind == .fileAccessFailed }
    }
    // Without local resources, no part of the library reads files.
    let remote = makePipeline { $0.isLocalResourcesSupportEnabled = false }
    await expectError(remote, file) { ($0.dataLoadingError as? URLError)?.code == .unsupportedURL }
  }

  @Test func closuresAndDataURLsAreLimited() async throws {
    let pipeline = makePipeline()
    for count in [Self.limit, Self.limit + 1] {
      let data = Data(repeating: 65, count: count)
      let url = try #require(URL(string: "data:," + String(decoding: data, as: UTF8.self)))
      for request in [ImageRequest(id: "closure", data: { data }), ImageRequest(url: url)] {
        if count > Self.limit {
          await expectError(pipeline, request, isTooLarge)
        } else {
          #expect(try await pipeline.data(for: request).0.count == count)
        }
      }
    }
  }

  /// Parts without end, which count how often they are requested.
  private struct EndlessChunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let counter: Counter
    var onRequest: @Sendable (Int) async -> Void = { _ in }

    func makeAsyncIterator() -> EndlessChunks { self }

    func next() async throws -> Data? {
      await onRequest(counter.increment())
      return Data(count: 1 << 16)
    }
  }

  @Test func chunksAreRequestedOneAfterAnother() async throws {
    let pipeline = makePipeline()
    let all = Counter()
    await expectError(pipeline, ImageRequest(id: "all", chunks: { EndlessChunks(counter: all) }), isTooLarge)
    #expect(all.value == Self.limit / (1 << 16) + 1)
    // While the pipeline is busy, the sequence waits.
    let counter = Counter()
    let (isBusy, mayContinue) = (Gate(), Gate())
    let chunks = EndlessChunks(counter: counter) { index in
      guard index == 3 else { return }
      Task { @ImagePipelineActor in
        isBusy.open()
        mayContinue.block()
      }
      await isBusy.wait()
    }
    let task = pipeline.imageTask(with: ImageRequest(id: "chunks", chunks: { chunks }))
    await isBusy.wait()
    for _ in 0..<1000 { await Task.yield() }
    #expect(counter.value == 3)
    mayContinue.open()
    let error = await #expect(throws: ImagePipeline.Error.self) { try await task.image }
    #expect(error.map(isTooLarge) == true)
  }
}
