import FluxReplay
import FluxSystem

/// A process that was started here, with streams to and from it.
///
/// It leads a process group, so that what it starts goes with it. It is stopped with the last reference.
///
/// `@unchecked Sendable`: it is used by one thread at a time, the one of the session that owns it; a
/// host that waits for its session lies behind the lock of ``HostApp``, and is taken out by one thread.
final class HostProcess: @unchecked Sendable {
  let identifier: pid_t
  /// What it reads; nil once that was closed.
  private(set) var input: Descriptor?
  let output: Descriptor
  let errors: Descriptor
  /// How it ended, once that is known.
  private(set) var exit: ReplayFailure.Exit?

  init(identifier: pid_t, input: Descriptor, output: Descriptor, errors: Descriptor) {
    self.identifier = identifier
    self.input = input
    self.output = output
    self.errors = errors
    for descriptor in [input, output, errors] { descriptor.setNonBlocking() }
  }

  deinit { stop() }

  /// Lets the process read the end of its input.
  func closeInput() { input = nil }

  /// Looks whether it has ended by now.
  @discardableResult
  func checkExit() -> ReplayFailure.Exit? {
    if exit == nil, hasEnded { reap() }
    return exit
  }

  /// Waits so long for it to end by itself.
  @discardableResult
  func waitForExit(_ limit: Duration) -> ReplayFailure.Exit? {
    let deadline = ContinuousClock.now + limit
    while checkExit() == nil, ContinuousClock.now < deadline {
      Descriptor.wait(reading: [], writing: nil, milliseconds: 1)
    }
    return exit
  }

  /// Ends it: by asking first, and where that is of no use by force.
  func stop() {
    guard checkExit() == nil else { return }
    closeInput()
    kill(-identifier, SIGTERM)
    guard waitForExit(.milliseconds(200)) == nil else { return }
    kill(-identifier, SIGKILL)
    // Nothing outlives that signal, unless it waits for a device that does not answer: such a process
    // is left to the system.
    waitForExit(.seconds(5))
  }

  /// Whether it has ended; its number is not given away before ``reap()``.
  private var hasEnded: Bool {
    var information = unsafe siginfo_t()
    // `information` is a local that outlives the call.
    let result = unsafe waitid(
      P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT)
    guard result == 0 else { return errno == ECHILD }
    return unsafe information.si_signo == SIGCHLD
  }

  /// Takes notice of its end, after what it had started.
  private func reap() {
    // As long as its end was not noticed, the number of the group cannot be that of another.
    kill(-identifier, SIGKILL)
    var status: Int32 = 0
    // `status` is a local that outlives the call.
    guard unsafe waitpid(identifier, &status, 0) == identifier else {
      // Something else in this program takes notice of all processes, and how this one ended is lost.
      exit = .unknown
      return
    }
    // The low seven bits are the signal, and the next byte is the status: POSIX leaves it to macros,
    // which Swift does not see; all systems that it runs on have it like this.
    let signal = status & 0x7F
    exit =
      signal == 0
      ? .status(status >> 8 & 0xFF) : .signal(signal, name: signalName(signal))
  }
}

/// The name of a signal, `SIGSEGV` for instance; nil for one that seldom ends a program.
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
