import FluxJSON

/// What a log says of every store so far, and so how the next change is written.
///
/// docs/log-format.md, "Whole states": a store is written whole when it has no previous state in this file, when
/// the patch would not be smaller, or when the patches since its last whole state add up to more
/// bytes than that state.
struct StateLedger {
  /// How a change is written.
  enum Entry {
    case whole(JSON)
    case patch(PatchText)
  }

  private struct Store {
    let name: String
    /// The state that the log leads to.
    var written: JSON?
    var wholeByteCount = 0
    var patchByteCount = 0
    /// A newer state, of a step that is not in the log; nil where there is none.
    var unwritten: LogValue?
    /// What encoding the next state can make use of.
    var memory = StateMemory()

    mutating func write(whole state: JSON) {
      written = state
      unwritten = nil
      wholeByteCount = state.byteCount
      patchByteCount = 0
    }

    /// Forgets all that is known of the store.
    mutating func clear() { self = Store(name: name) }
  }

  /// The bytes of the largest state that the log leads to, or of one that was since it was last looked for.
  private(set) var largestByteCount = 0

  /// In the order of the header, then of their first state.
  private var stores: [Store] = []
  private var places: [String: Int] = [:]
  private let writesWholeStates: Bool

  init(_ stores: [LogHeader.Store], writesWholeStates: Bool) {
    self.writesWholeStates = writesWholeStates
    for store in stores {
      let place = add(store.name)
      if let initial = store.initial { _ = writeWhole(place, initial) }
    }
  }

  /// Looks for the largest state, as that may have become smaller.
  mutating func findLargest() {
    largestByteCount = stores.reduce(0) { max($0, $1.written?.byteCount ?? 0) }
  }

  private mutating func add(_ name: String) -> Int {
    stores.append(Store(name: name))
    places[name] = stores.count - 1
    return stores.count - 1
  }

  private func place(of name: String) -> Int? {
    // To compare a few short names takes a fraction of the time that it takes to hash one.
    guard stores.count <= 8 else { return places[name] }
    // By their places: a store that is handed to a closure is copied, with all that it refers to.
    return stores.indices.first { stores[$0].name == name }
  }

  /// Encodes a store's new state, which `change` may take in later; nil where the store is gone.
  func encode(_ change: StepRecord.Change) throws(EncodingFailure) -> RevisedState? {
    guard let state = change.state else { return nil }
    guard let place = place(of: change.store), let written = stores[place].written else {
      return RevisedState(try state.state(of: change.store))
    }
    return try state.state(of: change.store, after: written, stores[place].memory)
  }

  /// Takes in a store's new state; nil where it is the one that the log leads to already.
  mutating func change(_ name: String, to state: consuming RevisedState) -> Entry? {
    let place = place(of: name) ?? add(name)
    guard let previous = stores[place].written else { return writeWhole(place, state.json) }
    if writesWholeStates {
      return previous == state.json ? nil : writeWhole(place, state.json)
    }
    let patch = state.patch(from: previous)
    guard !patch.isEmpty else { return nil }
    let byteCount = stores[place].patchByteCount + patch.bytes.count
    let isSmaller = patch.bytes.count < state.json.byteCount
    guard isSmaller, byteCount <= stores[place].wholeByteCount else {
      return writeWhole(place, state.json)
    }
    stores[place].written = state.json
    stores[place].patchByteCount = byteCount
    largestByteCount = max(largestByteCount, state.json.byteCount)
    return .patch(patch)
  }

  private mutating func writeWhole(_ place: Int, _ state: JSON) -> Entry {
    stores[place].write(whole: state)
    largestByteCount = max(largestByteCount, state.byteCount)
    return .whole(state)
  }

  /// Takes in that a feature is gone; false where the log has it as absent already.
  mutating func remove(_ name: String) -> Bool {
    guard let place = place(of: name), stores[place].written != nil else { return false }
    stores[place].clear()
    return true
  }

  /// Takes in a change that is not written: the log does not lead to it.
  mutating func skip(_ change: StepRecord.Change) {
    let place = place(of: change.store) ?? add(change.store)
    stores[place].clear()
    stores[place].unwritten = change.state
  }

  /// The newest states of all stores that are present, in order.
  func present() throws(EncodingFailure) -> [(name: String, state: JSON)] {
    var states: [(name: String, state: JSON)] = []
    for store in stores {
      if let state = store.written {
        states.append((store.name, state))
      } else if let state = store.unwritten {
        states.append((store.name, try state.state(of: store.name)))
      }
    }
    return states
  }

  /// Takes in that a step is written with these states, and that no other store is present.
  mutating func replaceAll(with states: [(name: String, state: JSON)]) {
    for place in stores.indices { stores[place].clear() }
    for (name, state) in states {
      _ = writeWhole(place(of: name) ?? add(name), state)
    }
  }

  /// The stores as a header declares them that begins a file here.
  func declarations(_ header: LogHeader) throws(EncodingFailure) -> [LogHeader.Store] {
    let states = try present()
    return stores.map(\.name).map { name in
      var store = header.stores.first { $0.name == name } ?? LogHeader.Store(name: name)
      store.initial = states.first { $0.name == name }?.state
      return store
    }
  }
}

extension RevisedState {
  /// What turns the state that the log leads to into this one.
  fileprivate func patch(from previous: JSON) -> PatchText {
    difference?.patch(from: previous) ?? PatchText(previous.patch(to: json))
  }
}
