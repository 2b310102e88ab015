import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import Harness

/// A burst of messages that arrive in a list of 10,000 rows: the recorder needs milliseconds for each state.
struct MessageBurst {
  /// The statistics of a burst's dispatches.
  enum Statistic: String, CaseIterable, CustomStringConvertible {
    case p50, p99, max

    var description: String { rawValue }

    /// The value that this share of the dispatches stays below.
    fileprivate var share: Double {
      switch self {
      case .p50: 0.5
      case .p99: 0.99
      case .max: 1
      }
    }
  }

  let url: URL
  let statistic: Statistic

  private static let count = 500

  private struct Message: StateValue {
    let id: Int
    let author: String
    let text: String
    var isRead = false
  }

  private struct Inbox: StateValue {
    var messages: [Message] = []
    var unread = 0
  }

  private enum InboxAction: Action {
    case load(Int)
    case received(id: Int, author: String, text: String)
  }

  private struct InboxStore: Store {
    let id: StoreID = "inbox"
    let initialState = Inbox()

    func reduce(_ inbox: inout Inbox, _ action: InboxAction, _ step: inout Step) {
      switch action {
      case .load(let count):
        inbox.messages = (0..<count).map {
          Message(id: $0, author: "author \($0 % 50)", text: "message number \($0), of some length")
        }
      case .received(let id, let author, let text):
        inbox.messages.insert(Message(id: id, author: author, text: text), at: 0)
        inbox.unread += 1
      }
    }
  }

  /// Returns the dispatch that is slower than the statistic's share of the others; nil for no recorder.
  func lap(_ durability: LogWriter.Options.Durability?) throws -> Lap {
    let dispatcher = Dispatcher([InboxStore()])
    var recorder: Recorder?
    if let durability {
      var options = Recorder.Options()
      options.log.durability = durability
      options.log.existing = .replace
      options.log.overflow = .thin
      let used = Recorder(to: url, options: options)
      dispatcher.use(used)
      recorder = used
    }
    dispatcher.dispatch(InboxAction.load(10_000))
    try recorder?.flush()
    let clock = ContinuousClock()
    var times: [Double] = []
    times.reserveCapacity(Self.count)
    for number in 0..<Self.count {
      let begin = clock.now
      dispatcher.dispatch(
        InboxAction.received(
          id: 10_000 + number, author: "author \(number % 50)", text: "message of the burst"))
      times.append((clock.now - begin) / .seconds(1))
    }
    try recorder?.close()
    times.sort()
    let place = Int((Double(times.count) * statistic.share).rounded(.up)) - 1
    return Lap(seconds: times[Swift.max(0, place)])
  }
}
