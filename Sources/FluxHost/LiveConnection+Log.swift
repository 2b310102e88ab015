package import FluxLog
import FluxReplay

extension LiveConnection {
  /// `true` if the app sends its logs.
  package var sendsLog: Bool {
    welcome.serves(.log) && welcome.allows.contains(AppProtocol.Permission.log.rawValue)
  }

  private var follower: LogFollower { LogFollower(link, receiver, limits) }

  /// Follows the log that the app records, and waits until the copy has all of it so far.
  ///
  /// If the app has been launched again, ``conclude(_:)`` completes the copy, and another copy follows the new log.
  ///
  /// - Returns: `false` if the app records another log than that of the copy.
  /// - Throws: `LiveFailure`, and `LogCopy.Failure` if the copy does not continue.
  package func follow(into copy: LogCopy) throws -> Bool { try follower.follow(into: copy) }

  /// Completes the copy of a log whose app has ended, with the actions that were in flight.
  ///
  /// - Returns: The actions in flight; nil if the app no longer has the log.
  /// - Throws: `LiveFailure`, and `LogCopy.Failure` if the copy does not continue.
  package func conclude(_ copy: LogCopy) throws -> [InFlightAction]? {
    try follower.conclude(copy)
  }
}
