// SHA-256 (FIPS 180-4), which names files of caches and identifies pixels.

/// The state of a SHA-256 computation.
package struct SHA256: Sendable {
  private var state: [8 of UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]

  /// Returns the digest of bytes in lower-case hexadecimal digits.
  package static func hexDigest(of bytes: Span<UInt8>) -> String {
    var digest = SHA256()
    var start = 0
    while bytes.count - start >= 64 {
      digest.absorb(bytes, at: start)
      start += 64
    }
    digest.absorbLast(bytes.extracting(start..<bytes.count), messageLength: bytes.count)
    return digest.hexadecimal
  }

  /// Pads the message with a 1 bit, zeros and its length in bits to a multiple of 64 bytes (section 5.1.1).
  private mutating func absorbLast(_ rest: Span<UInt8>, messageLength: Int) {
    var padded = [UInt8](repeating: 0, count: rest.count < 56 ? 64 : 128)
    for index in 0..<rest.count { padded[index] = rest[index] }
    padded[rest.count] = 0x80
    let bitCount = UInt64(messageLength) * 8
    for index in 0..<8 {
      padded[padded.count - 1 - index] = UInt8(truncatingIfNeeded: bitCount >> (8 * UInt64(index)))
    }
    for start in stride(from: 0, to: padded.count, by: 64) { absorb(padded.span, at: start) }
  }

  /// Processes one block of 64 bytes (section 6.2.2).
  private mutating func absorb(_ bytes: Span<UInt8>, at start: Int) {
    var words = [64 of UInt32](repeating: 0)
    for index in 0..<16 {
      let at = start &+ index &* 4
      words[index] =
        UInt32(bytes[at]) &<< 24 | UInt32(bytes[at &+ 1]) &<< 16 | UInt32(bytes[at &+ 2]) &<< 8
        | UInt32(bytes[at &+ 3])
    }
    for index in 16..<64 {
      let early = words[index &- 15]
      let late = words[index &- 2]
      let sigma0 = rotateRight(early, 7) ^ rotateRight(early, 18) ^ (early &>> 3)
      let sigma1 = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late &>> 10)
      words[index] = words[index &- 16] &+ sigma0 &+ words[index &- 7] &+ sigma1
    }
    mix(words)
  }

  private mutating func mix(_ words: [64 of UInt32]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for round in 0..<64 {
      let sum1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)
      let choice = (e & f) ^ (~e & g)
      let first = h &+ sum1 &+ choice &+ roundConstants[round] &+ words[round]
      let sum0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
    state[5] &+= f
    state[6] &+= g
    state[7] &+= h
  }

  private var hexadecimal: String {
    var text = ""
    for index in 0..<8 {
      let digits = String(state[index], radix: 16)
      text += String(repeating: "0", count: 8 - digits.count) + digits
    }
    return text
  }
}

@inline(__always)
private func rotateRight(_ word: UInt32, _ count: UInt32) -> UInt32 {
  word &>> count | word &<< (32 &- count)
}

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2).
private let roundConstants: [UInt32] = [
  0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
  0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
  0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
  0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
  0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
  0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
  0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
  0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
]
