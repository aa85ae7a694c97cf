// A child process that runs code that may crash: started, limited, monitored and reaped. This is the only unsafe code
// of the runner: POSIX pipes, posix_spawn, poll and resource limits.

import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A copy of this program that answers each line it receives with one line.
final class ChildProcess {
  /// How a child process ended.
  enum Ending: Equatable {
    case exited(Int32)
    case signalled(Int32)
  }

  /// The child could not be started.
  struct StartError: Error {
    var code: Int32
  }

  private let process: pid_t
  private let input: Int32
  private let output: Int32
  private let errors: Int32
  private var received: [UInt8] = []
  private var hasEnded = false

  /// Starts this program with other arguments.
  init(arguments: [String]) throws {
    signal(SIGPIPE, SIG_IGN)
    // A trap must end the child immediately instead of starting a debugger.
    unsafe setenv("SWIFT_BACKTRACE", "enable=no", 1)
    // Large blocks are always returned to the system, so that the peak of a file does not hide that of the next one.
    unsafe setenv("MALLOC_MMAP_THRESHOLD_", "131072", 1)
    unsafe setenv("MALLOC_TRIM_THRESHOLD_", "131072", 1)
    let (forInput, forOutput, forErrors) = (try Self.makePipe(), try Self.makePipe(), try Self.makePipe())
    defer { for end in [forInput.reading, forOutput.writing, forErrors.writing] { close(end) } }
    input = forInput.writing
    output = forOutput.reading
    errors = forErrors.reading
    process = try Self.spawn(
      arguments, input: forInput.reading, output: forOutput.writing, errors: forErrors.writing)
  }

  deinit {
    for end in [input, output, errors] { close(end) }
  }

  private static func makePipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    // SAFETY: pipe writes two descriptors.
    guard unsafe pipe(&ends) == 0 else { throw StartError(code: errno) }
    // A child must not inherit the pipe ends of another child, because the stream would then stay open after that child
    // ends.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func spawn(_ arguments: [String], input: Int32, output: Int32, errors: Int32) throws -> pid_t {
    #if os(Linux)
      let program = "/proc/self/exe"
      var actions = unsafe posix_spawn_file_actions_t()
    #else
      let program = CommandLine.arguments[0]
      var actions: posix_spawn_file_actions_t?
    #endif
    var process: pid_t = 0
    // SAFETY: the argument vector is null-terminated, its strings are freed after the call, and posix_spawn copies both
    // it and the environment.
    var vector = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe vector.forEach { unsafe free($0) } }
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, errors, 2)
    let code = unsafe posix_spawn(&process, program, &actions, nil, &vector, environ)
    guard code == 0 else { throw StartError(code: code) }
    return process
  }

  /// Sends a line.
  func send(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    var start = 0
    while start < bytes.count {
      // SAFETY: write reads no more than the bytes that are left.
      let count = unsafe bytes[start...].withUnsafeBytes { unsafe write(input, $0.baseAddress, $0.count) }
      // A child that has ended is detected when its answer is awaited.
      guard count > 0 else { return }
      start += count
    }
  }

  /// The data received from a child.
  enum Answer {
    case none
    case line(String)
    case ended
  }

  /// Reads what has arrived. Call only for a child that ``awaitAny(of:milliseconds:)`` returned.
  func receive() -> Answer {
    var buffer = [UInt8](repeating: 0, count: 4096)
    // SAFETY: read writes at most the buffer's size.
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(output, $0.baseAddress, $0.count) }
    if count <= 0 { return .ended }
    received += buffer[..<count]
    guard let end = received.firstIndex(of: UInt8(ascii: "\n")) else { return .none }
    defer { received.removeFirst(end + 1) }
    return .line(String(decoding: received[..<end], as: UTF8.self))
  }

  /// Waits until a child has written or has ended, and returns the indices of all such children.
  static func awaitAny(of children: [ChildProcess], milliseconds: Int32) -> [Int] {
    var requests = children.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
    // SAFETY: poll reads and writes the given number of requests.
    let count = unsafe poll(&requests, nfds_t(requests.count), milliseconds)
    return count > 0 ? requests.indices.filter { requests[$0].revents != 0 } : []
  }

  /// Returns the start of the child's standard error. Call only after the child has ended.
  func lastWords() -> String {
    var buffer = [UInt8](repeating: 0, count: 2048)
    _ = fcntl(errors, F_SETFL, O_NONBLOCK)
    // SAFETY: read writes at most the buffer's size.
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(errors, $0.baseAddress, $0.count) }
    guard count > 0 else { return "" }
    return String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").first.map { String($0) } ?? ""
  }

  /// Ends the child if it has not ended already, and returns how it ended.
  @discardableResult
  func end(killing: Bool) -> Ending {
    if hasEnded { return .exited(0) }
    hasEnded = true
    if killing { kill(process, SIGKILL) }
    var status: Int32 = 0
    // SAFETY: waitpid writes one status.
    while unsafe waitpid(process, &status, 0) == -1, errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
  }
}

/// The resource limits of a child, which it sets for itself before it reads a file.
struct ResourceBounds {
  /// The size of the main thread's stack in bytes.
  var stackByteCount = 256 << 10
  /// The size of the address space in bytes.
  var addressSpaceByteCount = 1536 << 20
  /// The processor time for a file in seconds.
  var processorSeconds = 20

  /// Applies the limits to this process.
  func apply() {
    #if os(Linux)
      Self.limit(RLIMIT_STACK, stackByteCount)
      Self.limit(RLIMIT_AS, addressSpaceByteCount)
      Self.limit(RLIMIT_CORE, 0)
    #endif
  }

  /// Starts the processor time of the next file.
  func renewProcessorTime() {
    #if os(Linux)
      let used = Int(Self.processorTime().rounded(.up))
      // The limit counts whole timer ticks, which drift from the actual processor time over many files.
      Self.limit(RLIMIT_CPU, used + used / 4 + processorSeconds)
    #endif
  }

  /// The processor time used by this process, in seconds.
  static func processorTime() -> Double {
    var time = timespec()
    // SAFETY: clock_gettime writes one timespec.
    _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  #if os(Linux)
    private static func limit(_ resource: __rlimit_resource, _ value: Int) {
      var bounds = rlimit()
      // SAFETY: both calls read or write one rlimit.
      _ = unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &bounds)
      bounds.rlim_cur = min(rlim_t(value), bounds.rlim_max)
      _ = unsafe setrlimit(__rlimit_resource_t(resource.rawValue), &bounds)
    }
  #endif
}

/// Measures the peak memory of this process over an interval.
struct PeakMemory {
  private let base: Int?

  /// Starts a measurement by resetting the peak.
  init() {
    #if os(Linux)
      try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    #endif
    base = Self.kilobytes("VmRSS:")
  }

  /// Returns the peak above the initial value in bytes. `nil` if the system does not report it.
  func byteCount() -> Int? {
    guard let base, let peak = Self.kilobytes("VmHWM:") else { return nil }
    return max(0, peak - base) * 1024
  }

  private static func kilobytes(_ key: String) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    let line = status.split(separator: "\n").first { $0.hasPrefix(key) }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
  }
}
