// The implementation of DEFLATE streams: the system's zlib with the trait of that name, our own without it.

#if SystemZlib
  package typealias InflateStream = SystemInflateStream
  package typealias DeflateStream = SystemDeflateStream
#else
  package typealias InflateStream = SwiftInflateStream
  package typealias DeflateStream = SwiftDeflateStream
#endif
