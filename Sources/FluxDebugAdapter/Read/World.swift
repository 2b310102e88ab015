import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

/// A step of the recording or of a fork, or the state before its first step.
enum Place: Sendable, Hashable {
  /// A position of the recording, as `Timeline` counts.
  case recording(Int)
  /// A fork, and the number of its steps up to here; 0 for the states that it begins with.
  case fork(Int, Int)
}

/// A thread of the protocol: the recording, or one of its forks.
enum ThreadID: Sendable, Hashable {
  case recording
  case fork(Int)

  init?(number: Int) {
    switch number {
    case 1: self = .recording
    case 2...: self = .fork(number - 1)
    default: return nil
    }
  }

  var number: Int {
    switch self {
    case .recording: 1
    case .fork(let fork): fork + 1
    }
  }
}

extension Place {
  /// The thread whose place it is.
  var thread: ThreadID {
    switch self {
    case .recording: .recording
    case .fork(let fork, _): .fork(fork)
    }
  }
}

/// The last stop of a thread, for `exceptionInfo`.
struct StopReport: Sendable {
  let kind: ExceptionKind
  let description: String
  let message: String
}

/// Everything that requests read, as a value.
///
/// The worker makes a new one after each change, so a second thread can read while the worker searches.
struct World: Sendable {
  /// Reads the log; its own position does not matter.
  var session: Session
  /// The steps of the forks, by their numbers.
  var forks: [Int: ForkHistory] = [:]
  /// The place of each thread.
  var places: [ThreadID: Place]
  var sources: SourceMap
  var format: ClientFormat
  var hasApp: Bool
  /// The findings of a replay at the steps of the recording where a move has stopped.
  var findings: [Int: StopHit.Finding] = [:]
  /// The exceptions that threads have stopped at.
  var exceptions: [ThreadID: StopReport] = [:]
  /// The thread of the last stop, for requests that name none.
  var lastThread = ThreadID.recording

  var timeline: Timeline { session.timeline }
  var log: LogFile { session.timeline.log }

  /// Ends a long evaluation of an interrupted request.
  var check: @Sendable () throws -> Void {
    { [isInterrupted = session.services.isInterrupted] in
      if isInterrupted() { throw CommandError(.cancelled, "interrupted") }
    }
  }

  /// Turns an error of a call into one for the client.
  func requestError(_ error: any Error) -> RequestError {
    if let error = error as? RequestError { return error }
    let error = CommandError(error, in: timeline)
    return error.code == .cancelled ? .cancelled : RequestError(error.description)
  }

  /// Finds the place of a thread.
  func place(ofThread number: Int) throws(RequestError) -> Place {
    guard let thread = ThreadID(number: number), let place = places[thread] else {
      throw RequestError("there is no thread \(number); 1 is the recording")
    }
    return place
  }

  /// The threads, the recording first.
  var threads: [ThreadValue] {
    places.keys.map(\.number).sorted().compactMap { number in
      guard let thread = ThreadID(number: number) else { return nil }
      return ThreadValue(id: number, name: name(of: thread))
    }
  }

  private func name(of thread: ThreadID) -> String {
    switch thread {
    case .recording:
      let file = log.path.split(separator: "/").last.map(String.init) ?? log.path
      return log.header.app.map { "\($0.name) (\(file))" } ?? file
    case .fork(let number):
      let base = forks[number].map { $0.first &- 1 }
      return "fork \(number)" + (base.map { " after step \($0)" } ?? "")
    }
  }
}
