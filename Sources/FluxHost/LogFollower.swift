import FluxJSON
package import FluxLog
import FluxReplay
import Foundation

extension LiveConnection {
  package var sendsLog: Bool {
    welcome.serves(.log) && welcome.allows.contains(AppProtocol.Permission.log.rawValue)
  }

  package var follower: LogFollower { LogFollower(link, receiver, limits) }
}

/// Follows the logs of an app over a connection, for files that this machine cannot open.
package struct LogFollower {
  private let link: AppConnection
  private let receiver: LogReceiver
  private var limits: LiveConnection.Limits

  /// Makes a follower; another thread reads the connection, whose messages about the log the receiver takes.
  init(_ link: AppConnection, _ receiver: LogReceiver, _ limits: LiveConnection.Limits) {
    (self.link, self.receiver, self.limits) = (link, receiver, limits)
  }

  /// Follows the log that the app records, and waits until the copy has all of it so far.
  ///
  /// If the app has been launched again, ``conclude(_:)`` completes the copy, and another copy follows the new log.
  ///
  /// - Returns: `false` if the app records another log than that of the copy.
  /// - Throws: `LiveFailure`, and `LogCopy.Failure` if the copy does not continue.
  package func follow(into copy: LogCopy) throws -> Bool {
    guard let end = try begin(.follow, copy) else { return false }
    try wait(for: copy) { copy.wait(for: end, milliseconds: 100) }
    return true
  }

  /// Follows the log again after a break, until the copy has all of it or the connection ends.
  ///
  /// The copy keeps any other reason why it does not continue.
  func goOn(with copy: LogCopy) {
    var patient = self
    while link.ending == nil {
      do {
        if try !patient.follow(into: copy) { copy.fail(.refused("it now records another log")) }
        return
      } catch LiveFailure.gone {
        // The next connection goes on.
        return
      } catch LiveFailure.timedOut, LiveFailure.cancelled {
        // The app may be stopped, and the interrupt was meant for another request. An app that is only slow would never
        // answer in time.
        patient.limits.answer = max(limits.answer, min(patient.limits.answer * 2, 60))
        Thread.sleep(forTimeInterval: 0.1)
      } catch {
        return copy.fail(error as? LogCopy.Failure ?? .refused("\(error)"))
      }
    }
  }

  /// Completes the copy of a log whose app has ended, with the actions that were in flight.
  ///
  /// - Returns: The actions in flight; nil if the app no longer has the log.
  /// - Throws: `LiveFailure`, and `LogCopy.Failure` if the copy does not continue.
  package func conclude(_ copy: LogCopy) throws -> [InFlightAction]? {
    // An app that does not have the log must not interrupt what the copy receives.
    guard let log = copy.log, try hasLog(log), try begin(.launch, copy) != nil else { return nil }
    try wait(for: copy) { copy.waitForEnd(milliseconds: 100) }
    guard let path = copy.newestPath else { return [] }
    let answer = try ask(.inFlight, LogRequest(log: copy.log))
    let actions = try MalformedMessage.turned(
      into: LiveFailure.malformed, try InFlightList(answer).actions)
    do throws(LogError) {
      if !actions.isEmpty { try InFlightCopy.write(actions, beside: path) }
    } catch {
      throw LogCopy.Failure.file(error)
    }
    return actions
  }

  private func hasLog(_ log: String) throws -> Bool {
    let answer = try ask(.launches, LogRequest())
    let launches = try MalformedMessage.turned(
      into: LiveFailure.malformed,
      try Message(answer, called: "the list of launches").list("launches", LogLaunch.init))
    return launches.contains { $0.log == log }
  }

  /// Begins to receive a log; returns its end so far, or nil if the app has no such log.
  private func begin(_ method: AppProtocol.Method, _ copy: LogCopy) throws -> SegmentPlace? {
    // Before the answer, because texts may come first, and before the place, which an earlier connection could change.
    receiver.receive(into: copy)
    let place: SegmentPlace?
    do throws(LogError) {
      place = try copy.place()
    } catch {
      throw LogCopy.Failure.file(error)
    }
    let answer: JSON
    do throws(AppConnection.Failure) {
      let request = LogRequest(place: place, log: copy.log)
      answer = try link.ask(method, request, limit: limits.answer).result
    } catch {
      if case .refused(let refusal) = error {
        receiver.receive(into: nil)
        if [.otherLog, .unknownLog].contains(refusal.logProblem) { return nil }
      }
      throw LiveFailure(error, within: limits.answer)
    }
    return try MalformedMessage.turned(into: LiveFailure.malformed, try LogFollowed(answer)).end
  }

  private func ask(
    _ method: AppProtocol.Method, _ request: LogRequest
  ) throws(LiveFailure) -> JSON {
    do throws(AppConnection.Failure) {
      return try link.ask(method, request, limit: limits.answer).result
    } catch {
      throw LiveFailure(error, within: limits.answer)
    }
  }

  /// Waits until a copy has what `isComplete` asks for, as long as the app sends more of it.
  private func wait(for copy: LogCopy, _ isComplete: () -> Bool) throws {
    var (last, since) = (copy.next, ContinuousClock.now)
    while !isComplete() {
      try check(copy)
      if copy.next != last { (last, since) = (copy.next, .now) }
      if ContinuousClock.now - since > .seconds(min(limits.answer, 1e9)) {
        throw LiveFailure.timedOut(seconds: limits.answer)
      }
    }
  }

  /// Throws the reason why the copy does not grow any more.
  private func check(_ copy: LogCopy) throws {
    if let failure = copy.failure { throw failure }
    if let ending = link.ending { throw LiveFailure(ending, within: limits.answer) }
    if link.isCancelled() { throw LiveFailure.cancelled }
  }
}
