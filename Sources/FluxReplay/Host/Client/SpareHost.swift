/// A host that has said what it is, and waits for its session.
///
/// `@unchecked Sendable`: it goes from thread to thread through the lock of ``HostApp``, and whoever has
/// taken it out is the only one that has it.
struct SpareHost: @unchecked Sendable {
  let connection: HostConnection
  let welcome: Welcome
  /// The executable that it was started from.
  let file: FileIdentity
}
