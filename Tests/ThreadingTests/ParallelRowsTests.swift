// Every index once, for any number of threads.

import Testing
import Threading

@Suite struct ParallelRowsTests {
  @Test(arguments: [Int.min, -1, 0, 1, 2, 3, 7, 64, 1_000, .max])
  func everyIndexRunsOnce(parallelism: Int) {
    for count in [0, 1, 2, 5, 200] {
      let counts = Mutex([Int](repeating: 0, count: count))
      ParallelRows.perform(count: count, parallelism: parallelism) { index in counts.withLock { $0[index] += 1 } }
      #expect(counts.withLock { $0.allSatisfy { $0 == 1 } })
    }
  }

  @Test(arguments: [Int.min, 0, 1, 2, 5, .max])
  func turnsAreTakenInOrderUntilOneFails(parallelism: Int) {
    for (count, failing) in [(0, 0), (1, 0), (40, 40), (40, 17), (40, 0)] {
      let taken = Mutex([Int]())
      let isFinished = ParallelRows.takeTurns(count: count, parallelism: parallelism, makeState: { -1 }) {
        last, index in
        // The indices of one thread ascend.
        #expect(last < index)
        last = index
        taken.withLock { $0.append(index) }
        return index < failing
      }
      let indices = taken.withLock { $0 }.sorted()
      #expect(isFinished == (failing >= count))
      #expect(indices == Array(0..<indices.count) && indices.count >= min(failing + 1, count))
    }
  }

  @Test(arguments: [Int.min, 0, 1, 2, 5, .max])
  func slabsCoverTheRows(parallelism: Int) {
    for (rowCount, step) in [(0, 1), (1, 1), (7, 2), (64, 16), (100, 16), (3, 8), (1_000, 1)] {
      let ranges = Mutex([Range<Int>]())
      ParallelRows.forEachSlab(ofRows: rowCount, step: step, parallelism: parallelism) { rows in
        ranges.withLock { $0.append(rows) }
      }
      let sorted = ranges.withLock { $0 }.sorted { $0.lowerBound < $1.lowerBound }
      #expect(sorted.flatMap { Array($0) } == Array(0..<rowCount))
      #expect(sorted.allSatisfy { $0.lowerBound % step == 0 && !$0.isEmpty })
    }
  }
}
