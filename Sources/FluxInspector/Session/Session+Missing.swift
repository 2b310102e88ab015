package import FluxJSON
import FluxLog
import FluxSystem

// Errors and suggestions for paths and stores that do not exist.
extension Session {
  /// The error of a path that selects nothing here, with a suggestion.
  func missing(_ path: Path) throws -> CommandError {
    timeline.missing(path, in: try path.miss(in: document), placeText)
  }

  /// A remark on a path that selects nothing here; nil if it selects something, or if the state here is unknown.
  func miss(of path: Path) throws -> String? {
    try LogError.ifKnown {
      try path.miss(in: document).map { timeline.missing(path, in: $0, placeText).message }
    } ?? nil
  }

  /// The error of a store that the log does not have.
  func noStore(_ store: String) -> CommandError {
    let stores = log.storeNames
    return CommandError(
      .noStore, "no store \(store)\(Spelling.question(store, among: stores))",
      hint: stores.isEmpty ? nil : "the stores are \(stores.joined(separator: ", "))")
  }

  /// The place here in words, for messages: `at step 42`, `on fork 1`.
  package var placeText: String {
    forkPlace.map { "on fork \($0.number)" } ?? "at step \(number(at: position))"
  }
}

extension Timeline {
  /// The error of a path that leaves a document, with a suggestion.
  ///
  /// `text` is that of the path as far as it leads, if the rest of it does not matter.
  func missing(
    _ path: Path, text: String? = nil, in miss: PathMiss?, _ place: String
  ) -> CommandError {
    let meant =
      miss.flatMap { rootMeant($0) }
      ?? (text == nil ? miss?.suggestion : miss?.nearest)?.shorthand
      ?? miss.flatMap { stateMeant($0, path) }
    return CommandError(
      .noPath,
      "no path \(text ?? path.text) \(place)" + (meant.map { "; did you mean \($0)?" } ?? ""),
      note: meant == nil
        ? miss.flatMap { lastElement($0) ?? habit($0, path) ?? storesHint($0) } : nil)
  }

  /// The number of elements that there are, for an index that is too large.
  private func lastElement(_ miss: PathMiss) -> Note? {
    guard let count = miss.elementCount, case .index? = miss.place.elements.last else { return nil }
    let last = Location(miss.reached.elements + [.index(count - 1)])
    return Note(
      "\(miss.reached.shorthand) has \(count.counted("element"))"
        + (count > 0 ? "; the last is \(last.shorthand)" : ""))
  }

  /// Suggests a path for one as other tools write it; nil if nothing is likely.
  func habit(_ miss: PathMiss, _ path: Path) -> Note? {
    let reached = miss.reached
    switch miss.missing {
    case "rejected" where reached.elements.isEmpty:
      return Note("the step was not rejected", next: .listRejections)
    case "payload" where reached.elements.isEmpty, "type" where reached.elements.isEmpty:
      return Note("", next: .readAction(miss.missing))
    case "count" where reached.elements.count > 1, "length" where reached.elements.count > 1,
      "size" where reached.elements.count > 1:
      return "for the number of elements: length(\(reached.shorthand))"
    case "state" where reached.elements == [.name("state")] && path.text.hasPrefix("state."):
      return "paths begin with a store: \(path.text.dropFirst("state.".count))"
    default: return nil
    }
  }

  /// The stores, for a path that begins with none of them.
  func storesHint(_ miss: PathMiss) -> Note? {
    let stores = log.storeNames
    guard miss.reached.elements == [.name("state")], !stores.contains(exactly: miss.missing),
      !stores.isEmpty
    else { return nil }
    switch miss.missing {
    case "payload", "type":
      return Note("", next: .readAction(miss.missing))
    case "action", "effect", "cause", "rejected":
      return Note("", next: .readStep(miss.missing))
    default: return "the stores are \(stores.joined(separator: ", "))"
    }
  }

  /// The place in a store's state, for one without the name of the store: `cart.total` for `total`; nil if no state or
  /// several have such a member.
  package func rootMeant(_ miss: PathMiss) -> String? {
    guard miss.reached.elements == [.name("state")],
      !log.storeNames.contains(exactly: miss.missing)
    else { return nil }
    return place(ofMember: miss.missing)
  }

  /// The place of a member of the state of a single store, at the start or the end; nil if no state or several have it.
  package func place(ofMember member: String) -> String? {
    for position in [Timeline.start, end] {
      do {
        let states = try model(at: position).states.ordered
        let stores = states.filter { $0.value.json?[member] != nil }.map(\.key)
        guard stores.count == 1 else { continue }
        return Location([.name("state"), .name(stores[0]), .name(member)]).shorthand
      } catch {
        // The error at hand is about the path, and this only adds to it.
        continue
      }
    }
    return nil
  }

  /// The path below the states, for a path that starts with a store right below the step.
  private func stateMeant(_ miss: PathMiss, _ path: Path) -> String? {
    guard miss.reached.elements.isEmpty, log.storeNames.contains(exactly: miss.missing) else {
      return nil
    }
    return "$.state" + path.text.dropFirst()
  }
}
