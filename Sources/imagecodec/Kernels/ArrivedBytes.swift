// Reads what a pipe has received so far. Foundation's reads wait until all requested bytes have arrived.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Foundation
#endif

/// Waits until a file descriptor has bytes, and returns those that have arrived. Empty at the end of the input and if it
/// cannot be read.
func readArrivedBytes(_ descriptor: Int32, maximumByteCount: Int) -> [UInt8] {
  precondition(maximumByteCount >= 0, "the number of bytes is negative")
  #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    while true {
      var isInterrupted = false
      // SAFETY: read writes at most as many bytes as the buffer has, and returns their number.
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: maximumByteCount) { buffer, count in
        let result = unsafe read(descriptor, buffer.baseAddress, maximumByteCount)
        count = max(0, result)
        isInterrupted = result < 0 && errno == EINTR
      }
      if !isInterrupted { return bytes }
    }
  #else
    guard maximumByteCount > 0, let byte = try? FileHandle(fileDescriptor: descriptor).read(upToCount: 1) else {
      return []
    }
    return [UInt8](byte)
  #endif
}
