import FluxInspector
import FluxLog
import FluxTerminal
import LineEditor

/// The prompt: the app, where the session stands, and the action there.
///
/// `(TodoMVC 42/1000 todo/add)`; three dots follow the last number as long as there may be more steps. On
/// a fork `(TodoMVC 42+3 fork 1)`: the step that it leaves the recording after, and how many it has.
struct PromptText: Equatable {
  var app: String
  var position: String
  var last: String
  var isGrowing: Bool
  var action: String?
  var fork: ForkSummary?

  /// The prompt in colours, or without.
  func prompt(usesColor: Bool) -> Prompt {
    let number = TextStyle(color: .yellow)
    let type = TextStyle(color: .cyan)
    if let fork {
      let base = fork.base.value.map { String($0) } ?? "start"
      return Prompt([
        .init("(\(app) "),
        .init("\(base)+\(fork.stepCount)", style: usesColor ? number : .plain),
        .init(" fork \(fork.number))"),
      ])
    }
    var spans: [Prompt.Span] = [
      .init("(\(app) "), .init(position, style: usesColor ? number : .plain),
      .init("/\(last)\(isGrowing ? "…" : "")"),
    ]
    if let action { spans += [.init(" "), .init(action, style: usesColor ? type : .plain)] }
    return Prompt(spans + [.init(")")])
  }
}

extension PromptText {
  /// The parts of the text.
  init(_ session: Session, isGrowing: Bool) {
    let timeline = session.timeline
    let log = timeline.log
    let progress = log.progress
    app = log.header.app?.name ?? String(log.path.split(separator: "/").last ?? "")
    position =
      session.position == Timeline.start
      ? "start" : session.stepNumber.map { String($0) } ?? "start"
    fork = session.currentFork
    last = timeline.number(at: timeline.end).map { String($0) } ?? "0"
    self.isGrowing = isGrowing || progress.done < progress.total
    do {
      action = session.position < 0 ? nil : try log.type(at: session.position)
    } catch {
      // The line may have been damaged since; every command says so, and a prompt need not.
      action = nil
    }
  }
}
