import Foundation
import Hummingbird
import HummingbirdTesting
import ImageCodecs
import Testing

@testable import UploadServer

@Suite struct UploadServerTests {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  private func photo(width: Int = 640, height: Int = 480) throws -> Bitmap {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width { pixels += [UInt8(x & 255), UInt8(y & 255), UInt8((x ^ y) & 255)] }
    }
    return try Bitmap(width: width, height: height, format: .rgb8, pixels: pixels)
  }

  private func post(_ body: [UInt8], policy: UploadPolicy = UploadPolicy()) async throws -> TestResponse {
    try await UploadServer(folder: folder, policy: policy).application().test(.router) { client in
      try await client.execute(uri: "/pictures", method: .post, body: ByteBuffer(bytes: body))
    }
  }

  @Test func storesThumbnailsAndASafeOriginal() async throws {
    var metadata = ImageMetadata()
    metadata.comments = ["private"]
    let upload = try await photo().encoded(as: .jpeg, metadata: metadata)
    let app = UploadServer(folder: folder).application()
    try await app.test(.router) { client in
      let response = try await client.execute(uri: "/pictures", method: .post, body: ByteBuffer(bytes: upload))
      #expect(response.status == .created)
      let receipt = try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView)) as? [String: Any]
      #expect(receipt?["width"] as? Int == 640)
      #expect(receipt?["type"] as? String == "image/jpeg")
      let files = try #require(receipt?["files"] as? [String])
      #expect(files.count == 3)
      for file in files {
        let download = try await client.execute(uri: file, method: .get)
        #expect(download.status == .ok)
        let image = try ImageFile(Array(download.body.readableBytesView))
        let metadata = try await image.metadata()
        let info = try await image.info()
        #expect(metadata.comments.isEmpty)
        #expect(info.width == (file.hasSuffix("320.jpg") ? 320 : 640))
      }
    }
  }

  @Test func refusesWhatIsNotAPicture() async throws {
    let text = Array("hello, world; this is text, not a picture at all".utf8)
    #expect(try await post(text).status == .unsupportedMediaType)
    #expect(try await post([]).status.code >= 400)
  }

  @Test func refusesFormatsThatAreNotAccepted() async throws {
    #expect(try await post(Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)).status == .unsupportedMediaType)
    #expect(try await post(photo().encoded(as: .bmp)).status == .unsupportedMediaType)
  }

  @Test func refusesDamage() async throws {
    let file = try await photo().encoded(as: .png)
    #expect(try await post(Array(file.dropLast(200))).status == .unprocessableContent)
    var flipped = file
    flipped[file.count / 2] ^= 0x40
    #expect(try await post(flipped).status == .unprocessableContent)
    let jpeg = try await photo().encoded(as: .jpeg)
    #expect(try await post(Array(jpeg.prefix(jpeg.count / 2))).status == .unprocessableContent)
  }

  @Test func refusesBombs() async throws {
    // A header of 60,000 × 60,000 pixels, without data.
    var header: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
    header += [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60, 8, 6, 0, 0, 0]
    header += [0, 0, 0, 0] + [UInt8](repeating: 0, count: 64)
    let status = try await post(header).status
    #expect(status == .contentTooLarge || status == .unprocessableContent)
  }

  @Test func refusesLongBodies() async throws {
    var policy = UploadPolicy()
    policy.maximumByteCount = 1000
    #expect(try await post(photo().encoded(as: .png), policy: policy).status == .contentTooLarge)
  }

  /// A client that sends a part of the body and then waits.
  @Test(.timeLimit(.minutes(1))) func endsSlowUploads() async throws {
    var policy = UploadPolicy()
    policy.maximumDuration = .milliseconds(300)
    let answer = try await UploadServer(folder: folder, policy: policy).application().test(.live) { client in
      let port = try #require(client.port)
      let script = """
        exec 3<>/dev/tcp/127.0.0.1/\(port)
        printf 'POST /pictures HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 1000\\r\\n\\r\\n\\x89PNG' >&3
        head -n 1 <&3
        """
      let shell = Process()
      let output = Pipe()
      shell.executableURL = URL(filePath: "/bin/bash")
      shell.arguments = ["-c", script]
      shell.standardOutput = output
      try shell.run()
      let reading = Task.detached { try output.fileHandleForReading.readToEnd() ?? Data() }
      return String(decoding: try await reading.value, as: UTF8.self)
    }
    #expect(answer.contains(" 408 "))
  }

  @Test func findsNoFilesOutsideOfItsFolder() async throws {
    let app = UploadServer(folder: folder).application()
    try await app.test(.router) { client in
      for path in ["/pictures/..%2F..%2Fetc/passwd", "/pictures/\(UUID())/1.jpg", "/pictures/x/..%2Fy.png", "/secret"] {
        let status = try await client.execute(uri: path, method: .get).status
        #expect(status == .notFound)
      }
    }
  }
}
