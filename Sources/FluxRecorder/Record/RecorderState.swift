/// The state of a recorder, as a pure machine: each event returns the action to perform.
///
/// The recorder holds its lock during an event, and performs the action after it releases the lock.
/// The log and the logged action stay outside: a machine with references costs a recorded step 8 %
/// more, because each event copies them.
enum RecorderState: Equatable {
  /// The recorder was not started.
  case notStarted
  /// The recorder was started, and its log is being created.
  case beginning
  /// The log could not be created.
  case failed
  /// The log is open; the step is the one in flight.
  ///
  /// If the recorder is added during a step, it begins with the next one.
  case recording(Step?)
  /// The recorder was closed, or started a second time.
  case closed

  /// The recorder's part of the step in flight.
  struct Step: Equatable {
    var fate: Fate
    /// The age of the recording before the reducers ran; nil if durations are not recorded.
    var began: Duration?

    enum Fate { case recorded, paused, filtered }
  }

  enum Event: Equatable {
    /// A dispatcher or the app started the recorder.
    case started
    case begun
    case couldNotBegin
    case stepBegan(Step)
    case stepEnded
    case closed
  }

  enum Action: Equatable {
    case none
    case beginLog
    /// Report that the recorder was started a second time, and close the log if there is one.
    case rejectStart
    case closeLog
    /// Hand over a step, which may be one to leave out.
    case write(Step)
  }

  mutating func handle(_ event: Event) -> Action {
    switch (self, event) {
    case (.notStarted, .started):
      self = .beginning
      return .beginLog
    case (.beginning, .started), (.failed, .started), (.recording, .started):
      self = .closed
      return .rejectStart

    case (.beginning, .begun): self = .recording(nil)
    case (.beginning, .couldNotBegin): self = .failed
    // Meanwhile the recorder was closed or started again, and had no log to close.
    case (.closed, .begun): return .closeLog

    case (.recording, .stepBegan(let step)): self = .recording(step)
    case (.recording(let step?), .stepEnded):
      self = .recording(nil)
      return .write(step)

    case (.recording, .closed):
      self = .closed
      return .closeLog
    case (_, .closed): self = .closed

    case (_, .started), (_, .begun), (_, .couldNotBegin), (_, .stepBegan), (_, .stepEnded): break
    }
    return .none
  }
}
