import FluxInspector
import FluxLog
import FluxTerminal
import LineEditor

/// The prompt: the app, the position, and the action there.
///
/// `(TodoMVC 42/1000 todo/add)`; three dots follow the last number while there may be more steps. On a fork
/// `(TodoMVC 42+3 fork 1)`: the last recorded step, and the number of its own steps up to here. At the newest step of a running
/// app `(TodoMVC live 42 todo/add)`; `shown`, `paused` and `restored` tell what inspectors have done to that app.
struct PromptText {
  private let app: String
  private let position: String
  private let last: String
  private let isGrowing: Bool
  private let action: String?
  private let fork: ForkSummary?
  private let forkStep: Int
  private let isLive: Bool
  private let appState: String?

  init(_ session: Session, isGrowing: Bool) {
    let timeline = session.timeline
    let log = timeline.log
    let progress = log.progress
    app = log.shortName
    position =
      session.position == Timeline.start
      ? "start" : session.stepNumber.map { String($0) } ?? "start"
    fork = session.currentFork
    forkStep = if case .fork(_, let count) = session.place { count } else { 0 }
    last = timeline.number(at: timeline.end).map { String($0) } ?? "0"
    isLive = session.isLive
    appState =
      switch session.liveState {
      case .showing: "shown"
      case .paused: "paused"
      case .live, .restored: session.isRestored ? "restored" : nil
      case nil: nil
      }
    self.isGrowing = isGrowing || progress.done < progress.total
    action = session.position < 0 ? nil : log.type(at: session.position)
  }

  /// The prompt, in colors if asked for.
  func prompt(usesColor: Bool) -> Prompt {
    let number = CellStyle(usesColor ? .yellow : nil)
    let type = CellStyle(usesColor ? .cyan : nil)
    if let fork {
      let base = fork.base.value.map { String($0) } ?? "start"
      return Prompt([
        .init("(\(app) "), .init("\(base)+\(forkStep)", number),
        .init(" fork \(fork.number))"),
      ])
    }
    var spans: [StyledSpan] = [.init("(\(app) ")]
    if isLive {
      spans += [.init("live "), .init(position, number)]
    } else {
      spans += [
        .init(position, number), .init("/\(last)\(isGrowing ? "…" : "")"),
      ]
    }
    if let appState { spans += [.init(" \(appState)")] }
    if let action { spans += [.init(" "), .init(action, type)] }
    return Prompt(spans + [.init(")")])
  }
}
