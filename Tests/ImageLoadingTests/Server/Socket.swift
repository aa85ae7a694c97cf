// The system calls of the test server.

#if canImport(Darwin)
  import Darwin
  private let stream = SOCK_STREAM
#elseif canImport(Glibc)
  import Glibc
  private let stream = Int32(SOCK_STREAM.rawValue)
#elseif canImport(Musl)
  import Musl
  private let stream = SOCK_STREAM
#endif

enum Socket {
  /// Returns a socket that listens on a free port of 127.0.0.1.
  static func listenOnLoopback() -> (socket: Int32, port: UInt16)? {
    let listener = socket(AF_INET, stream, 0)
    guard listener >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // SAFETY: the calls read and write one structure of the given length.
    let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe bind(listener, generic, length) == 0 && getsockname(listener, generic, &length) == 0
          && Self.listen(listener)
      }
    }
    guard isListening else {
      close(listener)
      return nil
    }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  private static func listen(_ socket: Int32) -> Bool {
    #if canImport(Darwin)
      Darwin.listen(socket, 128) == 0
    #elseif canImport(Glibc)
      Glibc.listen(socket, 128) == 0
    #else
      Musl.listen(socket, 128) == 0
    #endif
  }

  static func accept(_ listener: Int32) -> Int32 {
    #if canImport(Darwin)
      Darwin.accept(listener, nil, nil)
    #elseif canImport(Glibc)
      Glibc.accept(listener, nil, nil)
    #else
      Musl.accept(listener, nil, nil)
    #endif
  }

  static func receiveByte(_ connection: Int32) -> UInt8? {
    var byte: UInt8 = 0
    // SAFETY: at most one byte is written.
    return unsafe recv(connection, &byte, 1, 0) == 1 ? byte : nil
  }

  /// Sends bytes. Returns `false` if the client has closed the connection.
  static func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      // A client that has closed the connection must not end the process.
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var start = 0
    while start < bytes.count {
      // SAFETY: the buffer is read within its bounds.
      let count = unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
        #if canImport(Darwin)
          return unsafe Darwin.send(connection, rest.baseAddress, rest.count, flags)
        #elseif canImport(Glibc)
          return unsafe Glibc.send(connection, rest.baseAddress, rest.count, flags)
        #else
          return unsafe Musl.send(connection, rest.baseAddress, rest.count, flags)
        #endif
      }
      guard count > 0 else { return false }
      start += count
    }
    return true
  }

  static func shutDown(_ socket: Int32) {
    _ = shutdown(socket, Int32(SHUT_RDWR))
  }

  static func close(_ socket: Int32) {
    #if canImport(Darwin)
      _ = Darwin.close(socket)
    #elseif canImport(Glibc)
      _ = Glibc.close(socket)
    #else
      _ = Musl.close(socket)
    #endif
  }
}
