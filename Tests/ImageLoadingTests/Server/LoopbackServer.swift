// An HTTP server on the loopback interface whose responses are written by the test, byte by byte if need be.

import Foundation
import ImageLoading
import Threading

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Accepts connections on a free port of 127.0.0.1 until it is released. Every connection has a thread and serves one
/// request.
final class LoopbackServer: Sendable {
  typealias Handler = @Sendable (HTTPExchange) -> Void

  /// The address of the server, with a slash at the end.
  let url: URL
  private let listener: Int32
  private let exchanges = Mutex<[HTTPRequest]>([])

  /// The requests received so far.
  var requests: [HTTPRequest] { exchanges.withLock { $0 } }

  /// Starts a server. The handler is called for every request, on a thread of the connection.
  init(_ handler: @escaping Handler) throws {
    (listener, url) = try Self.listen()
    let log: @Sendable (HTTPRequest) -> Void = { [weak self] request in self?.exchanges.withLock { $0.append(request) }
    }
    let listener = listener
    Thread.detachNewThread {
      while true {
        let connection = Socket.accept(listener)
        guard connection >= 0 else { return Socket.close(listener) }
        Thread.detachNewThread { Self.serve(connection, handler, log) }
      }
    }
  }

  deinit {
    // Wakes the thread that accepts connections, which then closes the socket.
    Socket.shutDown(listener)
  }

  private static func serve(_ connection: Int32, _ handler: Handler, _ log: (HTTPRequest) -> Void) {
    defer { Socket.close(connection) }
    guard let request = HTTPRequest(readFrom: connection) else { return }
    log(request)
    let exchange = HTTPExchange(request: request, connection: connection)
    handler(exchange)
    exchange.finish()
  }

  private static func listen() throws -> (Int32, URL) {
    guard let (listener, port) = Socket.listenOnLoopback(), let url = URL(string: "http://127.0.0.1:\(port)/") else {
      throw POSIXError(.EADDRNOTAVAIL)
    }
    return (listener, url)
  }
}

/// A request as the server received it.
struct HTTPRequest: Sendable {
  let method: String
  let path: String
  /// The header fields, with names in lower case.
  let headers: [String: String]

  init?(readFrom connection: Int32) {
    var bytes: [UInt8] = []
    let end = Array("\r\n\r\n".utf8)
    while !bytes.suffix(end.count).elementsEqual(end) {
      guard bytes.count < 1 << 16, let byte = Socket.receiveByte(connection) else { return nil }
      bytes.append(byte)
    }
    let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count == 3 else { return nil }
    method = String(words[0])
    path = String(words[1])
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    self.headers = headers
  }

  /// The first byte that a range request asks for.
  var rangeStart: Int? {
    headers["range"].flatMap { range in Int(range.dropFirst("bytes=".count).prefix { $0 != "-" }) }
  }
}

/// A request and the connection on which it is answered.
final class HTTPExchange: Sendable {
  let request: HTTPRequest
  private let connection: Int32

  fileprivate init(request: HTTPRequest, connection: Int32) {
    self.request = request
    self.connection = connection
  }

  /// Sends the head of a response.
  ///
  /// - Parameter length: the announced length of the body; `nil` for none, in which case the body ends with the connection.
  func head(_ status: Int = 200, length: Int?, _ headers: [String: String] = [:]) {
    var head = "HTTP/1.1 \(status) Status\r\nConnection: close\r\n"
    if let length { head += "Content-Length: \(length)\r\n" }
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    send(Array((head + "\r\n").utf8))
  }

  /// Sends a part of the body. Does nothing if the client has closed the connection.
  func send(_ bytes: some Sequence<UInt8>) {
    _ = Socket.send(Array(bytes), to: connection)
  }

  /// Sends zeros until the client closes the connection. Returns the number of bytes sent.
  func sendZeros(atMost byteCount: Int) -> Int {
    let part = [UInt8](repeating: 0, count: 1 << 16)
    var sent = 0
    while sent < byteCount, Socket.send(part, to: connection) {
      sent += part.count
      // No faster than a fast network, so that tests that run meanwhile get some time.
      Thread.sleep(forTimeInterval: 0.001)
    }
    return sent
  }

  /// Sends a complete response as one chunk (RFC 9112, section 7.1).
  func respondChunked(_ headers: [String: String] = [:], body: some Collection<UInt8>) {
    head(length: nil, headers.merging(["Transfer-Encoding": "chunked"]) { $1 })
    send(Array("\(String(body.count, radix: 16))\r\n".utf8) + Array(body) + Array("\r\n0\r\n\r\n".utf8))
  }

  /// Sends a complete response.
  func respond(_ status: Int = 200, _ headers: [String: String] = [:], body: some Collection<UInt8>) {
    head(status, length: body.count, headers)
    send(body)
  }

  /// Returns once the client has closed the connection.
  func waitForClientToClose() {
    while Socket.receiveByte(connection) != nil {}
  }

  fileprivate func finish() {
    Socket.shutDown(connection)
  }
}

extension ImagePipeline {
  /// Creates a pipeline for a test, which loads over HTTP without a cache for responses.
  nonisolated static func forServer(_ configure: (inout Configuration) -> Void = { _ in }) -> ImagePipeline {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    return forTest(DataLoader(configuration: configuration), configure)
  }
}
