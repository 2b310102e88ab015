import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem

/// Takes the messages of an app about its log, and keeps the log's bytes in a copy.
///
/// Texts are written by the thread that reads the connection, so an app that sends faster than the disk writes has to wait.
final class LogReceiver: Sendable {
  private struct State {
    var target: (copy: LogCopy, source: Int)?
    /// `true` if the app was asked for a log before.
    var isUsed = false
    /// `true` while texts may still belong to an earlier request, before the first segment.
    var isStale = false
  }

  private let state = Monitor(State())

  /// The copy that receives the log; nil for none.
  var copy: LogCopy? { state.withLock { $0.target?.copy } }

  /// Receives the log into a copy from now on, which takes nothing more from an earlier connection; nil for none.
  func receive(into copy: LogCopy?) {
    state.withLock { state in
      state.target = copy.map { ($0, $0.connect()) }
      (state.isStale, state.isUsed) = (state.isUsed, true)
    }
  }

  /// Takes a message if it is about the log.
  ///
  /// - Throws: `MalformedMessage` if it does not continue the copy, which ends the connection. If the copy cannot be
  ///   written, it keeps the reason, and the connection continues.
  func take(
    _ name: AppProtocol.Notification, _ params: JSON
  ) throws(MalformedMessage) {
    let (target, isStale) = state.withLock { state in
      if name == .logSegment { state.isStale = false }
      return (state.target, state.isStale)
    }
    guard let (copy, source) = target, copy.failure == nil, !isStale else { return }
    switch name {
    case .logSegment:
      let place = try SegmentPlace(Message(params, called: "the segment"))
      try Self.continuing { () throws(LogCopy.Failure) in try copy.begin(place, from: source) }
    case .logText:
      let text = try LogText(params)
      try Self.continuing { () throws(LogCopy.Failure) in
        try copy.append(text.bytes, at: text.at, from: source)
      }
    case .logEnded:
      let ended = try LogEnded(params)
      guard ended.log == copy.log else { return }
      if let why = ended.why {
        copy.fail(.refused(why), from: source)
      } else {
        copy.end(isClosed: ended.closed ?? false, from: source)
      }
    default: break
    }
  }

  /// Turns a failure to continue a copy into that of its message; any other failure is kept by the copy.
  private static func continuing(
    _ body: () throws(LogCopy.Failure) -> Void
  ) throws(MalformedMessage) {
    do throws(LogCopy.Failure) {
      try body()
    } catch {
      guard case .invalid(let what) = error else { return }
      throw MalformedMessage(
        subject: "the log", member: nil, expected: "the bytes that follow",
        found: JSON(stringLiteral: what))
    }
  }

  /// Waits until the copy has what an answer is about.
  func wait(for answer: JSON, limit: Double) throws(AppConnection.Failure) {
    guard let copy else { return }
    let place = try MalformedMessage.turned(
      into: { AppConnection.Failure.malformed(found: $0) }, try SegmentPlace(inAnswer: answer))
    guard let place, copy.failure == nil else { return }
    guard copy.wait(for: place, milliseconds: Int(limit * 1000)) || copy.failure != nil else {
      throw .timedOut
    }
  }
}
