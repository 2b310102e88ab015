import CPlatform

/// The process that created a value, to tell it from a child that was forked later.
///
/// A forked child has only the thread that called `fork`. Locks that other threads held stay locked
/// for ever, and nobody writes what is queued. So whoever owns locks and threads asks this first, which
/// reads one number. Programs that are started in the usual way, and not by a bare `fork`, are not
/// concerned.
package struct ProcessIdentity: Sendable {
  @usableFromInline let forkCount: UInt32

  /// Returns the current process.
  package init() { forkCount = flux_fork_count() }

  /// `true` if this process is not the one that created the value, but a forked child of it.
  @inlinable package var isForked: Bool { forkCount != flux_fork_count() }
}
