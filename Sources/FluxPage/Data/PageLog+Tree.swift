import FluxInspector
import FluxJSON
import FluxLog

extension PageLog {
  /// The bytes of the largest value that is copied whole.
  private static let largestCopy = 1_000_000

  /// `tree`: the rows of a value that are open, or that a search finds.
  func tree(_ request: PageRequest, _ rows: PageRows) throws -> Answer {
    let path = try request.pointer("path")
    let (value, before, isKnown) = try subject(of: request, rows)
    let tokens = path.tokens
    guard let root = value.descendant(tokens) else {
      throw CommandError(.noPath, "there is no \(path) here")
    }
    var walk = TreeWalk(
      open: Set(try request.texts("open")), closed: Set(try request.texts("closed")),
      depth: try request.integer("depth") ?? 0, from: max(0, try request.integer("from") ?? 0),
      count: try request.count("count", standard: 200),
      search: try request.text("search").flatMap { $0.isEmpty ? nil : TextNeedle($0) },
      deadline: request.deadline, marksChanges: before != nil,
      opensChanges: try request.flag("unfold"),
      resume: request.has("next")
        ? try request.pointer("next").tokens.dropFirst(tokens.count) : [])
    walk.visitChildren(of: root, before?.descendant(tokens), at: path.description, depth: 0)
    let from = walk.from
    return Answer { [walk] members in
      try members.set("place", request.members["place"] ?? .null)
      try members.set("path", path.description)
      try members.set("from", from)
      try members.set("total", walk.total)
      try members.set("rows", walk.rows)
      try members.set("change", ifPresent: walk.firstChange)
      try members.set("next", ifPresent: walk.next)
      try members.set("known", isKnown)
    }
  }

  /// `value`: the text of a value, for copying.
  func value(_ request: PageRequest, _ rows: PageRows) throws -> Answer {
    let path = try request.pointer("path")
    let (value, _, _) = try subject(of: request, rows)
    guard let found = value.descendant(path.tokens)?.json else {
      throw CommandError(.noPath, "there is no \(path) here")
    }
    let isCut = found.byteCount > Self.largestCopy
    return Answer { members in
      try members.set("path", path.description)
      try members.set("text", isCut ? found.excerpt(Self.largestCopy / 4) : found.text)
      try members.set("bytes", found.byteCount)
      try members.set("cut", ifTrue: isCut)
    }
  }

  /// Returns what a request looks into, and what it was before the step if that is to be compared.
  func subject(
    of request: PageRequest, _ rows: PageRows
  ) throws -> (value: TreeValue, before: TreeValue?, isKnown: Bool) {
    let kind = try request.text("of") ?? "state"
    guard kind == "state" || kind == "payload" else {
      throw PageError(.badRequest, "of: there is no \(kind)")
    }
    let place = try place("place", of: request, rows)
    if kind == "payload" {
      let step = try place.isStep ? place.session.currentStep() : nil
      guard place.row != nil || step?.payload != nil else {
        throw PageError(.badRequest, "of: a fork has no payload here")
      }
      guard let step else { throw PageError(.badRequest, "of: the row is not a step") }
      return (.json(step.payload ?? .null), nil, true)
    }
    guard let row = place.row else {
      return (.json(try place.session.model().value), try place.modelBefore.map { .json($0) }, true)
    }
    let model = try model(at: row.position, place.session)
    let isKnown = model.allSatisfy { $0.state.isKnown }
    guard case .step(let position) = row else { return (.model(model), nil, isKnown) }
    return (.model(model), .model(try modelBefore(position)), isKnown)
  }

  /// The states of all stores at a position; the app of the session rebuilds those that the log lacks.
  func model(at position: Int, _ session: Session) throws -> [TreeValue.Store] {
    try log.storeNames.map { name in
      let state = try session.storeState(name, at: position)
      guard timeline.isUnwritten(name, at: position) else {
        return TreeValue.Store(
          name: name, state: state, remark: state.isKnown ? nil : remark(on: name, at: position))
      }
      let isImported = timeline.importHiding(name, at: position) != nil
      return TreeValue.Store(
        name: name, state: state, isUnwritten: !state.isKnown && !isImported,
        remark: try state.isKnown
          ? session.rebuilt([name], at: position)?.sentence
          : isImported
            ? remark(on: name, at: position) : remark(onUnwritten: name, at: position, session))
    }
  }

  private func remark(
    onUnwritten store: String, at position: Int, _ session: Session
  ) throws -> String {
    let places = timeline.nearestKnownStates(of: [store], around: position).map { "; \($0)" } ?? ""
    let failure = try session.rebuildFailure(at: position).map {
      "; replay cannot rebuild it: \($0)"
    }
    return "not written here: the recorder was behind\(failure ?? "")\(places)"
  }

  /// The last known states before the step at a position.
  func modelBefore(_ position: Int) throws -> [TreeValue.Store] {
    let baseline = timeline.baseline(of: position)
    let changed = try timeline.changedStores(at: position)
    return try log.storeNames.map { name in
      // A store that the step did not change was the same before it.
      let place = changed.contains { $0.hasSameBytes(as: name) } ? baseline.position : position
      let state =
        try baseline.isRestored
        ? timeline.storeState(name, before: position)
        : timeline.lastKnown(name, atOrBefore: place).state
      return TreeValue.Store(name: name, state: state)
    }
  }

  /// The reason why the state of a store is unknown.
  private func remark(on store: String, at position: Int) -> String {
    guard let hidden = log.breakHiding(store, at: position) else {
      return "unknown here: a patch up to this step does not apply"
    }
    guard !hidden.endsWithWholeModel else {
      return "unknown here: steps before it are not in the log"
    }
    if hidden.kind == .imported {
      let first = log.number(at: hidden.position).map { " from step \($0) on" } ?? ""
      return "unknown here: the file that was imported had no states\(first)"
    }
    guard let lines = log.damagedLines(before: hidden.position) else {
      return "unknown here: damaged lines were removed before it"
    }
    return "unknown here: \(RowMap.sentence(forDamage: lines))"
  }
}
