/// What a log says of every store so far, and so how the next change is written.
///
/// LOG-FORMAT, "Step": a store is written whole when it has no previous state in this file, when
/// the patch would not be smaller, or when the patches since its last whole state add up to more
/// bytes than that state.
struct StateLedger {
  /// How a change is written.
  enum Entry {
    case whole(JSON)
    case patch(Patch)
  }

  private struct Store {
    /// The state that the log leads to.
    var written: JSON?
    var wholeByteCount = 0
    var patchByteCount = 0
    /// A newer state, of a step that is not in the log; nil where there is none.
    var unwritten: LogValue?
    /// What encoding the next state can make use of.
    let memory = StateMemory()

    var isPresent: Bool { written != nil || unwritten != nil }

    mutating func write(whole state: JSON) {
      written = state
      unwritten = nil
      wholeByteCount = state.byteCount
      patchByteCount = 0
    }
  }

  private var stores: [String: Store] = [:]
  /// In the order of the header, then of their first state.
  private var names: [String] = []
  private let writesWholeStates: Bool

  init(_ stores: [LogHeader.Store], writesWholeStates: Bool) {
    self.writesWholeStates = writesWholeStates
    for store in stores {
      names.append(store.name)
      self.stores[store.name] = Store()
      guard let initial = store.initial else { continue }
      self.stores[store.name]?.write(whole: initial)
    }
  }

  /// Encodes a store's new state, which `change` may take in later.
  func encode(_ state: LogValue, of name: String) throws(EncodingFailure) -> JSON {
    let store = stores[name]
    return try state.state(of: name, after: store?.written, store?.memory)
  }

  /// Takes in a store's new state; nil where it is the one that the log leads to already.
  mutating func change(_ name: String, to state: JSON) -> Entry? {
    guard var store = stores[name], let previous = store.written else {
      writeWhole(name, state)
      return .whole(state)
    }
    if writesWholeStates {
      guard previous != state else { return nil }
      writeWhole(name, state)
      return .whole(state)
    }
    let patch = previous.patch(to: state)
    guard !patch.isEmpty else { return nil }
    let byteCount = patch.byteCount
    guard byteCount < state.byteCount, store.patchByteCount + byteCount <= store.wholeByteCount
    else {
      writeWhole(name, state)
      return .whole(state)
    }
    store.written = state
    store.patchByteCount += byteCount
    stores[name] = store
    return .patch(patch)
  }

  /// Takes in that a feature is gone; false where the log has it as absent already.
  mutating func remove(_ name: String) -> Bool {
    guard let store = stores[name], store.written != nil else { return false }
    stores[name] = Store()
    return true
  }

  /// Takes in a change that is not written: the log does not lead to it.
  mutating func skip(_ change: StepRecord.Change) {
    if stores[change.store] == nil { names.append(change.store) }
    var store = Store()
    store.unwritten = change.state
    stores[change.store] = store
  }

  /// The newest states of all stores that are present, in order.
  func present() throws(EncodingFailure) -> [(name: String, state: JSON)] {
    var states: [(name: String, state: JSON)] = []
    for name in names {
      guard let store = stores[name], store.isPresent else { continue }
      if let state = store.written {
        states.append((name, state))
      } else if let state = store.unwritten {
        states.append((name, try state.state(of: name)))
      }
    }
    return states
  }

  /// Takes in that a step is written with these states, and that no other store is present.
  mutating func replaceAll(with states: [(name: String, state: JSON)]) {
    for name in names { stores[name] = Store() }
    for (name, state) in states { writeWhole(name, state) }
  }

  /// The stores as a header declares them that begins a file here.
  func declarations(_ header: LogHeader) throws(EncodingFailure) -> [LogHeader.Store] {
    let states = try present()
    return names.map { name in
      var store = header.stores.first { $0.name == name } ?? LogHeader.Store(name: name)
      store.initial = states.first { $0.name == name }?.state
      return store
    }
  }

  private mutating func writeWhole(_ name: String, _ state: JSON) {
    if stores[name] == nil { names.append(name) }
    stores[name, default: Store()].write(whole: state)
  }
}
