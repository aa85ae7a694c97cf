// The implementation of DEFLATE streams: the system's zlib.

package typealias InflateStream = SystemInflateStream
package typealias DeflateStream = SystemDeflateStream
