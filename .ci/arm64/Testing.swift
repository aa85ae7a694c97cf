// Runs tests without the macros of Swift Testing, whose run-time library exists for one version of the compiler only.
// `rewrite_tests.py` replaces the macros by these calls.

public typealias Comment = String

extension Comment {
  public init(rawValue: String) { self = rawValue }
}

public protocol CustomTestStringConvertible {}

/// A place in a test.
public struct SourceLocation: CustomStringConvertible {
  public let description: String

  public init(file: String = #fileID, line: Int = #line) { description = "\(file):\(line)" }
}

/// One test and its name.
public struct PlainTest {
  public let name: String
  public let body: () async throws -> Void

  public init(_ name: String, _ body: @escaping () async throws -> Void) {
    self.name = name
    self.body = body
  }
}

nonisolated(unsafe) private var failureCount = 0

private struct RequirementFailed: Error {}

public func fail(_ reason: Comment, sourceLocation: SourceLocation) {
  failureCount += 1
  print("\(sourceLocation): \(reason)")
}

public func fail(_ reason: Comment, file: String = #fileID, line: Int = #line) {
  fail(reason, sourceLocation: SourceLocation(file: file, line: line))
}

public func expect(_ condition: Bool, _ comment: @autoclosure () -> Comment? = nil, sourceLocation: SourceLocation) {
  if !condition { fail("expectation failed: \(comment() ?? "")", sourceLocation: sourceLocation) }
}

public func expect(
  _ condition: Bool, _ comment: @autoclosure () -> Comment? = nil, file: String = #fileID, line: Int = #line
) {
  expect(condition, comment(), sourceLocation: SourceLocation(file: file, line: line))
}

@discardableResult
public func require<Value>(
  _ value: Value?, _ comment: @autoclosure () -> Comment? = nil, file: String = #fileID, line: Int = #line
) throws -> Value {
  guard let value else {
    fail("the value is nil: \(comment() ?? "")", file: file, line: line)
    throw RequirementFailed()
  }
  return value
}

public func require(
  _ condition: Bool, _ comment: @autoclosure () -> Comment? = nil, file: String = #fileID, line: Int = #line
) throws {
  expect(condition, comment(), file: file, line: line)
  if !condition { throw RequirementFailed() }
}

@discardableResult
public func expect<Failure: Error, Result>(
  throws type: Failure.Type, _ comment: @autoclosure () -> Comment? = nil, file: String = #fileID, line: Int = #line,
  _ body: () throws -> Result
) -> Failure? {
  do {
    _ = try body()
    if type != Never.self { fail("no error was thrown: \(comment() ?? "")", file: file, line: line) }
  } catch let error as Failure {
    return error
  } catch {
    fail("another error was thrown: \(error)", file: file, line: line)
  }
  return nil
}

@discardableResult
public func expect<Failure: Error, Result>(
  throws type: Failure.Type, _ comment: @autoclosure () -> Comment? = nil, sourceLocation: SourceLocation,
  _ body: () throws -> Result
) -> Failure? {
  expect(throws: type, "\(sourceLocation) \(comment() ?? "")", body)
}

public func expect<Failure: Error & Equatable, Result>(
  throws expected: Failure, _ comment: @autoclosure () -> Comment? = nil, file: String = #fileID, line: Int = #line,
  _ body: () throws -> Result
) {
  let error = expect(throws: Failure.self, comment(), file: file, line: line, body)
  if let error { expect(error == expected, "\(error) was thrown", file: file, line: line) }
}

public func expect<Result>(
  _ body: () throws -> Result, throws isExpected: (any Error) throws -> Bool, file: String = #fileID, line: Int = #line
) {
  do {
    _ = try body()
    fail("no error was thrown", file: file, line: line)
  } catch {
    if (try? isExpected(error)) != true { fail("another error was thrown: \(error)", file: file, line: line) }
  }
}

@discardableResult
public func require<Failure: Error, Result>(
  throws type: Failure.Type, _ comment: @autoclosure () -> Comment? = nil, file: String = #fileID, line: Int = #line,
  _ body: () throws -> Result
) throws -> Failure {
  try require(
    expect(throws: type, comment(), file: file, line: line, body), comment(), file: file, line: line)
}

/// Runs tests and returns the number of failures.
public func run(_ tests: [PlainTest]) async -> Int {
  let clock = ContinuousClock()
  for test in tests {
    let before = failureCount
    let start = clock.now
    do {
      try await test.body()
    } catch {
      if failureCount == before { fail("\(test.name) throws \(error)") }
    }
    if failureCount > before { print("failed: \(test.name)") }
    let time = clock.now - start
    if time > .seconds(20) { print("\(test.name) takes \(time.components.seconds) s") }
  }
  print("\(tests.count) tests, \(failureCount) failures")
  return failureCount
}
