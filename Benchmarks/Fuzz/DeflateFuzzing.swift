// Both decompressors of DEFLATE streams, compared call by call, and our compressor. They need the trait SystemZlib.

import ByteCompression

/// Decompresses an input with our code and with zlib, in parts whose sizes the first bytes determine. Traps if the output,
/// a position or a reason differs.
func fuzzDecompression(_ bytes: [UInt8]) {
  guard bytes.count > 3 else { return }
  let container: InflateContainer = [.raw, .zlib, .gzip][Int(bytes[0]) % 3]
  let (inputs, outputs) = (1 + Int(bytes[1]) * Int(bytes[1]), 1 + Int(bytes[2]) * Int(bytes[2]))
  let ours = SwiftInflateStream(container)
  let system = SystemInflateStream(container)
  var (first, second) = ([UInt8](repeating: 0, count: outputs), [UInt8](repeating: 0, count: outputs))
  var position = 3
  var total = 0
  while total < 4 << 20 {
    let input = bytes.span.extracting(position..<min(bytes.count, position + inputs))
    var firstSpace = first.mutableSpan
    var secondSpace = second.mutableSpan
    let progress = ours.inflate(input, into: &firstSpace)
    let expected = system.inflate(input, into: &secondSpace)
    precondition(progress == expected, "the decompressors differ in their progress")
    precondition(
      first[..<progress.producedCount] == second[..<progress.producedCount], "the decompressors differ in their output")
    position += progress.consumedCount
    total += progress.producedCount
    guard progress.status == .needsMore, position < bytes.count || progress.producedCount == outputs else { return }
  }
}

/// Compresses an input, repeated as its first bytes say, and traps if zlib does not restore it.
func fuzzCompression(_ bytes: [UInt8]) {
  guard bytes.count > 3 else { return }
  let strategy: DeflateStrategy = [.standard, .filtered, .runLength, .huffmanOnly][Int(bytes[1]) % 4]
  let stream = SwiftDeflateStream(level: Int(bytes[0]) % 10, strategy: strategy)
  var content: [UInt8] = []
  for round in 0...Int(bytes[2]) % 8 {
    let part = Array(bytes[(3 + round) % bytes.count..<bytes.count])
    stream.append(part.span)
    content += part
  }
  guard let compressed = stream.finish() else { preconditionFailure("the compressor failed") }
  let system = SystemInflateStream(.zlib)
  var restored = [UInt8](repeating: 0, count: content.count + 1)
  var space = restored.mutableSpan
  let progress = system.inflate(compressed.span, into: &space)
  precondition(
    progress.status == .finished && progress.consumedCount == compressed.count
      && restored[..<progress.producedCount] == content[...], "zlib does not restore the content")
  precondition(
    compressed.count <= content.count + 5 * (content.count / 32_768 + 1) + 16, "the stream is larger than stored blocks"
  )
}
