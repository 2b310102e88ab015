import CPlatform

/// Starts a thread that runs `body`.
///
/// If the system refuses another thread, Foundation's `Thread` never runs and does not tell.
///
/// - Parameters:
///   - stackSize: The size of its stack in bytes; nil for the usual one.
///   - body: The work of the thread.
/// - Throws: ``SystemError`` with EAGAIN if the user, the container or the machine has too many threads.
package func startThread(
  stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void
) throws(SystemError) {
  let context = unsafe Unmanaged.passRetained(ThreadWork(body))
  // The thread takes over the reference to its body.
  let code = unsafe flux_thread_start(
    stackSize ?? 0,
    { context in
      unsafe ThreadWork.run(context)
      return nil
    }, context.toOpaque())
  guard code == 0 else {
    unsafe context.release()
    throw SystemError("start a thread", code: code)
  }
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
