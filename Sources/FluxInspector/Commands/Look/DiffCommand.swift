import FluxLog

/// The command `diff [A] [B]`.
struct DiffCommand: Command {
  let name = "diff"
  let aliases = ["d"]
  let group = CommandGroup.look
  let synopsis = "diff [A] [B] [--store S] [--patch|--stat]"
  let summary = "show what this step changed, or how two steps differ"
  let help = """
    Without a position: what this step changed. With one: what differs between it and here. The \
    changes are listed in the order in which they turn A into B, one applied after the other.

    On a fork and without a position: what its newest step changed. After a gap, what changed is said against the last known model.
    """
  let examples = ["diff", "diff -5", "diff start end --store todos", "diff 3 7 --patch"]
  let options = [
    CommandOption("--store", value: "S", "of this store alone", completion: .store),
    CommandOption("--patch", "as a JSON Patch (RFC 6902)"),
    CommandOption("--stat", "only how many changes there are, by store"),
  ]
  let arguments = ArgumentStyle.words(2)
  let completions = [CompletionKind.position]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let style = try style(arguments)
    let store = arguments.value(of: "--store")
    if arguments.words.isEmpty, let branch = session.branches.current {
      return try session.difference(ofNewestStepOf: branch, store: store, style)
    }
    if let store, !session.log.storeNames.contains(store) { throw session.noStore(store) }
    guard let first = arguments.words.first else {
      return try session.differenceOfStep(store: store, style)
    }
    let from = try resolve(first, arguments, &session)
    let to =
      arguments.words.count > 1
      ? try resolve(arguments.words[1], arguments, &session) : session.position
    return try session.difference(from: from, to: to, store: store, style)
  }

  private func style(_ arguments: CommandArguments) throws(CommandError) -> DifferenceAnswer.Style {
    switch (arguments.has("--patch"), arguments.has("--stat")) {
    case (true, true): throw arguments.usage("--patch and --stat exclude each other")
    case (true, false): .patch
    case (false, true): .counts
    case (false, false): .changes
    }
  }

  private func resolve(
    _ word: String, _ arguments: CommandArguments, _ session: inout Session
  ) throws -> Int {
    let resolved = try session.resolve(try arguments.position(word))
    if let note = resolved.note { session.notes.append(note) }
    return resolved.position
  }
}

extension Session {
  /// What the step here changed, against what was last known before it.
  fileprivate func differenceOfStep(
    store: String?, _ style: DifferenceAnswer.Style
  ) throws -> DifferenceAnswer {
    let position = try stepHere()
    let before = try timeline.baseline(of: position)
    let changed = try timeline.changedStores(at: position).filter { name in
      store.map { name.hasSameBytes(as: $0) } ?? true
    }
    let states = try knownStates(of: changed, at: position)
    var changes: [ModelChange] = []
    var afterGap = before.afterGap
    for (store, state) in zip(changed, states) {
      try checkInterruption()
      let old = try timeline.lastKnown(store, atOrBefore: before.position)
      if old.position != before.position { afterGap = true }
      changes += ModelChange.changes(of: store, from: old.state, to: state)
    }
    return DifferenceAnswer(
      from: stepNumber(at: before.position), to: stepNumber, changes: changes, style: style,
      afterGap: afterGap)
  }

  fileprivate func difference(
    from: Int, to: Int, store: String?, _ style: DifferenceAnswer.Style
  ) throws -> DifferenceAnswer {
    let stores = store.map { [$0] } ?? log.storeNames
    let old = try knownStates(of: stores, at: from)
    let new = try knownStates(of: stores, at: to)
    var changes: [ModelChange] = []
    for (place, store) in stores.enumerated() {
      try checkInterruption()
      changes += ModelChange.changes(of: store, from: old[place], to: new[place])
    }
    return DifferenceAnswer(
      from: stepNumber(at: from), to: stepNumber(at: to), changes: changes, style: style)
  }
}
