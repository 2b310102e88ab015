import FluxReplay
import FluxSystem
import Foundation

/// A child process with streams to and from it.
///
/// It leads a process group, so stopping it also stops its children. Releasing the last reference stops it.
///
/// `@unchecked Sendable`: only one thread at a time uses it, that of the session that owns it. The lock of
/// ``SpareHostKeeper`` guards a host that waits for its session.
final class HostProcess: @unchecked Sendable {
  /// Its number; nil if the other side of the streams is in this process, which does not exit.
  private let identifier: pid_t?
  /// Its standard input; nil once closed.
  private(set) var input: Descriptor?
  private let output: Descriptor
  private let errors: Descriptor
  private var outputIsOpen = true
  private var errorsAreOpen = true
  private var written = LastWords()
  /// The way it ended; nil while it runs.
  private(set) var exit: ReplayFailure.Exit?

  init(identifier: pid_t?, input: Descriptor, output: Descriptor, errors: Descriptor) {
    self.identifier = identifier
    self.input = input
    self.output = output
    self.errors = errors
    for descriptor in [input, output, errors] { descriptor.setNonBlocking() }
  }

  deinit { stop() }

  func closeInput() { input = nil }

  /// The last lines that it wrote to standard error.
  var lastWords: [String] {
    receiveErrors()
    return written.lines
  }

  /// Reads what is there, but not endlessly: a process may write faster than this side reads.
  private func receiveErrors() {
    for _ in 0..<16 where errorsAreOpen {
      switch errors.receive() {
      case .bytes(let bytes): written.append(bytes)
      case .nothing: return
      case .end: errorsAreOpen = false
      }
    }
  }

  @discardableResult
  func checkExit() -> ReplayFailure.Exit? {
    if exit == nil, let identifier, hasEnded(identifier) { reap(identifier) }
    return exit
  }

  @discardableResult
  func waitForExit(_ limit: Duration) -> ReplayFailure.Exit? {
    let deadline = ContinuousClock.now + limit
    while checkExit() == nil, identifier != nil, ContinuousClock.now < deadline {
      Descriptor.wait(reading: [], writing: nil, milliseconds: 1)
    }
    return exit
  }

  /// Stops it with SIGTERM, then with SIGKILL.
  func stop() {
    guard checkExit() == nil else { return }
    closeInput()
    guard let identifier else { return }
    kill(-identifier, SIGTERM)
    guard waitForExit(.milliseconds(200)) == nil else { return }
    kill(-identifier, SIGKILL)
    // Only a process that waits for a device survives that signal; the system has to end it.
    waitForExit(.seconds(5))
  }

  /// `true` if it has ended; the system does not reuse its number before ``reap(_:)``.
  private func hasEnded(_ identifier: pid_t) -> Bool {
    var information = unsafe siginfo_t()
    // `information` is a local that outlives the call.
    let result = unsafe waitid(
      P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT)
    guard result == 0 else { return errno == ECHILD }
    return unsafe information.si_signo == SIGCHLD
  }

  /// Collects its exit status, after ending its children.
  private func reap(_ identifier: pid_t) {
    // The system does not reuse the group's number before the status is collected.
    Self.groups.withLock { _ = $0?.remove(identifier) }
    kill(-identifier, SIGKILL)
    var status: Int32 = 0
    // `status` is a local that outlives the call.
    guard unsafe waitpid(identifier, &status, 0) == identifier else {
      // Another part of this program collects the statuses of all processes, so this one is lost.
      exit = .unknown
      return
    }
    // The low seven bits are the signal, and the next byte is the status. POSIX defines macros for this,
    // which Swift cannot import; all supported systems use this layout.
    let signal = status & 0x7F
    exit =
      signal == 0
      ? .status(status >> 8 & 0xFF) : .signal(signal, name: Self.signalNames[signal])
  }

  private static let signalNames: [Int32: String] = [
    SIGABRT: "SIGABRT", SIGALRM: "SIGALRM", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGHUP: "SIGHUP",
    SIGILL: "SIGILL", SIGINT: "SIGINT", SIGKILL: "SIGKILL", SIGPIPE: "SIGPIPE",
    SIGQUIT:
      "SIGQUIT", SIGSEGV: "SIGSEGV", SIGSYS: "SIGSYS", SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP",
    SIGUSR1: "SIGUSR1", SIGUSR2: "SIGUSR2", SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ",
  ]
}

// MARK: Streams

extension HostProcess: AppStreams {
  var hasEnded: Bool { checkExit() != nil }

  func send(_ bytes: ArraySlice<UInt8>) -> Int? {
    let count = input?.send(bytes)
    if count == nil { closeInput() }
    return count
  }

  func receive() -> Descriptor.Received {
    receiveErrors()
    let received = output.receive()
    if case .end = received { outputIsOpen = false }
    return received
  }

  func wait(toWrite writes: Bool, milliseconds: Int32) {
    Descriptor.wait(
      reading: (outputIsOpen ? [output] : []) + (errorsAreOpen ? [errors] : []),
      writing: writes ? input : nil, milliseconds: milliseconds)
  }
}

// MARK: Starting

extension HostProcess {
  /// Starts a program, in a folder or in that of this process.
  ///
  /// A variable of the environment that is nil is removed.
  static func start(
    _ executable: String, arguments: [String], environment: [String: String?],
    folder: String? = nil
  ) throws(ReplayFailure) -> HostProcess {
    if let obstacle = obstacle(executable) { throw ReplayFailure(.cannotStart(why: obstacle)) }
    let words =
      folder.map { Self.words(in: $0, executable, arguments) } ?? [executable] + arguments
    let environment = inherited(environment)
    return try groups.withLock { groups throws(ReplayFailure) in
      guard groups != nil else { throw ReplayFailure(.cancelled) }
      let (childInput, input) = try pipe(isWrittenHere: true)
      let (output, childOutput) = try pipe(isWrittenHere: false)
      let (errors, childErrors) = try pipe(isWrittenHere: false)
      let streams = [childInput, childOutput, childErrors]
      // They are passed by number, so nothing else keeps them open until the child has its copies.
      defer { withExtendedLifetime(streams) {} }
      let identifier = try spawn(words[0], words, environment, streams)
      groups?.insert(identifier)
      return HostProcess(identifier: identifier, input: input, output: output, errors: errors)
    }
  }

  /// Returns the words of a shell that goes to a folder, and becomes the program there.
  ///
  /// Not all systems can start a program in another folder.
  private static func words(
    in folder: String, _ executable: String, _ arguments: [String]
  ) -> [String] {
    let path =
      executable.hasPrefix("/")
      ? executable : FileManager.default.currentDirectoryPath + "/" + executable
    return ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, folder, path] + arguments
  }

  /// Returns the reason why a file cannot be started, in clearer words than the system's; nil if there is
  /// none.
  static func obstacle(_ path: String) -> String? {
    let problem: String
    do throws(SystemError) {
      if let status = try FileStatus(path: path) {
        // The path is valid for the call.
        if !status.isFolder, unsafe access(path, X_OK) == 0 { return nil }
        problem = status.isFolder ? "it is a folder" : "it is not executable"
      } else {
        problem = "there is no such file"
      }
    } catch {
      problem = systemMessage(error.code)
    }
    return "\(problem); expected the executable of an app"
  }

  /// The process groups that run; nil once the program ends.
  ///
  /// Held from the first pipe until the process runs. Another process that starts meanwhile would inherit the pipes and keep
  /// this one's input open.
  private static let groups = Monitor<Set<pid_t>?>([])

  /// Ends all processes at once, and starts no more: a signal ends this program.
  static func killAll() {
    groups.withLock { groups in
      for group in groups ?? [] { kill(-group, SIGKILL) }
      groups = nil
    }
  }

  /// Creates a pipe, whose ends are above the first three descriptors, which the child replaces.
  private static func pipe(
    isWrittenHere: Bool
  ) throws(ReplayFailure) -> (reading: Descriptor, writing: Descriptor) {
    do throws(SystemError) {
      return try Descriptor.pipe(isWrittenHere: isWrittenHere)
    } catch {
      throw ReplayFailure(
        .cannotStart(why: "there is no pipe for it: \(systemMessage(error.code))"))
    }
  }

  private static func inherited(_ changes: [String: String?]) -> [String] {
    ProcessInfo.processInfo.environment.mapValues(Optional.some).merging(changes) { $1 }
      .compactMapValues(\.self).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }

  /// The number of attempts, 10 milliseconds apart, to start an executable that is still open for writing: by
  /// a linker that is about to end, or by a new process that has not closed the file yet.
  private static let busyTries = 100

  private static func spawn(
    _ path: String, _ arguments: [String], _ environment: [String], _ streams: [Descriptor]
  ) throws(ReplayFailure) -> pid_t {
    #if os(tvOS) || os(watchOS)
      throw ReplayFailure(.cannotStart(why: "this system lets no app start another process"))
    #else
      #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
      #else
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
      #endif
      // Both are locals until they are destroyed, and all calls use them in place.
      unsafe posix_spawn_file_actions_init(&actions)
      unsafe posix_spawnattr_init(&attributes)
      defer {
        unsafe posix_spawn_file_actions_destroy(&actions)
        unsafe posix_spawnattr_destroy(&attributes)
      }
      for (number, stream) in streams.enumerated() {
        unsafe posix_spawn_file_actions_adddup2(&actions, stream.number, Int32(number))
      }
      // A process group of its own, and the signal settings of a program that a shell starts.
      var signals = sigset_t()
      unsafe sigemptyset(&signals)
      unsafe posix_spawnattr_setsigmask(&attributes, &signals)
      for signal in [SIGPIPE, SIGXFSZ, SIGINT, SIGQUIT, SIGTERM] {
        unsafe sigaddset(&signals, signal)
      }
      unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
      unsafe posix_spawnattr_setpgroup(&attributes, 0)
      let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
      unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
      var identifier: pid_t = 0
      var code: Int32 = 0
      for _ in 0..<busyTries {
        code = unsafe withCStrings(arguments) { arguments in
          unsafe withCStrings(environment) { environment in
            unsafe posix_spawn(&identifier, path, &actions, &attributes, arguments, environment)
          }
        }
        guard code == ETXTBSY else { break }
        Descriptor.wait(reading: [], writing: nil, milliseconds: 10)
      }
      guard code == 0 else {
        // The system may have no room for another process, whatever its program is.
        let isAboutFile = ![EAGAIN, ENOMEM, EMFILE, ENFILE].contains(code)
        let expected = isAboutFile ? "; expected the executable of an app" : ""
        throw ReplayFailure(.cannotStart(why: systemMessage(code) + expected))
      }
      return identifier
    #endif
  }

  /// Calls `body` with a null-terminated array of C strings, which is valid until `body` returns.
  private static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    // If memory runs out, a null ends the list early, which the system accepts.
    let copies = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { unsafe copies.forEach { unsafe free($0) } }
    return unsafe body(copies)
  }
}
