import FluxJSON
import FluxLog
import FluxReplay
import Synchronization

/// Takes the messages of an app about its log, and keeps the log's bytes in a copy.
///
/// Texts are written by the thread that reads the connection, so an app that sends faster than the disk writes has to wait.
final class LogReceiver: Sendable {
  private let target = Mutex<(copy: LogCopy, source: Int)?>(nil)

  /// The copy that receives the log; nil for none.
  var copy: LogCopy? { target.withLock { $0?.copy } }

  /// Receives the log into a copy from now on, which takes nothing more from an earlier connection; nil for none.
  func receive(into copy: LogCopy?) { target.withLock { $0 = copy.map { ($0, $0.connect()) } } }

  /// Takes a message if it is about the log.
  ///
  /// - Throws: `MalformedMessage` if it does not continue the copy, which ends the connection. If the copy cannot be
  ///   written, it keeps the reason, and the connection continues.
  func take(
    _ name: AppProtocol.Notification, _ params: JSON
  ) throws(MalformedMessage) {
    guard let (copy, source) = target.withLock({ $0 }), copy.failure == nil else { return }
    do throws(LogCopy.Failure) {
      switch name {
      case .logSegment:
        let place: SegmentPlace
        do throws(MalformedMessage) {
          place = try SegmentPlace(Message(params, called: "the segment"))
        } catch {
          throw .invalid(error.description)
        }
        try copy.begin(place, from: source)
      case .logText:
        let text: LogText
        do throws(MalformedMessage) {
          text = try LogText(params)
        } catch {
          throw .invalid(error.description)
        }
        try copy.append(text.bytes, at: text.at, from: source)
      default: break
      }
    } catch {
      guard case .invalid(let what) = error else { return }
      throw MalformedMessage(
        subject: "the log", member: nil, expected: "the bytes that follow",
        found: JSON(stringLiteral: what))
    }
    if name == .logEnded {
      let ended = try LogEnded(params)
      if ended.log == copy.log { copy.end(isClosed: ended.closed ?? false, from: source) }
    }
  }

  /// Waits until the copy has what an answer is about.
  func wait(for answer: JSON, limit: Double) throws(AppConnection.Failure) {
    guard let copy else { return }
    let place: SegmentPlace?
    do throws(MalformedMessage) {
      place = try SegmentPlace(inAnswer: answer)
    } catch {
      throw .malformed(found: error.description)
    }
    guard let place, copy.failure == nil else { return }
    guard copy.wait(for: place, milliseconds: Int(limit * 1000)) || copy.failure != nil else {
      throw .timedOut
    }
  }
}
