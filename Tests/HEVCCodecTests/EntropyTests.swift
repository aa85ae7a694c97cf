import HEVCCodec
import TestSupport
import Testing

@Suite struct EntropyTests {
  @Test func decodingInvertsEncoding() {
    var noise = TestRandom(21)
    for round in 0..<60 {
      // 0…7: a bin of that context; 8: equiprobable bins; 9: a bin before which the stream may end.
      var plan: [(kind: Int, value: Int, count: Int)] = []
      for _ in 0..<400 {
        let kind = Int.random(in: 0...9, using: &noise)
        let bias = [2, 4, 9, 30][round % 4]
        switch kind {
        case 0...7: plan.append((kind, Int.random(in: 0..<bias, using: &noise) == 0 ? 1 : 0, 1))
        case 8:
          let count = Int.random(in: 1...21, using: &noise)
          plan.append((kind, Int.random(in: 0..<1 << count, using: &noise), count))
        default: plan.append((kind, 0, 1))
        }
      }
      var encoder = CABACEncoder(modelCount: 8, qp: 30)
      for step in plan {
        switch step.kind {
        case 0...7: encoder.encode(step.value, model: step.kind)
        case 8: for bit in (0..<step.count).reversed() { encoder.encodeBypass(step.value >> bit & 1) }
        default: encoder.encodeTerminate(false)
        }
      }
      encoder.encodeTerminate(true)
      encoder.finish()
      let byteCount = encoder.bytes.count
      let bytes = encoder.bytes + [UInt8](repeating: 0, count: 16)
      var decoder = CABACDecoder(end: byteCount)
      decoder.restart(at: 0, bytes.span)
      var models = ContextModels(qp: 30)
      for index in 0..<8 { models.states[index] = UInt8(encoder.initialModels[index]) }
      var mismatches = 0
      for step in plan {
        let value: Int
        switch step.kind {
        case 0...7: value = decoder.decode(step.kind, &models, bytes.span)
        case 8: value = decoder.decodeBypass(count: step.count, bytes.span)
        default: value = decoder.decodeTerminate(bytes.span) ? 1 : 0
        }
        if value != step.value { mismatches += 1 }
      }
      #expect(mismatches == 0)
      let isEnd = decoder.decodeTerminate(bytes.span)
      #expect(isEnd)
      #expect(!decoder.isExhausted && decoder.alignedIndex == byteCount)
    }
  }

  @Test func remainingLevelsAreGolombRiceCodes() {
    var noise = TestRandom(22)
    for rice in 0...4 {
      var encoder = CABACEncoder(modelCount: 1, qp: 30)
      var values = (0..<200).map { _ in Int.random(in: 0...60, using: &noise) }
      values += [0, 1, 300, 5000, 32767]
      for value in values { encoder.encodeRemaining(value, rice: rice) }
      encoder.encodeTerminate(true)
      encoder.finish()
      let bytes = encoder.bytes + [UInt8](repeating: 0, count: 16)
      var decoder = CABACDecoder(end: encoder.bytes.count)
      decoder.restart(at: 0, bytes.span)
      #expect(values.map { _ in decoder.decodeRemaining(rice: rice, bytes.span) } == values)
    }
  }

  @Test func readingPastTheEndIsNoticed() {
    let bytes = [UInt8](repeating: 0x55, count: 4) + [UInt8](repeating: 0, count: 16)
    var decoder = CABACDecoder(end: 4)
    decoder.restart(at: 0, bytes.span)
    for _ in 0..<23 {
      #expect(!decoder.isExhausted)
      _ = decoder.decodeBypass(bytes.span)
    }
    _ = decoder.decodeBypass(bytes.span)
    #expect(decoder.isExhausted)
    for _ in 0..<1000 { _ = decoder.decodeBypass(count: 21, bytes.span) }
    #expect(decoder.isExhausted)
  }
}
