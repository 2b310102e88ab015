import FluxJSON
import FluxLog

/// Checks what has to hold for any input: two texts, or the plan of two values.
func checkDifference(of input: [UInt8]) {
  guard let mode = input.first else { return }
  let rest = input.dropFirst()
  if mode & 1 == 0 {
    let texts = rest.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    guard texts.count == 3 else { return }
    checkQuery(texts[0], texts[1])
    guard let first = parsed(texts[1]), let second = parsed(texts[2]) else { return }
    checkPair(first, second)
    checkForeignPatch(second, on: first)
  } else {
    var plan = Plan(rest)
    guard let first = parsed(plan.value(depth: 5).utf8),
      let second = parsed(plan.value(depth: 5).utf8)
    else { preconditionFailure("a plan made something else than JSON") }
    checkPair(first, second)
  }
}

private func parsed(_ text: some Sequence<UInt8>) -> JSON? {
  do {
    return try JSON.parse(Array(text))
  } catch {
    return JSON?.none
  }
}

/// A difference leads from one value to the other, and is never longer than the value.
private func checkPair(_ old: JSON, _ new: JSON) {
  do {
    let patch = old.patch(to: new)
    // Equal values can have zeros of different signs, which a patch changes.
    precondition(old == new || !patch.isEmpty, "an empty patch for different values")
    precondition(patch.isEmpty || old.text != new.text, "a patch for the same text")
    let result = try patch.applied(to: old)
    precondition(result == new, "the patch leads elsewhere")
    let reread = try JSON.parse(result.text)
    precondition(reread == new, "the result is not what its text says")
    let applied = try old.applying([JSON.parse(patch.json().text)])
    precondition(applied == new, "the patch is not what its text says")
    let whole = Patch([.replace(.root, new)]).json().text.utf8.count
    precondition(patch.json().text.utf8.count <= whole, "the patch is longer than the value")
    var replayed = old
    for change in old.changes(to: new) { replayed = try step(change, on: replayed) }
    precondition(replayed == new, "the changes lead elsewhere")
  } catch {
    preconditionFailure("a difference does not fit: \(error)")
  }
}

private func step(_ change: ValueChange, on value: JSON) throws -> JSON {
  switch (change.kind, change.new) {
  case (.add, let new?): try Patch([.add(change.path, new)]).applied(to: value)
  case (.replace, let new?): try Patch([.replace(change.path, new)]).applied(to: value)
  default: try Patch([.remove(change.path)]).applied(to: value)
  }
}

/// A patch from anywhere is applied or refused; what it makes is what its text says.
private func checkForeignPatch(_ patch: JSON, on value: JSON) {
  do {
    let result = try value.applying([patch])
    precondition(parsed(result.text.utf8) == result, "the result is not what its text says")
  } catch {
    precondition(!error.message.isEmpty)
  }
}

/// A query from anywhere is evaluated or refused.
private func checkQuery(_ query: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) {
  let query = String(decoding: query, as: UTF8.self)
  let document = QueryDocument(parsed(text) ?? [:])
  var checks = 0
  do {
    let path = try Path(query, dialect: .inspector)
    _ = try path.nodes(in: document) {
      checks += 1
      if checks > 50 { throw TooLong() }
    }
  } catch is TooLong {
    return
  } catch {
    precondition(!"\(error)".isEmpty)
  }
  do {
    _ = try QueryExpression(query).holds(for: document) {
      checks += 1
      if checks > 50 { throw TooLong() }
    }
  } catch {
    precondition(!"\(error)".isEmpty)
  }
}

/// Ends an evaluation that is sound but long.
private struct TooLong: Error {}
