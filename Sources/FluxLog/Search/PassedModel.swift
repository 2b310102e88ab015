package import FluxJSON

/// The states of some stores along a ``StepPass``.
///
/// Each step costs what it wrote. A state is only put together when somebody reads it.
package final class PassedModel {
  /// A shape, and its writes to the stores of the model.
  private struct Shape {
    let shape: StepShape
    var writes: [(entry: Int, write: Int, kind: WriteKind)] = []
  }

  /// The source of a value of a step's document that is kept current.
  private enum Source {
    /// The type of the action.
    case type
    /// A slot in a store's state after the step.
    case after(store: Int, slot: Int)
    /// A value in a store's state before the step, by its number among those.
    case before(Int)
  }

  let pass: StepPass
  /// The current step; `nil` at the start of the log.
  package private(set) var step: StepPass.Step?
  /// The types of actions as values, by their numbers.
  private var types: [JSON?] = []
  /// The slots whose values before the current step are kept.
  private var earlier: [(store: Int, slot: Int, value: QueryValue?)] = []
  private var entries: [PassedStore] = []
  private let keepsBefore: Bool
  /// The shapes of steps, by their numbers.
  private var shapes: [Shape?] = []
  /// The whole log, to which the app can go back.
  private let timeline: Timeline
  private var rules: ModelRules
  private var last: StepShape?

  /// `true` if the states before the current step are not known, because steps are missing there.
  package var isBeforeHidden: Bool { rules.hidesBefore }
  /// The indices of the stores that the current step wrote, or that a break before it changed.
  package private(set) var written: [Int] = []

  /// Makes the model before the first step of a pass; with `keepsBefore`, it keeps the states before each step as well.
  package init(
    _ stores: [String], keepsBefore: Bool, along pass: StepPass, in timeline: Timeline
  ) throws(LogError) {
    (self.pass, self.keepsBefore, self.timeline) = (pass, keepsBefore, timeline)
    let start = pass.position
    rules = pass.log.rules(after: start)
    for name in Set(stores.map(BytewiseName.init)).sorted() {
      entries.append(try PassedStore(name.text, at: start, in: timeline))
    }
    written = Array(entries.indices)
  }

  package var names: [String] { entries.map(\.name) }

  /// Returns the index of a store.
  package func index(of store: String) -> Int? {
    entries.firstIndex { $0.name.hasSameBytes(as: store) }
  }

  // MARK: Moving

  /// Moves from the previous step to this one.
  package func take(_ step: StepPass.Step) throws(LogError) {
    self.step = step
    if !written.isEmpty { settle() }
    let known = known(step.shape)
    let shape = known.shape
    last = shape
    if let interruption = step.interruption { try interrupt(interruption) }
    for index in earlier.indices {
      let (store, slot, _) = earlier[index]
      earlier[index].value = entries[store].value(inSlot: slot)
    }
    rules.begin(isRejected: shape.isRejected)
    guard rules.replacesModel else {
      for write in known.writes {
        try take(write.kind, write.write, shape, in: write.entry)
      }
      return
    }
    for index in entries.indices {
      let write = shape.writes.firstIndex { $0.store.hasSameBytes(as: entries[index].name) }
      try take(write.map { shape.writes[$0].kind }, write ?? 0, shape, in: index)
    }
  }

  /// Returns a shape, and keeps it.
  package func shape(_ number: Int) -> StepShape { known(number).shape }

  private func known(_ number: Int) -> Shape {
    if number < shapes.count, let known = shapes[number] { return known }
    var found = Shape(shape: pass.shape(number))
    for (rank, write) in found.shape.writes.enumerated() {
      guard let entry = index(of: write.store) else { continue }
      found.writes.append((entry, rank, write.kind))
    }
    shapes += Array(repeating: nil, count: max(0, number + 1 - shapes.count))
    shapes[number] = found
    return found
  }

  private func settle() {
    for index in written {
      entries[index].isWritten = false
      if keepsBefore { entries[index].keepBefore() }
    }
    written.removeAll(keepingCapacity: true)
  }

  private func interrupt(_ kind: LogBreak.Kind) throws(LogError) {
    rules.interrupt(kind)
    for index in entries.indices {
      entries[index].isUnwritten = false
      entries[index].set(.hidden)
      note(index)
    }
    guard kind == .restored else { return }
    switch pass.log.restoredModel(before: pass.position) {
    case .states(let states)?:
      for index in entries.indices {
        entries[index].set(.init(StoreState(states[entries[index].name])))
      }
    case .step?:
      let position = pass.log.restoredPosition(before: pass.position) ?? Timeline.start
      for index in entries.indices {
        let store = try PassedStore(entries[index].name, at: position, in: timeline)
        entries[index].set(store.content)
        entries[index].isUnwritten = store.isUnwritten
      }
    case nil: break
    }
    for index in entries.indices where keepsBefore {
      entries[index].keepBefore()
    }
  }

  private func take(
    _ kind: WriteKind?, _ write: Int, _ shape: StepShape, in index: Int
  ) throws(LogError) {
    guard let effect = rules.effect(of: kind) else { return }
    note(index)
    entries[index].isUnwritten = effect == .unwritten
    switch effect {
    case .unwritten: break
    case .absent: entries[index].set(.absent)
    case .hidden: entries[index].set(.hidden)
    case .whole:
      let state = try pass.value(ofWrite: write, in: shape)
      entries[index].set(state.map { .present($0) } ?? .hidden)
    case .patch:
      if entries[index].isPresent, try replaces(shape.writes[write].store, in: index) { return }
      guard let patch = try pass.value(ofWrite: write, in: shape) else {
        return entries[index].set(.hidden)
      }
      entries[index].apply(patch)
      entries[index].slots.forget()
    }
  }

  /// Takes a patch that replaces one value, without parsing it; returns `false` if it is no such patch.
  private func replaces(_ store: String, in index: Int) throws(LogError) -> Bool {
    try unsafe pass.withReplacement(of: store) { path, value in
      if unsafe entries[index].slots.replace(path, value) { return true }
      guard unsafe JSON(ifValid: [UInt8](value)) != nil, unsafe entries[index].has(JSONBytes(path))
      else { return false }
      return unsafe entries[index].slots.begin([UInt8](path), value)
    }
  }

  private func note(_ index: Int) {
    guard !entries[index].isWritten else { return }
    entries[index].isWritten = true
    written.append(index)
  }

  // MARK: Reading

  /// The current step as a document for queries, with the members of ``Timeline/document(at:)``.
  ///
  /// The document stays valid while the pass advances: it reads the current step whenever a query reads it.
  package func document() -> QueryDocument {
    let pass = pass
    let error = { [self] (store: String) in unknown([store]) }
    let after = QueryDocument(states: names, { [self] in state($0) }, unknown: error)
    let before = QueryDocument(states: names, { [self] in self.before($0) }, unknown: error)
    return QueryDocument(
      number: { [self] in step?.number ?? max(pass.log.header.first, 1) - 1 },
      isStep: { [self] in step != nil }, step: { try pass.step() },
      changed: { [self] in try changed() }, changes: { [self] in try changes($0) },
      after: { after }, before: { before })
  }

  /// Returns the state of a store after the current step.
  package func state(_ index: Int) -> StoreState { entries[index].state() }

  /// Returns whether a store is there after the current step; `nil` if that is unknown.
  package func isPresent(_ index: Int) -> Bool? {
    if entries[index].isUnwritten { return true }
    return switch entries[index].content {
    case .present, .patched: true
    case .absent: false
    case .hidden: nil
    }
  }

  /// Returns the state of a store before the current step; only known if the model keeps it.
  package func before(_ index: Int) -> StoreState {
    isBeforeHidden ? .unknown : entries[index].before
  }

  /// Returns `true` if a store may have been absent before the current step; only known if the model keeps its state.
  package func mayHaveBeenAbsent(_ index: Int) -> Bool {
    switch before(index) {
    case .present: false
    case .absent: true
    case .unknown: isBeforeHidden || !entries[index].wasUnwritten
    }
  }

  /// Adds a value of the document, which is kept current: one of a store that the model follows, or the action's type.
  private func add(_ place: SinglePlace) -> Source {
    let tokens = place.pointer.tokens
    guard tokens.count > 1, tokens[0] != "action", let store = index(of: tokens[1]) else {
      return .type
    }
    let slot = entries[store].slots.add(place.inState)
    guard tokens[0] == "before" else { return .after(store: store, slot: slot) }
    earlier.append((store, slot, entries[store].value(inSlot: slot)))
    return .before(earlier.count - 1)
  }

  /// Returns a way to read the values at some places at the current step.
  ///
  /// They are kept current, so a state is only put together for what is not one of them.
  package func reader(of places: [SinglePlace]) -> QueryDocument.Reader {
    let known = places.map { (place: $0, source: add($0)) }
    return { [self] place in
      // There are a few, and a dictionary would hash all bytes of the pointer.
      guard let found = known.first(where: { $0.place == place }) else {
        preconditionFailure("a value was read that is none of the expression")
      }
      return try value(of: found.source)
    }
  }

  /// Returns a value at the current step.
  ///
  /// - Throws: ``LogError`` if the value is unknown.
  private func value(of source: Source) throws(LogError) -> QueryValue {
    switch source {
    case .type: return step.map { .json(type($0.type)) } ?? .absent
    case .after(let store, let slot):
      guard let value = entries[store].value(inSlot: slot) else { throw unknown([names[store]]) }
      return value
    case .before(let index):
      guard let value = earlier[index].value else { throw unknown([names[earlier[index].store]]) }
      return value
    }
  }

  private func type(_ number: Int) -> JSON {
    if number < types.count, let known = types[number] { return known }
    let type = JSON(stringLiteral: pass.typeName(number))
    types += Array(repeating: nil, count: max(0, number + 1 - types.count))
    types[number] = type
    return type
  }

  /// Returns the stores that the current step changed.
  ///
  /// - Throws: ``LogError`` if that is unknown.
  func changed() throws(LogError) -> [String] {
    let changes = entries.indices.map { (store: entries[$0].name, isChanged: isChanged($0)) }
    let hidden = changes.filter { $0.isChanged == nil }
    guard hidden.isEmpty else { throw unknown(hidden.map(\.store)) }
    guard rules.replacesModel else { return last?.writes.map(\.store) ?? [] }
    return changes.filter { $0.isChanged == true }.map(\.store)
  }

  /// Returns `true` if the current step changed a store.
  ///
  /// - Throws: ``LogError`` if that is unknown.
  func changes(_ store: String) throws(LogError) -> Bool {
    guard let index = index(of: store) else { return false }
    guard let isChanged = isChanged(index) else { throw unknown([store]) }
    return isChanged
  }

  private func isChanged(_ index: Int) -> Bool? {
    rules.isChanged(
      last?.kind(of: entries[index].name), from: { before(index) },
      to: { entries[index].written() })
  }

  private func unknown(_ stores: [String]) -> LogError {
    LogError(path: pass.log.path, reason: .unknownStates(stores, step: 0))
  }
}
