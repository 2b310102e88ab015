import Foundation

/// Starts a thread that runs `body`.
///
/// If the system refuses another thread, Foundation's `Thread` never runs and does not tell.
///
/// - Throws: ``SystemError`` with EAGAIN if the user, the container or the machine has too many threads.
package func startThread(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
  let context = unsafe Unmanaged.passRetained(ThreadWork(body))
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  // The thread takes over the reference to its body.
  let code = unsafe pthread_create(
    &thread, nil,
    { context in
      unsafe ThreadWork.run(context)
      return nil
    }, context.toOpaque())
  guard code == 0 else {
    unsafe context.release()
    throw SystemError("start a thread", code: code)
  }
  #if canImport(Darwin)
    if let thread = unsafe thread { unsafe pthread_detach(thread) }
  #else
    pthread_detach(thread)
  #endif
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
