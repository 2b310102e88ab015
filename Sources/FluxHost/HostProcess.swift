import FluxReplay
import FluxSystem

/// A child process with streams to and from it.
///
/// It leads a process group, so stopping it also stops its children. Releasing the last reference stops it.
///
/// `@unchecked Sendable`: only one thread at a time uses it, that of the session that owns it. The lock of
/// ``SpareHostKeeper`` guards a host that waits for its session.
final class HostProcess: @unchecked Sendable {
  let identifier: pid_t
  /// Its standard input; nil once closed.
  private(set) var input: Descriptor?
  let output: Descriptor
  let errors: Descriptor
  /// The way it ended; nil while it runs.
  private(set) var exit: ReplayFailure.Exit?

  init(identifier: pid_t, input: Descriptor, output: Descriptor, errors: Descriptor) {
    self.identifier = identifier
    self.input = input
    self.output = output
    self.errors = errors
    for descriptor in [input, output, errors] { descriptor.setNonBlocking() }
  }

  deinit { stop() }

  /// Closes the process's input.
  func closeInput() { input = nil }

  /// Checks if it has ended.
  @discardableResult
  func checkExit() -> ReplayFailure.Exit? {
    if exit == nil, hasEnded { reap() }
    return exit
  }

  /// Waits for it to exit, up to `limit`.
  @discardableResult
  func waitForExit(_ limit: Duration) -> ReplayFailure.Exit? {
    let deadline = ContinuousClock.now + limit
    while checkExit() == nil, ContinuousClock.now < deadline {
      Descriptor.wait(reading: [], writing: nil, milliseconds: 1)
    }
    return exit
  }

  /// Stops it with SIGTERM, then with SIGKILL.
  func stop() {
    guard checkExit() == nil else { return }
    closeInput()
    kill(-identifier, SIGTERM)
    guard waitForExit(.milliseconds(200)) == nil else { return }
    kill(-identifier, SIGKILL)
    // Only a process that waits for a device survives that signal; the system has to end it.
    waitForExit(.seconds(5))
  }

  /// `true` if it has ended; the system does not reuse its number before ``reap()``.
  private var hasEnded: Bool {
    var information = unsafe siginfo_t()
    // `information` is a local that outlives the call.
    let result = unsafe waitid(
      P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT)
    guard result == 0 else { return errno == ECHILD }
    return unsafe information.si_signo == SIGCHLD
  }

  /// Collects its exit status, after ending its children.
  private func reap() {
    // The system does not reuse the group's number before the status is collected.
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
      ? .status(status >> 8 & 0xFF) : .signal(signal, name: signalName(signal))
  }
}

/// Returns the name of a signal such as `SIGSEGV`; nil for one that rarely ends a program.
func signalName(_ number: Int32) -> String? {
  switch number {
  case SIGABRT: "SIGABRT"
  case SIGALRM: "SIGALRM"
  case SIGBUS: "SIGBUS"
  case SIGFPE: "SIGFPE"
  case SIGHUP: "SIGHUP"
  case SIGILL: "SIGILL"
  case SIGINT: "SIGINT"
  case SIGKILL: "SIGKILL"
  case SIGPIPE: "SIGPIPE"
  case SIGQUIT: "SIGQUIT"
  case SIGSEGV: "SIGSEGV"
  case SIGSYS: "SIGSYS"
  case SIGTERM: "SIGTERM"
  case SIGTRAP: "SIGTRAP"
  case SIGUSR1: "SIGUSR1"
  case SIGUSR2: "SIGUSR2"
  case SIGXCPU: "SIGXCPU"
  case SIGXFSZ: "SIGXFSZ"
  default: nil
  }
}
