import FluxSystem

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
