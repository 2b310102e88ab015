import FluxJSON

/// The states of some stores along a ``StepPass``.
///
/// Each step costs what it wrote. A state is only put together when somebody reads it.
package final class PassedModel {
  /// The writes of a shape to the stores of the model.
  private struct Writes {
    var entries: [(entry: Int, write: Int, kind: WriteKind)] = []
  }

  let pass: StepPass
  /// The current step; `nil` at the start of the log.
  private(set) var step: StepPass.Step?
  /// The types of actions as values, by their numbers.
  private var types: [JSON?] = []
  /// The places whose values before the current step are kept.
  private var earlier: [(store: Int, slot: Int, value: QueryValue?)] = []
  private var entries: [PassedStore] = []
  private let keepsBefore: Bool
  private let readsAllStores: Bool
  private var writes: [Writes?] = []
  private var shapes: [StepShape?] = []
  private var rebuilt: Timeline?
  /// The next accepted step replaces the whole model.
  private var awaitsWholeModel = false
  private var last: StepShape?
  /// The kind of the last break.
  private var lastBreak: LogBreak.Kind?
  /// The app went back to another model since the last accepted step.
  private var isRestored = false

  /// `true` if the states before the current step are not known, because steps are missing there.
  package private(set) var isBeforeHidden = false
  /// The indices of the stores that the current step wrote, or that a break before it changed.
  package private(set) var written: [Int] = []

  /// Makes the model at the start of a log.
  ///
  /// - Parameters:
  ///   - stores: The stores to follow; `nil` for all.
  ///   - keepsBefore: `true` to keep the states before each step as well.
  ///   - pass: The pass to follow.
  package init(_ stores: Set<String>?, keepsBefore: Bool, along pass: StepPass) {
    self.pass = pass
    self.keepsBefore = keepsBefore
    readsAllStores = stores == nil
    var names = pass.header.stores.map { BytewiseName($0.name) }
    if let stores { names = stores.map(BytewiseName.init) }
    for name in names.sorted() {
      let initial = pass.header.stores.first { $0.name.hasSameBytes(as: name.text) }?.initial
      entries.append(
        PassedStore(name: name.text, content: initial.map { .present($0) } ?? .absent))
    }
    written = Array(entries.indices)
  }

  /// Makes the model before a pass that begins in the middle of a log; `nil` if not all of its states are known there.
  ///
  /// - Parameters:
  ///   - stores: The stores to follow.
  ///   - keepsBefore: `true` to keep the states before each step as well.
  ///   - pass: The pass to follow.
  ///   - lastBreak: The kind of the last break before the pass.
  ///   - state: Returns the state of a store before the first step of the pass.
  /// - Throws: The errors of `state`.
  init?(
    _ stores: Set<String>, keepsBefore: Bool, along pass: StepPass, after lastBreak: LogBreak.Kind?,
    from state: (String) throws(LogError) -> StoreState
  ) throws(LogError) {
    self.pass = pass
    self.keepsBefore = keepsBefore
    self.lastBreak = lastBreak
    readsAllStores = false
    for name in stores.map(BytewiseName.init).sorted() {
      switch try state(name.text) {
      case .present(let json): entries.append(PassedStore(name: name.text, content: .present(json)))
      case .absent: entries.append(PassedStore(name: name.text, content: .absent))
      case .unknown: return nil
      }
    }
    written = Array(entries.indices)
  }

  var path: String { pass.path }

  /// The names of the stores.
  package var names: [String] { entries.map(\.name) }

  /// Returns the index of a store.
  package func index(of store: String) -> Int? {
    entries.firstIndex { $0.name.hasSameBytes(as: store) }
  }

  // MARK: Moving

  /// Moves from the previous step to this one.
  ///
  /// - Throws: ``LogError`` if the line of the step cannot be read.
  package func take(_ step: StepPass.Step) throws(LogError) {
    self.step = step
    if !written.isEmpty || isBeforeHidden || isRestored { settle() }
    let shape = self.shape(step.shape)
    last = shape
    if let interruption = step.interruption { try interrupt(interruption, before: step) }
    for place in earlier.indices {
      earlier[place].value = value(inSlot: earlier[place].slot, of: earlier[place].store)
    }
    guard !shape.isRejected else { return }
    if awaitsWholeModel {
      try takeWhole(shape)
    } else {
      for write in writes(of: step.shape, shape).entries {
        try take(write.kind, write.write, shape, in: write.entry)
      }
    }
  }

  /// Returns a shape, and keeps it.
  package func shape(_ number: Int) -> StepShape {
    if number < shapes.count, let known = shapes[number] { return known }
    let shape = pass.shape(number)
    shapes += Array(repeating: nil, count: max(0, number + 1 - shapes.count))
    shapes[number] = shape
    return shape
  }

  private func settle() {
    for index in written {
      entries[index].isWritten = false
      if keepsBefore { entries[index].before = entries[index].state() }
    }
    written.removeAll(keepingCapacity: true)
    if !awaitsWholeModel { (isBeforeHidden, isRestored) = (false, false) }
  }

  private func interrupt(_ kind: LogBreak.Kind, before step: StepPass.Step) throws(LogError) {
    lastBreak = kind
    awaitsWholeModel = kind.endsWithWholeModel
    isBeforeHidden = kind != .restored
    isRestored = kind == .restored
    for index in entries.indices {
      entries[index].isUnwritten = false
      entries[index].set(.hidden)
      note(index)
    }
    guard kind == .restored else { return }
    switch pass.restoredModel {
    case .states(let states)?:
      for index in entries.indices {
        entries[index].set(states[entries[index].name].map { .present($0) } ?? .absent)
      }
    case .step(let number)?: try rebuild(number)
    case nil: break
    }
    for index in entries.indices where keepsBefore {
      entries[index].before = entries[index].state()
    }
  }

  /// Takes the states from an earlier step, which is far behind the pass.
  private func rebuild(_ number: UInt64) throws(LogError) {
    let timeline = try wholeLog()
    let position = number == 0 ? Timeline.start : timeline.log.position(atOrBefore: number)
    for index in entries.indices {
      switch try timeline.storeState(entries[index].name, at: position ?? Timeline.start) {
      case .present(let json): entries[index].set(.present(json))
      case .absent: entries[index].set(.absent)
      case .unknown: entries[index].set(.hidden)
      }
    }
  }

  private func wholeLog() throws(LogError) -> Timeline {
    if let rebuilt { return rebuilt }
    let timeline = Timeline(try LogFile.open(pass.file, options: LogFile.Options()))
    try timeline.log.waitForIndex()
    rebuilt = timeline
    return timeline
  }

  /// Takes the first accepted step after a gap: stores that it does not list are absent.
  private func takeWhole(_ shape: StepShape) throws(LogError) {
    awaitsWholeModel = false
    addStores(of: shape)
    for index in entries.indices {
      note(index)
      let write = shape.writes.firstIndex { $0.store.hasSameBytes(as: entries[index].name) }
      guard let write else {
        entries[index].set(.absent)
        continue
      }
      let kind = shape.writes[write].kind
      if kind.isBase {
        try take(kind, write, shape, in: index)
      } else {
        entries[index].set(.hidden)
      }
    }
  }

  private func take(
    _ kind: WriteKind, _ write: Int, _ shape: StepShape, in index: Int
  ) throws(LogError) {
    note(index)
    switch kind {
    case .removal:
      entries[index].isUnwritten = false
      entries[index].set(.absent)
    case .unwritten: entries[index].isUnwritten = true
    case .whole:
      entries[index].isUnwritten = false
      let state = try pass.value(ofWrite: write, in: shape)
      entries[index].set(state.map { .present($0) } ?? .hidden)
    case .patch:
      entries[index].isUnwritten = false
      if entries[index].isPresent, replaces(shape.writes[write].store, in: index) { return }
      guard let patch = try pass.value(ofWrite: write, in: shape) else { return }
      entries[index].apply(patch)
      entries[index].slots.forget()
    }
  }

  /// Takes a patch that replaces one value, without parsing it; returns `false` if it is no such patch.
  private func replaces(_ store: String, in index: Int) -> Bool {
    unsafe pass.withReplacement(of: store) { path, value in
      if unsafe entries[index].slots.replace(path, value) { return true }
      let text = unsafe [UInt8](path)
      guard unsafe isJSON(value), let pointer = pointer(text),
        entries[index].writtenValue(pointer) != nil
      else { return false }
      return unsafe entries[index].slots.begin(text, value)
    }
  }

  private func pointer(_ text: [UInt8]) -> Pointer? {
    do throws(PointerError) {
      return try Pointer(String(decoding: text, as: UTF8.self))
    } catch {
      return nil
    }
  }

  private func isJSON(_ text: UnsafeRawBufferPointer) -> Bool {
    do throws(JSONError) {
      _ = try unsafe JSON.parse([UInt8](text))
      return true
    } catch {
      return false
    }
  }

  private func note(_ index: Int) {
    guard !entries[index].isWritten else { return }
    entries[index].isWritten = true
    written.append(index)
  }

  private func writes(of number: Int, _ shape: StepShape) -> Writes {
    if number < writes.count, let known = writes[number] { return known }
    addStores(of: shape)
    var found = Writes()
    for (place, write) in shape.writes.enumerated() {
      guard let entry = index(of: write.store) else { continue }
      found.entries.append((entry, place, write.kind))
    }
    writes += Array(repeating: nil, count: max(0, number + 1 - writes.count))
    writes[number] = found
    return found
  }

  private func addStores(of shape: StepShape) {
    if readsAllStores { addStores(shape.writes.map(\.store)) }
  }

  private func addStores(_ stores: [String]) {
    for store in stores where index(of: store) == nil {
      entries.append(PassedStore(name: store))
      writes.removeAll()
    }
  }

  // MARK: Reading

  /// Returns the state of a store after the current step.
  package func state(_ index: Int) -> StoreState { entries[index].state() }

  /// `true` if the store is absent after the current step.
  package func isAbsent(_ index: Int) -> Bool {
    guard case .absent = entries[index].content else { return false }
    return !entries[index].isUnwritten
  }

  /// `true` if the store may be absent after the current step.
  package func mayBeAbsent(_ index: Int) -> Bool {
    guard !entries[index].isUnwritten else { return false }
    return switch entries[index].content {
    case .absent, .hidden: true
    case .present, .patched: false
    }
  }

  /// Returns the state of a store before the current step; only known if the model keeps it.
  package func before(_ index: Int) -> StoreState {
    isBeforeHidden ? .unknown : entries[index].before
  }

  /// Returns the index of a store, which is added if the model follows all stores.
  package func add(_ store: String) -> Int? {
    if readsAllStores { addStores([store]) }
    return index(of: store)
  }

  /// Adds a place of the document whose value is kept current: one of a store that the model follows, or the action's type.
  func add(_ place: Pointer) -> PassedPlace {
    let tokens = place.tokens
    guard tokens.count > 1, tokens[0] != "action", let store = add(tokens[1]) else { return .type }
    let slot = entries[store].slots.add(Pointer(tokens: tokens.dropFirst(2)))
    guard tokens[0] == "before" else { return .after(store: store, slot: slot) }
    earlier.append((store, slot, value(inSlot: slot, of: store)))
    return .before(earlier.count - 1)
  }

  /// Returns the value at a place at the current step.
  ///
  /// - Throws: ``LogError`` if the value is unknown.
  func value(at place: PassedPlace) throws(LogError) -> QueryValue {
    switch place {
    case .type: return step.map { .json(type($0.type)) } ?? .absent
    case .after(let store, let slot):
      guard let value = value(inSlot: slot, of: store) else { throw unknown([names[store]]) }
      return value
    case .before(let place):
      guard let value = earlier[place].value else { throw unknown([names[earlier[place].store]]) }
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

  /// Returns the value in a slot of a store after the current step; `nil` if it is unknown.
  private func value(inSlot slot: Int, of index: Int) -> QueryValue? {
    if entries[index].isUnwritten { return nil }
    if let value = entries[index].slots.value(slot) { return value }
    if case .hidden = entries[index].content { return nil }
    let pointer = entries[index].slots.pointer(slot)
    let value = QueryValue(entries[index].value(pointer))
    entries[index].slots.set(slot, value)
    return value
  }

  /// Returns the stores that the current step changed.
  ///
  /// - Throws: ``LogError`` if that is unknown.
  func changed() throws(LogError) -> [String] {
    guard let shape = last, !shape.isRejected else { return [] }
    if isBeforeHidden, lastBreak == .gap { throw unknown(names) }
    let unrecorded = entries.indices.filter { isUnrecorded($0, shape) }.map { entries[$0].name }
    if !unrecorded.isEmpty { throw unknown(unrecorded) }
    guard isRestored else { return shape.writes.map(\.store) }
    return entries.indices.filter { before($0) != entries[$0].state() }.map { entries[$0].name }
  }

  /// Returns `true` if the current step changed a store.
  ///
  /// - Throws: ``LogError`` if that is unknown.
  func changes(_ store: String) throws(LogError) -> Bool {
    guard let shape = last, !shape.isRejected, let index = index(of: store) else { return false }
    if isBeforeHidden, lastBreak == .gap { throw unknown([store]) }
    if isUnrecorded(index, shape) { throw unknown([store]) }
    guard isRestored else { return shape.kind(of: entries[index].name) != nil }
    return before(index) != entries[index].state()
  }

  /// `true` if the current step may have changed a store that its line does not list.
  private func isUnrecorded(_ index: Int, _ shape: StepShape) -> Bool {
    guard lastBreak == .imported, case .hidden = entries[index].content else { return false }
    return shape.kind(of: entries[index].name) == nil
  }

  func unknown(_ stores: [String]) -> LogError {
    LogError(path: path, reason: .unknownStates(stores, step: 0))
  }
}
