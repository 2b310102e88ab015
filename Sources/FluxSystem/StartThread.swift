import CPlatform

/// The importance of a thread's work to the user, of which only Apple's systems know.
///
/// The numbers are those of `flux_thread_start`.
package enum ThreadQuality: Int32, Sendable {
  case usual = 0
  /// For work that must not take the processor from the app.
  case utility = 1
  /// The quality of the thread that starts this one.
  case inherited = 2
}

/// Starts a thread that runs `body`.
///
/// If the system refuses another thread, Foundation's `Thread` never runs and does not tell.
///
/// - Parameters:
///   - name: The name for debuggers, of which Linux keeps 15 bytes.
///   - quality: The importance of its work.
///   - stackSize: The size of its stack in bytes; nil for the usual one.
///   - body: The work of the thread.
/// - Throws: ``SystemError`` with EAGAIN if the user, the container or the machine has too many threads.
package func startThread(
  named name: String? = nil, quality: ThreadQuality = .usual, stackSize: Int? = nil,
  _ body: @escaping @Sendable () -> Void
) throws(SystemError) {
  if let failure = RefusedThreads.failure { throw failure }
  let work = ThreadWork {
    if let name { unsafe flux_thread_set_name(name) }
    body()
  }
  let context = unsafe Unmanaged.passRetained(work)
  // The thread takes over the reference to its body.
  let code = unsafe flux_thread_start(
    stackSize ?? 0, quality.rawValue,
    { context in
      unsafe ThreadWork.run(context)
      return nil
    }, context.toOpaque())
  guard code == 0 else {
    unsafe context.release()
    throw SystemError("start a thread for", code: code)
  }
}

/// Threads that are refused as by the system, for tests of what happens then.
package enum RefusedThreads {
  /// The failure of each ``startThread(named:quality:stackSize:_:)`` of a task; nil for none.
  @TaskLocal package static var failure: SystemError?
}

/// The work of a thread, as the object that its start refers to.
private final class ThreadWork: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  static func run(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().body()
  }
}
