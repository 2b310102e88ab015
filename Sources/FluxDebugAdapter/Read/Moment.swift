import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

/// The step of a place, with the members that views show.
struct MomentStep {
  let number: UInt64
  let time: LogTime
  let type: String
  let action: JSON
  let target: String?
  let cause: UInt64?
  let effect: String?
  let from: String?
  let effects: JSON?
  let rejection: LogRejection?
  /// The line that dispatched it; on a fork, that of the recorded step that it repeats.
  let source: String?
}

/// Reads one place of the recording or of a fork.
struct Moment {
  let world: World
  let place: Place

  init(_ place: Place, in world: World) {
    (self.place, self.world) = (place, world)
  }

  private var timeline: Timeline { world.timeline }

  /// The fork of the place, and the number of its steps up to here; nil on the recording.
  private func forked() throws(RequestError) -> (history: ForkHistory, count: Int)? {
    guard case .fork(let number, let count) = place else { return nil }
    guard let history = world.forks[number], count <= history.steps.count else {
      throw RequestError("fork \(number) is gone")
    }
    return (history, count)
  }

  private var position: Int {
    if case .recording(let position) = place { position } else { Timeline.start }
  }

  // MARK: The step

  /// The step; nil in the state before the first one.
  func step() throws -> MomentStep? {
    if let (history, count) = try forked() {
      return count > 0 ? try read(history.steps[count - 1]) : nil
    }
    guard position >= 0 else { return nil }
    let step = try timeline.step(at: position)
    return MomentStep(
      number: step.number, time: step.time, type: step.type, action: step.action,
      target: step.target, cause: step.cause, effect: step.effect, from: step.from,
      effects: step.effects.json, rejection: step.rejection, source: step.source)
  }

  private func read(_ step: ForkStep) throws -> MomentStep {
    let recorded = try step.repeats.flatMap { number -> String? in
      guard let position = world.log.position(atOrBefore: number),
        world.log.number(at: position) == number
      else { return nil }
      return try world.log.step(at: position).source
    }
    return MomentStep(
      number: step.number, time: step.time, type: step.type, action: step.action,
      target: step.target, cause: step.cause, effect: step.effect, from: step.from,
      effects: step.storeEffects.json, rejection: step.rejection, source: recorded)
  }

  /// The position of the recorded step, or of the one that a step of a fork repeats; nil if there is none.
  func recordedPosition() throws -> Int? {
    guard let (history, count) = try forked() else { return position >= 0 ? position : nil }
    guard count > 0, let number = history.steps[count - 1].repeats,
      let position = world.log.position(atOrBefore: number),
      world.log.number(at: position) == number
    else { return nil }
    return position
  }

  /// The name of the place: the number and the type of its step.
  func title() throws -> String {
    if let step = try step() { return "\(step.number) \(step.type)" }
    guard let (history, _) = try forked() else { return "start" }
    return "start of the fork, after step \(history.first &- 1)"
  }

  /// The place of the step that caused this one.
  enum Cause {
    case none
    case at(Place)
    case missing(UInt64)
  }

  func cause() throws -> Cause {
    guard let cause = try step()?.cause else { return .none }
    if let (history, _) = try forked(), case .fork(let number, let count) = place,
      cause >= history.first
    {
      let place = Int(clamping: cause - history.first) + 1
      return place < count ? .at(.fork(number, place)) : .missing(cause)
    }
    guard let earlier = world.log.position(atOrBefore: cause),
      world.log.number(at: earlier) == cause,
      try forked() != nil || earlier < position
    else { return .missing(cause) }
    return .at(.recording(earlier))
  }

  // MARK: Values

  /// The step as a document for queries.
  func document() throws -> QueryDocument {
    if let (history, count) = try forked() { return history.document(afterSteps: count) }
    return timeline.document(at: position)
  }

  /// The stores, in order.
  func stores() throws -> [String] {
    if let (history, count) = try forked() {
      return history.states(afterSteps: count).ordered.map(\.key)
    }
    return world.log.storeNames
  }

  /// The state of a store; nil if it is absent.
  func state(of store: String) throws -> JSON? {
    if let (history, count) = try forked() { return history.states(afterSteps: count)[store] }
    return try timeline.state(of: store, at: position)
  }

  /// The changes that the step wrote, in the order in which they apply.
  func changes() throws -> [Change] {
    if let (history, count) = try forked() {
      guard count > 0 else { return [] }
      return Change.changes(
        from: Fork.model(of: history.states(afterSteps: count - 1)),
        to: Fork.model(of: history.states(afterSteps: count)))
    }
    guard position >= 0 else { return [] }
    return try world.session.standing(at: position).difference().changes
  }

  /// The value of a question: one value, or the array of those that a path selects.
  ///
  /// - Returns: The value, and its location if it is a place of the document.
  /// - Throws: ``RequestError`` if a path that can select one value selects none.
  func value(of query: ValueQuery) throws -> (value: JSON, location: Location?) {
    let document = try document()
    switch query {
    case .expression(let expression):
      guard let value = try expression.value(in: document, check: world.check) else {
        throw RequestError("\(query.text) has no value here")
      }
      return (value, nil)
    case .path(let path):
      let nodes = try path.nodes(in: document, check: world.check)
      guard path.isSingular else {
        return (JSON(writing: { $0.values(nodes.map(\.value)) }), nil)
      }
      if let node = nodes.first { return (node.value, node.location) }
      if case .recording(let position) = place {
        // This names the nearest path.
        _ = try world.session.standing(at: position).values(at: path)
      }
      throw RequestError("no path \(path.text) at \(try title())")
    }
  }

  /// The value at a location of the document; nil if there is none.
  func value(at elements: [Location.Element]) throws -> JSON? {
    if elements.count > 1, elements[0] == .name("state"), case .name(let store) = elements[1] {
      return try state(of: store)?.value(at: elements.dropFirst(2))
    }
    let path = try Path(Location(elements).normalizedPath)
    return try path.nodes(in: document(), check: world.check).first?.value
  }
}

extension JSON {
  /// The value that names and indices lead to; nil if there is none.
  func value(at elements: some Sequence<Location.Element>) -> JSON? {
    elements.reduce(Optional(self)) { value, element in
      switch element {
      case .name(let name): value?[name]
      case .index(let index): value?[index]
      }
    }
  }
}

extension JSONWriter {
  /// Writes an array.
  fileprivate mutating func values(_ values: some Sequence<JSON>) {
    beginArray()
    for value in values { raw(value) }
    endArray()
  }
}
