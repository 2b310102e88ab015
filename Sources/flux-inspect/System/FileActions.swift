import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The standard streams of a new process, and its start.
///
/// Safe: the actions are made when this is, and only given to the calls that take them.
@safe struct FileActions {
  #if canImport(Darwin)
    private typealias Actions = posix_spawn_file_actions_t?
    private typealias Attributes = posix_spawnattr_t?
  #else
    private typealias Actions = posix_spawn_file_actions_t
    private typealias Attributes = posix_spawnattr_t
  #endif

  private var actions: Actions

  init() {
    #if canImport(Darwin)
      unsafe actions = nil
    #else
      unsafe actions = posix_spawn_file_actions_t()
    #endif
    // Each call below gets the actions that this one has made.
    unsafe posix_spawn_file_actions_init(&actions)
  }

  mutating func destroy() {
    unsafe posix_spawn_file_actions_destroy(&actions)
  }

  /// Gives the process an end of a pipe as one of its streams, and not the other end.
  mutating func connect(
    _ end: FileDescriptor, to stream: FileDescriptor, closing other: FileDescriptor
  ) {
    unsafe posix_spawn_file_actions_adddup2(&actions, end.rawValue, stream.rawValue)
    unsafe posix_spawn_file_actions_addclose(&actions, end.rawValue)
    unsafe posix_spawn_file_actions_addclose(&actions, other.rawValue)
  }

  /// Starts a process with this one's environment and the usual reaction to the signals for which this one has
  /// another.
  ///
  /// - Returns: 0, or the number of the error.
  func spawn(_ process: inout pid_t, _ arguments: [String]) -> Int32 {
    var actions = unsafe actions
    #if canImport(Darwin)
      var attributes: Attributes = nil
    #else
      var attributes = Attributes()
    #endif
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in [SIGPIPE, SIGXFSZ, SIGINT] { unsafe sigaddset(&signals, signal) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var texts = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe texts.forEach { unsafe free($0) } }
    // The array ends with nil, and its texts live until the end of the call.
    return unsafe posix_spawn(&process, arguments[0], &actions, &attributes, &texts, environ)
  }
}
