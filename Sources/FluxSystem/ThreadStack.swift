import CPlatform

/// Identifies the current thread while it runs; never 0.
///
/// FluxCore, which depends on no module, has the same for its turns.
package func currentThreadIdentity() -> UInt {
  #if canImport(Glibc)
    UInt(pthread_self())
  #else
    unsafe UInt(bitPattern: pthread_self())
  #endif
}

/// The stack of the thread that created the value, for a recursion over values of unknown depth.
///
/// A stack that overflows ends the app, and no error can be thrown then. So the recursion asks now and then how much is
/// left. Finding the end takes about 25 us on the main thread of Linux, which reads a file of the system for that, and
/// half a microsecond on others.
package struct ThreadStack {
  private let end: UInt

  /// Finds the stack of the current thread.
  package init() { end = flux_stack_end() }

  /// The number of bytes that are left below the caller on that thread; 0 if the system does not tell.
  package var rest: Int { flux_stack_rest(end) }
}
