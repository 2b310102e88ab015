import FluxInspector
import FluxLog
import FluxTerminal
import LineEditor

extension Prompt {
  /// Makes the prompt of a session: the app, the position, and the action there.
  ///
  /// `(TodoMVC 42/1000 todo/add)`; three dots follow the last number while there may be more steps. On a fork
  /// `(TodoMVC 42+3 fork 1)`: the third step of a fork that left the recording after step 42. At the newest step of a
  /// running app `(TodoMVC live 42 todo/add)`; `shown`, `paused` and `restored` say what inspectors have done to that app.
  init(_ session: Session, isGrowing: Bool, usesColor: Bool) {
    let (timeline, log) = (session.timeline, session.timeline.log)
    let number = CellStyle(usesColor ? .yellow : nil)
    var spans: [StyledSpan] = [.init("(\(log.shortName) ")]
    if let fork = session.currentFork {
      let base = fork.base.value.map { String($0) } ?? "start"
      let count = if case .fork(_, let count) = session.place { count } else { 0 }
      self.init(spans + [.init("\(base)+\(count)", number), .init(" fork \(fork.number))")])
      return
    }
    let position =
      session.position == Timeline.start
      ? "start" : session.stepNumber.map { String($0) } ?? "start"
    if session.isLive {
      spans += [.init("live "), .init(position, number)]
    } else {
      let last = timeline.number(at: timeline.end).map { String($0) } ?? "0"
      let progress = log.progress
      let mayGrow = isGrowing || progress.done < progress.total
      spans += [.init(position, number), .init("/\(last)\(mayGrow ? "…" : "")")]
    }
    switch session.liveState {
    case .showing: spans.append(.init(" shown"))
    case .paused: spans.append(.init(" paused"))
    case .live, .restored: if session.isRestored { spans.append(.init(" restored")) }
    case nil: break
    }
    if session.position >= 0, let action = log.type(at: session.position) {
      spans += [.init(" "), .init(action, CellStyle(usesColor ? .cyan : nil))]
    }
    self.init(spans + [.init(")")])
  }
}
