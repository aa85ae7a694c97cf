// Memory kept between images: reuse, the cap, zeroed contents, and use by several threads.

import ImageCore
import Testing
import Threading

@Suite struct BufferPoolTests {
  @Test func buffersAreReusedAndZeroed() {
    let pool = BufferPool(maximumByteCount: 1 << 20)
    var buffer: [UInt8] = pool.take(100_000)
    #expect(buffer.count == 100_000)
    for index in buffer.indices { buffer[index] = 0xA5 }
    pool.put(buffer)
    buffer = []
    #expect(pool.byteCount >= 100_000)
    // Smaller, but more than half.
    let again: [UInt8] = pool.take(60_000)
    #expect(again.count == 60_000)
    #expect(again.allSatisfy { $0 == 0 })
    #expect(again.capacity >= 100_000)
    #expect(pool.byteCount == 0)
    pool.put(again)
    // Neither too small nor more than twice the size.
    let kept = pool.byteCount
    let larger: [UInt8] = pool.take(200_000)
    let smaller: [UInt8] = pool.take(20_000)
    #expect((larger.count, smaller.count, pool.byteCount) == (200_000, 20_000, kept))
    pool.removeAll()
    #expect(pool.byteCount == 0)
  }

  @Test func elementsHaveBuffersOfTheirOwn() {
    let pool = BufferPool()
    pool.put([Int16](repeating: 7, count: 10_000))
    pool.put([Float](repeating: 7, count: 10_000))
    let bytes: [UInt8] = pool.take(20_000)
    #expect(bytes.allSatisfy { $0 == 0 })
    #expect(pool.byteCount >= 60_000)
    let coefficients: [Int16] = pool.take(10_000)
    #expect(coefficients == [Int16](repeating: 0, count: 10_000))
    let samples: [Float] = pool.take(10_000)
    #expect(samples == [Float](repeating: 0, count: 10_000))
    #expect(pool.byteCount == 0)
  }

  @Test func theCapHoldsAndTheOldestIsFreed() {
    let pool = BufferPool(maximumByteCount: 300_000)
    for size in [100_000, 90_000, 80_000, 70_000] {
      pool.put([UInt8](repeating: 1, count: size))
      #expect(pool.byteCount <= 300_000)
    }
    // The first one had to go.
    let before = pool.byteCount
    let missing: [UInt8] = pool.take(100_000)
    #expect(missing.count == 100_000)
    #expect(pool.byteCount == before)
    pool.put([UInt8](repeating: 1, count: 300_001 + 100_000))
    #expect(pool.byteCount == before)
    // Small buffers are not worth keeping, and their number is limited.
    pool.put([UInt8](repeating: 1, count: 100))
    #expect(pool.byteCount == before)
    let many = BufferPool(maximumByteCount: 1 << 30)
    for _ in 0..<1000 { many.put([UInt8](repeating: 1, count: 5000)) }
    #expect(many.byteCount < 300 * 10_000)
    let none = BufferPool(maximumByteCount: -1)
    none.put([UInt8](repeating: 1, count: 5000))
    #expect(none.byteCount == 0)
  }

  @Test func recycledBitmapsDoNotChangeTheirCopies() throws {
    let pool = BufferPool()
    let bitmap = try Bitmap(width: 100, height: 100, format: .gray8, pixels: [UInt8](repeating: 9, count: 10_000))
    let copy = bitmap
    pool.recycle(bitmap)
    var taken: [UInt8] = pool.take(10_000)
    for index in taken.indices { taken[index] = 1 }
    #expect(copy.packedPixels == [UInt8](repeating: 9, count: 10_000))
  }

  @Test func threadsShareAPool() async {
    let pool = BufferPool(maximumByteCount: 400_000)
    let isSound = await withTaskGroup(of: Bool.self) { group in
      for task in 0..<8 {
        group.addTask {
          for round in 0..<500 {
            var buffer: [UInt8] = pool.take(5000 + (task * 997 + round * 131) % 60_000)
            guard buffer.allSatisfy({ $0 == 0 }) else { return false }
            for index in buffer.indices { buffer[index] = UInt8(task + 1) }
            guard buffer.allSatisfy({ $0 == UInt8(task + 1) }), pool.byteCount <= 400_000 else { return false }
            pool.put(buffer)
          }
          return true
        }
      }
      return await group.reduce(true) { $0 && $1 }
    }
    #expect(isSound)
  }
}
