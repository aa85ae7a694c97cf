// Files that are passed on part by part, and fields that are replaced later.

import ImageCoding
import Testing

private final class Recorder: EncodedOutputDestination {
  var bytes: [UInt8] = []
  var partByteCounts: [Int] = []

  func append(_ part: [UInt8]) {
    bytes += part
    partByteCounts.append(part.count)
  }

  func replace(at offset: Int, with replacement: [UInt8]) {
    bytes.replaceSubrange(offset..<offset + replacement.count, with: replacement)
  }
}

@Suite struct EncodedOutputTests {
  private let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

  private func write(_ size: Int, to output: inout EncodedOutput, _ budget: inout ResourceBudget) throws {
    for start in stride(from: 0, to: bytes.count, by: size) {
      let end = min(bytes.count, start + size)
      if start / size % 2 == 0 {
        try output.append(Array(bytes[start..<end]), budget: &budget)
      } else {
        try output.append(bytes.span.extracting(start..<end), budget: &budget)
      }
    }
  }

  @Test(arguments: [1000, 65_536, 300_000, 700_000]) func partsAreTheFileAndAreNotHeld(size: Int) throws {
    let recorder = Recorder()
    var output = EncodedOutput(to: recorder)
    var budget = ResourceBudget(.default)
    try write(size, to: &output, &budget)
    #expect(output.byteCount == bytes.count)
    #expect(try output.finish().isEmpty)
    #expect(recorder.bytes == bytes)
    #expect(recorder.partByteCounts.dropLast().allSatisfy { $0 >= EncodedOutput.partByteCount })
    #expect(budget.peakByteCount == 0)
  }

  @Test func aFileInMemoryIsChargedAndHeldTwiceWhileItGrows() throws {
    var output = EncodedOutput()
    var budget = ResourceBudget(.default)
    try write(1000, to: &output, &budget)
    #expect(budget.heldByteCount == bytes.count)
    #expect((bytes.count * 5 / 4...bytes.count * 2).contains(budget.peakByteCount))
    #expect(try output.finish() == bytes)
    var small = EncodedOutput()
    var tight = ResourceBudget(DecodingLimits(maximumByteCount: 600_000))
    #expect(throws: CodecError.self) { try write(1000, to: &small, &tight) }
    // A file of known size does not grow.
    var reserved = EncodedOutput()
    budget = ResourceBudget(.default)
    try reserved.reserve(bytes.count, budget: &budget)
    try write(1000, to: &reserved, &budget)
    #expect(budget.peakByteCount == bytes.count)
  }

  /// Before, across and after the end of the bytes that have been passed on.
  @Test(arguments: [0, 10, 262_143, 400_000, 599_990]) func bytesAreReplaced(at offset: Int) throws {
    var expected = bytes
    expected.replaceSubrange(offset..<offset + 4, with: [1, 2, 3, 4])
    for recorder in [Recorder(), nil] {
      var output = EncodedOutput(to: recorder)
      var budget = ResourceBudget(.default)
      try output.append(Array(bytes[..<262_145]), budget: &budget)
      try output.append(Array(bytes[262_145..<600_000]), budget: &budget)
      try output.replace(at: offset, with: [1, 2, 3, 4])
      try output.append(Array(bytes[600_000...]), budget: &budget)
      let rest = try output.finish()
      #expect((recorder?.bytes ?? []) + rest == expected)
    }
  }

  @Test func bytesAcrossTheLastPartAreReplaced() throws {
    let recorder = Recorder()
    var output = EncodedOutput(to: recorder)
    var budget = ResourceBudget(.default)
    try output.append([UInt8](repeating: 9, count: EncodedOutput.partByteCount), budget: &budget)
    try output.append([9, 9, 9], budget: &budget)
    try output.replace(at: EncodedOutput.partByteCount - 1, with: [5, 6])
    try output.append([7], budget: &budget)
    _ = try output.finish()
    #expect(recorder.bytes.suffix(6) == [9, 5, 6, 9, 9, 7])
  }
}
