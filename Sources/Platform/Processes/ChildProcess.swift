// A child process that runs code that may crash: started, monitored and reaped.

#if os(macOS)
  internal import Darwin
  internal import MachO
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

#if os(Linux) || os(macOS)
  /// A copy of this program that answers each line it receives with one line.
  package final class ChildProcess {
    private let process: pid_t
    private let input: Int32
    private let output: Int32
    private let errors: Int32
    private var received: [UInt8] = []
    private var ending: ChildEnding?

    /// Starts this program with other arguments.
    ///
    /// - Parameter environment: variables of the child in addition to those of this process.
    package init(arguments: [String], environment: [String: String] = [:]) throws(SystemError) {
      let input = try Channel()
      let output = try Channel()
      let errors = try Channel()
      // A child that says more than fits is not stopped.
      _ = fcntl(errors.childEnd, F_SETFL, O_NONBLOCK)
      defer { for channel in [input, output, errors] { close(channel.childEnd) } }
      do throws(SystemError) {
        process = try Self.spawn(
          arguments, environment, streams: [input.childEnd, output.childEnd, errors.childEnd])
      } catch {
        for channel in [input, output, errors] { close(channel.parentEnd) }
        throw error
      }
      (self.input, self.output, self.errors) = (input.parentEnd, output.parentEnd, errors.parentEnd)
    }

    deinit {
      for end in [input, output, errors] { close(end) }
    }

    /// Two connected sockets: writing to a pipe without a reader would end this process. Neither is inherited by other
    /// children, because the stream would then remain open after its own child has ended.
    private struct Channel {
      let parentEnd: Int32
      let childEnd: Int32

      init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        #if os(macOS)
          let kind = SOCK_STREAM
        #elseif canImport(Glibc)
          let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        #else
          let kind = SOCK_STREAM | SOCK_CLOEXEC
        #endif
        // SAFETY: the call writes two descriptors.
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .last }
        (parentEnd, childEnd) = (ends[0], ends[1])
        #if os(macOS)
          for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
          var isOn: Int32 = 1
          // SAFETY: the call reads one integer.
          _ = unsafe setsockopt(parentEnd, SOL_SOCKET, SO_NOSIGPIPE, &isOn, 4)
        #endif
      }
    }

    private static func spawn(
      _ arguments: [String], _ environment: [String: String], streams: [Int32]
    ) throws(SystemError) -> pid_t {
      let program = program
      var process: pid_t = 0
      // SAFETY: both vectors are null-terminated, their strings are freed after the call, and posix_spawn copies them.
      var argumentVector = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
      defer { unsafe argumentVector.forEach { unsafe free($0) } }
      var environmentVector = unsafe self.environment(adding: environment).map { unsafe strdup($0) } + [nil]
      defer { unsafe environmentVector.forEach { unsafe free($0) } }
      #if os(macOS)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        // Another thread may start a child while the channels of this one are inheritable.
        let platformFlags = POSIX_SPAWN_CLOEXEC_DEFAULT
      #elseif canImport(Glibc)
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        let platformFlags: Int32 = 0
      #else
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = unsafe posix_spawnattr_t()
        let platformFlags: Int32 = 0
      #endif
      unsafe posix_spawn_file_actions_init(&actions)
      defer { unsafe posix_spawn_file_actions_destroy(&actions) }
      for (number, stream) in streams.enumerated() {
        unsafe posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
      }
      unsafe posix_spawnattr_init(&attributes)
      defer { unsafe posix_spawnattr_destroy(&attributes) }
      // This process may have been started with signals blocked or ignored, which the child would inherit: the limit of
      // processor time is a signal.
      var (blocked, defaults) = (sigset_t(), sigset_t())
      unsafe sigemptyset(&blocked)
      unsafe sigemptyset(&defaults)
      for signal in [SIGXCPU, SIGPIPE] { unsafe sigaddset(&defaults, signal) }
      unsafe posix_spawnattr_setsigmask(&attributes, &blocked)
      unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
      let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(platformFlags)
      unsafe posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
      let code = unsafe posix_spawn(&process, program, &actions, &attributes, &argumentVector, &environmentVector)
      guard code == 0 else { throw SystemError(code: code) }
      return process
    }

    private static var program: String {
      #if os(macOS)
        var path = [CChar](repeating: 0, count: 4096)
        var count = UInt32(path.count)
        // SAFETY: the call writes a string of at most `count` bytes with its zero byte.
        guard unsafe _NSGetExecutablePath(&path, &count) == 0 else { return CommandLine.arguments.first ?? "" }
        return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      #else
        return "/proc/self/exe"
      #endif
    }

    /// The variables of this process with others in their place.
    private static func environment(adding variables: [String: String]) -> [String] {
      // A trap must end the child immediately instead of starting a debugger.
      let variables = variables.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      var lines = variables.map { "\($0.key)=\($0.value)" }
      // SAFETY: the vector is null-terminated, as are its strings; no code of this package changes it.
      var place = unsafe environ
      while let string = unsafe place.pointee {
        let line = unsafe String(cString: string)
        if !variables.keys.contains(where: { line.hasPrefix($0 + "=") }) { lines.append(line) }
        unsafe place += 1
      }
      return lines
    }

    /// Sends a line, which contains no line feed. A child that has ended is detected when its answer is awaited.
    package func send(_ line: [UInt8]) {
      let bytes = line + [UInt8(ascii: "\n")]
      var start = 0
      while start < bytes.count {
        // SAFETY: send reads no more than the bytes that are left.
        let count = unsafe bytes[start...].withUnsafeBytes { rest in
          #if os(macOS)
            unsafe Darwin.send(input, rest.baseAddress, rest.count, 0)
          #elseif canImport(Glibc)
            unsafe Glibc.send(input, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
          #else
            unsafe Musl.send(input, rest.baseAddress, rest.count, MSG_NOSIGNAL)
          #endif
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        start += count
      }
    }

    /// The data received from a child.
    package enum Answer {
      /// A part of a line, or nothing.
      case none
      /// A line without its line feed.
      case line([UInt8])
      /// The child has closed its output.
      case ended
    }

    /// Reads what has arrived. Call only for a child that ``awaitAny(of:milliseconds:)`` returned.
    package func receive() -> Answer {
      var buffer = [UInt8](repeating: 0, count: 4096)
      // SAFETY: read writes at most the buffer's size.
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(output, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { return .none }
      if count <= 0 { return .ended }
      let searched = received.count
      received += buffer[..<count]
      guard let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) else { return .none }
      defer { received.removeFirst(end + 1) }
      return .line(Array(received[..<end]))
    }

    /// Waits until a child has written or has ended, and returns the indices of all such children. Waits without a limit
    /// if the number of milliseconds is negative.
    package static func awaitAny(of children: [ChildProcess], milliseconds: Int32) -> [Int] {
      var requests = children.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
      // SAFETY: poll reads and writes the given number of requests.
      let count = unsafe poll(&requests, nfds_t(requests.count), milliseconds)
      return count > 0 ? requests.indices.filter { requests[$0].revents != 0 } : []
    }

    /// Returns the first line that the child wrote to standard error. Call only after the child has ended.
    package func lastWords() -> String {
      var buffer = [UInt8](repeating: 0, count: 2048)
      _ = fcntl(errors, F_SETFL, O_NONBLOCK)
      // SAFETY: read writes at most the buffer's size.
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(errors, $0.baseAddress, $0.count) }
      guard count > 0 else { return "" }
      let text = String(decoding: buffer[..<count], as: UTF8.self)
      return text.split(whereSeparator: \.isNewline).first.map { String($0) } ?? ""
    }

    /// Ends the child if it has not ended already, and returns how it ended.
    ///
    /// - Parameter killing: whether to kill the child instead of waiting for its end.
    @discardableResult
    package func end(killing: Bool) -> ChildEnding {
      if let ending { return ending }
      if killing { kill(process, SIGKILL) }
      var status: Int32 = 0
      // SAFETY: waitpid writes one status.
      while unsafe waitpid(process, &status, 0) == -1, errno == EINTR {}
      let signal = status & 0x7f
      let ending: ChildEnding = signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
      self.ending = ending
      return ending
    }
  }
#else
  /// This platform has no child processes.
  package final class ChildProcess {
    /// The data received from a child.
    package enum Answer {
      case none
      case line([UInt8])
      case ended
    }

    package init(arguments: [String], environment: [String: String] = [:]) throws(SystemError) {
      throw .unsupported
    }

    package func send(_ line: [UInt8]) {}

    package func receive() -> Answer { .ended }

    package static func awaitAny(of children: [ChildProcess], milliseconds: Int32) -> [Int] { [] }

    package func lastWords() -> String { "" }

    @discardableResult
    package func end(killing: Bool) -> ChildEnding { .exited(0) }
  }
#endif
