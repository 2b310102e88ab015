import FluxLog
import FluxReplay

/// The command `dispatch JSON`.
struct DispatchCommand: Command {
  let name = "dispatch"
  let group = CommandGroup.replay
  let synopsis = "dispatch [--to STORE] JSON"
  let summary = "dispatch an action on the branch"
  let help = """
    JSON is an action as logs have it: an object with a type, and mostly a payload. It is dispatched \
    on the fork, which begins here where there is none. Shown are the steps that it made, its \
    follow-ups among them, and what they changed.

    An action that the app cannot read is an error, and changes nothing.
    """
  let examples = [
    #"dispatch {"type":"todo/add","payload":{"title":"milk"}}"#,
    #"dispatch --to search {"type":"search/open"}"#,
  ]
  let options = [
    CommandOption("--to", value: "STORE", "address it to that store alone", completion: .store)
  ]
  let arguments = ArgumentStyle.raw

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let action = try arguments.action(arguments.text)
    let store = arguments.value(of: "--to")
    guard let open = session.branches.current else {
      // A fork on which nothing could be dispatched is none that anybody asked for.
      let branch = try Branch(
        at: session.position, of: session.timeline, in: try session.app(),
        timeout: session.replayTimeout)
      let (steps, changes) = try branch.changes(dispatching: action, to: store)
      let open = session.branches.add(branch)
      return DispatchAnswer(fork: open.number, steps: steps, changes: changes)
    }
    let (steps, changes) = try open.use { try $0.changes(dispatching: action, to: store) }
    return DispatchAnswer(fork: open.number, steps: steps, changes: changes)
  }
}

extension Branch {
  /// Dispatches an action; returns the steps that it made, and all that they changed.
  fileprivate func changes(
    dispatching action: JSON, to store: String?
  ) throws -> (steps: [BranchStep], changes: [ModelChange]) {
    let before = model
    let steps = try dispatch(action, to: store)
    return (Array(steps), ModelChange.changes(from: before, to: model))
  }
}

extension CommandArguments {
  /// A text as an action.
  func action(_ text: String) throws(CommandError) -> JSON {
    guard !text.isEmpty else { throw usage("an action is missing") }
    let action: JSON
    do throws(JSONError) {
      action = try JSON.parse(text)
    } catch {
      throw usage("the action is no JSON: \(error)")
    }
    guard action.kind == .object, action["type"]?.string != nil else {
      throw usage(#"an action is an object with a type: {"type":"todo/add"}"#)
    }
    return action
  }
}
