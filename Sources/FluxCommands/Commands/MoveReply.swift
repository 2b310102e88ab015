import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

// The text of moves, which many commands share.
extension Reply {
  static func move(_ move: Move) -> Reply { Reply(move) { try $1.move($0) } }
}

extension TextOutput {
  mutating func move(_ move: Move) throws {
    for hit in move.hits { try stop(hit) }
    switch move.stopped {
    case .end where move.action != nil:
      try line(move.fork.map { "the end of fork \($0)" } ?? "the end of the log", .heading)
    case .none: try line("nothing found; still at", .heading)
    default: break
    }
    if let step = move.action, let t = move.t {
      let time = " +\(t)s"
      action(move.step, step["type"]?.string ?? "", step.actionContent, before: time)
      try line(time, .dim)
      try changes(of: move)
    } else {
      write("\(move.step)", .number)
      try line(
        move.fork.map { " the start of fork \($0)" } ?? " start: the state before the first step")
    }
    for value in move.displays ?? [] { try display(value) }
  }

  private mutating func changes(of move: Move) throws {
    if let rejection = move.rejected {
      let store = rejection.store.map { " by \($0)" } ?? ""
      write("  rejected\(store): ", .error)
      try line("\(rejection.reason): \(rejection.message)")
    } else {
      let stores = StepSummary.stores(move.changed, move.unwritten, move.notRecorded)
      try line("  changed: \(stores.isEmpty ? "nothing" : stores)", .dim)
    }
    if let effects = move.effects { try line("  effects: \(Self.effects(effects))", .dim) }
    guard let cause = move.cause else { return }
    let effect = move.effect.map { ", by the effect \($0)" } ?? ""
    try line("  caused by step \(cause)\(effect)", .dim)
  }

  /// Returns the effects of a step in one line: `todos: save, -search; notes: load`.
  static func effects(_ effects: JSON) -> String {
    effects.members.map { store in
      "\(store.name): \(store.value.elements.compactMap(\.string).joined(separator: ", "))"
    }.joined(separator: "; ")
  }

  private mutating func stop(_ hit: StopHit) throws {
    write("\(hit.point.kindName) \(hit.point.number)", .heading)
    write(": \(hit.point.subject)")
    try line(hit.point.isTemporary ? ", now deleted" : "")
    for text in hit.finding?.lines ?? [] { try line("  \(text)") }
    guard case .watchpoint(let query) = hit.point.kind else { return }
    write("  old: ", .removed)
    try line(fitted(Self.text(hit.old, of: query)), .removed)
    write("  new: ", .added)
    try line(fitted(Self.text(hit.new, of: query)), .added)
  }

  private static func text(_ values: [SelectedValue]?, of query: ValueQuery) -> String {
    guard let values else { return "unknown" }
    guard let first = values.first else { return "nothing" }
    if query.isSingular { return first.value.description }
    return values.map { "\($0.shorthand) = \($0.value)" }.joined(separator: ", ")
  }
}

extension StopHit.Finding {
  fileprivate var lines: [String] {
    switch self {
    case .divergence(let divergence): divergence.details
    case .failure(let failure): failure.lines
    }
  }
}
