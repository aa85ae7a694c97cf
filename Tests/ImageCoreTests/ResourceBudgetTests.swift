import ImageCore
import Testing
import Threading

private func kind(_ body: () throws -> Void) -> CodecError.Kind? {
  do {
    try body()
    return nil
  } catch {
    return (error as? CodecError)?.kind
  }
}

@Suite struct ResourceBudgetTests {
  @Test func memoryIsATotal() throws {
    var budget = ResourceBudget(DecodingLimits(maximumByteCount: 100))
    try budget.allocate(60)
    try budget.allocate(40)
    #expect(kind { try budget.allocate(1) } == .limitExceeded)
    budget.release(10)
    try budget.allocate(10)
    #expect(budget.heldByteCount == 100 && budget.peakByteCount == 100 && budget.availableByteCount == 0)
    budget.release(.max)
    #expect(budget.heldByteCount == 0)
  }

  @Test func readingHeadersCountsWorkButHoldsNothing() throws {
    var budget = ResourceBudget(DecodingLimits(maximumByteCount: 100, maximumWork: 1000), format: "public.png")
    try budget.allocate(40)
    try budget.chargeWork(300)
    for attempt in 1...3 {
      let read = try budget.reading(DecodingLimits(maximumByteCount: 100), as: "public.gif") {
        (step) throws(CodecError) in
        #expect(step.format == "public.gif" && step.availableByteCount == 60 && step.metadataAllowance == 60)
        #expect(step.availableWork == Int64(900 - 200 * attempt))
        try step.allocate(20)
        let isAdmitted = step.admitMetadata(30)
        #expect(isAdmitted)
        try step.chargeWork(200)
        return attempt
      }
      #expect(read == attempt)
      #expect(budget.heldByteCount == 40 && budget.peakByteCount == 90 && budget.metadataByteCount == 0)
    }
    #expect(budget.format == "public.png" && budget.availableWork == 100)
    let error = kind {
      try budget.reading(.default, as: "public.gif") { (step) throws(CodecError) in try step.chargeWork(101) }
    }
    #expect(error == .limitExceeded && budget.availableWork == 0)
  }

  @Test func sizesThatOverflowAreOverTheLimit() {
    for limits in [DecodingLimits.default, .unlimited] {
      var budget = ResourceBudget(limits)
      #expect(kind { try budget.allocate(count: .max, bytesEach: 2) } == .limitExceeded)
      #expect(kind { try budget.allocate(-1) } == .limitExceeded)
      #expect(kind { try budget.allocate(count: -1, bytesEach: 1) } == .limitExceeded)
      #expect(kind { try budget.allocatePixels(width: .max, height: 2, bytesPerPixel: 4) } == .limitExceeded)
      #expect(budget.heldByteCount == 0)
    }
    var unlimited = ResourceBudget(.unlimited)
    #expect(kind { try unlimited.allocate(.max) } == nil)
    #expect(kind { try unlimited.allocate(1) } == .limitExceeded)
  }

  @Test func metadataIsCountedAsItComesOut() {
    var budget = ResourceBudget(
      DecodingLimits(
        maximumMetadataChunkByteCount: 50, maximumMetadataByteCount: 120, maximumMetadataChunkCount: 4))
    #expect(budget.metadataAllowance == 50)
    let (fits, exceeds) = (budget.admitMetadata(50), budget.admitMetadata(51))
    #expect(fits && !exceeds)
    budget.chargeMetadata(50)
    #expect(budget.metadataAllowance == 20)
    let answers = [21, 10, 0, 0].map { budget.admitMetadata($0) }
    #expect(answers == [false, true, true, true])
    let fifth = budget.admitMetadata(0)
    #expect(budget.metadataAllowance == 0 && !fifth, "four pieces are kept")
    #expect(budget.heldByteCount == 110)
  }

  @Test func workIsATotalThatGrowsWithThePicture() throws {
    var budget = ResourceBudget(DecodingLimits(maximumWork: 1000, maximumWorkPerPixel: 3))
    try budget.chargeWork(600)
    try budget.chargeWork(400)
    #expect(kind { try budget.chargeWork(1) } == .limitExceeded)
    budget.allowWork(forPixelCount: 400)
    try budget.chargeWork(100)
    #expect(budget.availableWork == 1200 - 1101)
    #expect(kind { try budget.chargeWork(count: .max, unitsEach: 2) } == .limitExceeded)
    var unlimited = ResourceBudget(.unlimited)
    for _ in 0..<3 { try unlimited.chargeWork(.max) }
  }

  @Test func nestedPicturesRaiseNoWorkLimit() throws {
    var budget = ResourceBudget(DecodingLimits(maximumWork: 10, maximumWorkPerPixel: 3))
    try budget.descend()
    budget.allowWork(forPixelCount: 100)
    #expect(budget.availableWork == 10)
    budget.ascend()
    budget.allowWork(forPixelCount: 100)
    #expect(budget.availableWork == 300)
  }

  @Test func workAsksWhetherToStop() throws {
    let questions = Mutex(0)
    var budget = ResourceBudget(.default) {
      questions.withLock { count in
        count += 1
        return count > 3
      }
    }
    var units = 0
    let error = #expect(throws: CodecError.self) {
      while true {
        try budget.chargeWork(1000)
        units += 1000
      }
    }
    #expect(error?.kind == .cancelled)
    #expect((500_000...1_000_000).contains(units), "every quarter of a million units")
  }

  @Test func theDeadlineCountsOnlyTheTimeOfCalls() throws {
    let start = ContinuousClock.now
    let elapsed = Mutex(Duration.zero)
    let wait = { (time: Duration) in elapsed.withLock { $0 += time } }
    var budget = ResourceBudget(DecodingLimits(deadline: .milliseconds(50))) { _ in start + elapsed.withLock { $0 } }
    budget.pauseClock()
    wait(.milliseconds(120))
    try budget.checkpoint()
    budget.resumeClock()
    try budget.checkpoint()
    wait(.milliseconds(51))
    #expect(kind { try budget.checkpoint() } == .deadlineExceeded)
    budget.pauseClock()
    budget.resumeClock()
    #expect(kind { try budget.chargeWork(1) } == .deadlineExceeded, "time of earlier calls counts")
  }

  @Test func theClockIsToldTheWorkDoneBeforeACheckpoint() throws {
    let start = ContinuousClock.now
    let works = Mutex<[Int64]>([])
    var budget = ResourceBudget(DecodingLimits(deadline: .seconds(1))) { work in
      works.withLock { $0.append(work) }
      return start
    }
    try budget.chargeWork(10)
    try budget.chargeWork(300_000)
    try budget.chargeWork(5)
    try budget.checkpoint()
    #expect(works.withLock { $0 } == [0, 0, 10, 300_015])
  }

  @Test func nestingHasABottom() throws {
    var budget = ResourceBudget(.default)
    for _ in 0..<4 { try budget.descend() }
    #expect(kind { try budget.descend() } == .limitExceeded)
    budget.ascend()
    try budget.descend()
  }

  /// The same charges, by any number of shares, succeed or fail alike. If they fail, nothing is charged.
  @Test(arguments: [1, 2, 3, 7]) func sharesSpendOneBudget(shareCount: Int) throws {
    for (workEach, isAllowed) in [(10, true), (84, false)] {
      var budget = ResourceBudget(DecodingLimits(maximumByteCount: 1000, maximumWork: 1000))
      try budget.chargeWork(100)
      try budget.allocate(100)
      let split = budget.split()
      var parts: [BudgetSpending] = []
      for number in 0..<shareCount {
        var share = split.share()
        for job in 0..<12 where job % shareCount == number {
          // A single share may exceed the rest of the budget; joining then fails as well.
          try? share.chargeWork(workEach)
          try share.allocate(5)
        }
        parts.append(split.close(share))
      }
      let result = kind { try budget.join(parts) }
      #expect(result == (isAllowed ? nil : .limitExceeded))
      #expect(budget.work == Int64(isAllowed ? 100 + 12 * workEach : 100))
      #expect(budget.heldByteCount == (isAllowed ? 160 : 100))
    }
  }
}
