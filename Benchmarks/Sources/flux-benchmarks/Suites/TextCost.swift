import FluxCore
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import Harness
import Inputs
import Synchronization

/// The cost of verifying or recording a step of a text, beyond that of the app.
///
/// The app keeps its last model, as an app does that is observed or recorded. So the copies that the reducer makes because
/// of that are the app's.
struct TextCost {
  let lines: Int
  let steps: Int
  let seed: UInt64

  /// Returns the time of verifying a step less that of dispatching it.
  func verifying(_ log: LogFile) throws -> Lap {
    let session = TextSession(lines: lines, seed: seed)
    let (stores, actions) = (session.stores(), session.actions(steps))
    let alone = Stopwatch.lap { dispatch(actions, into: stores) }
    let app = AppDefinition { stores }
    var report = ReplayReport(log: log.path)
    let verified = try Stopwatch.lap {
      report = try app.verify(Timeline(log))
    }
    guard report.verdict == .passed, report.steps == steps else {
      throw ExternalProgram.Failure(description: report.text)
    }
    return Lap(seconds: (verified.seconds - alone.seconds) / Double(steps))
  }

  /// Returns the processor time of a recorded step less that of one without a recorder; both threads count.
  func recording(to url: URL) throws -> Lap {
    let session = TextSession(lines: lines, seed: seed)
    let alone = Stopwatch.processorSeconds {
      dispatch(session.actions(steps), into: session.stores())
    }
    let recorded = try Stopwatch.processorSeconds { try session.record(to: url, steps: steps) }
    return Lap(seconds: (recorded - alone) / Double(steps))
  }

  private func dispatch(_ actions: [TextAction], into stores: [any Store]) {
    let dispatcher = Dispatcher(stores, seed: seed)
    dispatcher.use(LastModel())
    for action in actions { dispatcher.dispatch(action) }
  }

  /// Keeps the model after the last step.
  private final class LastModel: Middleware {
    private let model = Mutex<Model?>(nil)

    func didDispatch(_ completed: CompletedStep) {
      model.withLock { $0 = completed.model }
    }
  }
}
