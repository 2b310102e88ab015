import FluxCommands
import FluxInspector
import FluxJSON
import FluxLog

/// A form of the changes in their pane.
typealias ChangeForm = FluxInspector.Difference.Form

/// The panes' view of the step here: its changes, and the state after it.
struct StepContent: Sendable, Equatable {
  var changes: [StyledLine]
  var state: StateTree

  static let empty = StepContent(changes: [], state: StateTree())

  init(changes: [StyledLine], state: StateTree) { (self.changes, self.state) = (changes, state) }

  /// Reads the current step of a session.
  ///
  /// Damage and unknown states are part of the content: the panes show the reason.
  init(_ session: Session, _ form: ChangeForm, folds: [BytewiseName: Bool]) {
    // A fork has a state of its own, and this is the recording.
    let session = session.standing(at: session.position)
    let timeline = session.timeline
    var changed: [String] = []
    do {
      (changes, changed) = try session.styledStep(form)
    } catch {
      changes = [StyledLine(CommandError(error, in: timeline).message, .error)]
    }
    let stores = timeline.log.storeNames.map { Self.store($0, session) }
    state = StateTree(stores, folds, changed: StateTree.withParents(changed))
  }

  private static func store(
    _ name: String, _ session: Session
  ) -> (name: String, state: JSON?, note: String) {
    let (timeline, position) = (session.timeline, session.position)
    do {
      let isUnwritten = timeline.isUnwritten(name, at: position)
      switch try session.storeState(name, at: position) {
      case .present(let state): return (name, state, isUnwritten ? "rebuilt by replay" : "")
      case .absent: return (name, nil, "absent")
      case .unknown where isUnwritten:
        let places = timeline.nearestKnownStates(of: [name], around: position)
        return (name, nil, "not written here" + (places.map { "; \($0)" } ?? ""))
      case .unknown: return (name, nil, "unknown")
      }
    } catch {
      return (name, nil, CommandError(error, in: timeline).message)
    }
  }
}
