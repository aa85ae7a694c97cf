import JPEGCodec
import Testing

@Test func probeLooksAtThreeBytes() {
  let decoder = JPEGDecoder()
  #expect(decoder.probe([0xFF, 0xD8, 0xFF].span) == .yes(JPEGDecoder.type))
  #expect(decoder.probe([0xFF, 0xD8].span) == .needs(byteCount: 3))
  #expect(decoder.probe([0x89, 0x50].span) == .no)
}
