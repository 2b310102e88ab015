import FluxJSON

/// The last state of every store in a log, which decides how the next change is written.
///
/// See docs/log-format.md, "Whole states": a state is written whole if it is the first in this file,
/// if a patch would not be smaller, or if the patches since the last whole state would add up to
/// more bytes than that state.
struct StateLedger {
  /// The form in which a change is written.
  enum Entry {
    case whole(JSON)
    case patch(PatchText)
  }

  private struct Store {
    let name: String
    /// The last state in the log.
    var written: JSON?
    var wholeByteCount = 0
    var patchByteCount = 0
    /// A newer state, of a step that is not in the log.
    var skipped: LogValue?
    /// `true` if a step in the log leaves out a newer state.
    var isBehind = false
    /// `true` if lines before hide the state, which is then present or absent.
    var isHidden = false
    /// Parts of the last encoding that the next one reuses; `nil` if nothing is remembered.
    ///
    /// It lasts as long as the recording, because forgotten types stay forgotten.
    var memory: StateMemory?
    /// The state that was encoded last, if it is large; `memory` shares its arrays.
    var source: (any LogValue.Snapshot)?

    mutating func write(whole state: JSON) {
      written = state
      skipped = nil
      isBehind = false
      isHidden = false
      wholeByteCount = state.byteCount
      patchByteCount = 0
    }

    mutating func clear() {
      memory?.removeAll()
      self = Store(name: name, memory: memory)
    }
  }

  /// The size of the largest last state, or of a larger one since ``findLargest()``.
  private(set) var largestByteCount = 0

  /// Large states that the ledger is done with, for the thread that should release them.
  private var spent: [WriteQueue.Spent] = []
  /// In the order of the header, then of their first states.
  private var stores: [Store] = []
  private var places: [String: Int] = [:]
  private let writesWholeStates: Bool
  private let makeMemory: MakeMemory?

  /// Creates the memory of a store with this name.
  typealias MakeMemory = @Sendable (_ store: String) -> StateMemory

  /// Creates a ledger with the stores of a header.
  ///
  /// - Parameters:
  ///   - stores: The stores.
  ///   - writesWholeStates: `true` to write no patches.
  ///   - makeMemory: Creates the memory of a store; `nil` to remember nothing.
  init(
    _ stores: [LogHeader.Store], writesWholeStates: Bool, makeMemory: MakeMemory? = nil
  ) {
    self.writesWholeStates = writesWholeStates
    self.makeMemory = makeMemory
    begin(stores)
  }

  private mutating func begin(_ declared: [LogHeader.Store]) {
    for store in declared {
      let place = add(store.name)
      if let initial = store.initial { _ = writeWhole(place, initial) }
    }
  }

  /// Begins another file with the stores of its header.
  mutating func beginFile(_ declared: [LogHeader.Store]) {
    let memories = stores.map { (name: $0.name, memory: $0.memory) }
    (stores, places, largestByteCount) = ([], [:], 0)
    begin(declared)
    for (name, memory) in memories {
      if let place = place(of: name) { stores[place].memory = memory }
    }
  }

  /// Measures the largest state, which may have become smaller.
  mutating func findLargest() {
    largestByteCount = stores.reduce(0) { max($0, $1.written?.byteCount ?? 0) }
  }

  private mutating func add(_ name: String) -> Int {
    stores.append(Store(name: name, memory: makeMemory?(name)))
    places[name] = stores.count - 1
    return stores.count - 1
  }

  private func place(of name: String) -> Int? {
    // Comparing a few short names takes a fraction of the time of hashing one.
    guard stores.count <= 8 else { return places[name] }
    // By index: passing a store to a closure would copy it and its references.
    return stores.indices.first { stores[$0].name == name }
  }

  /// Encodes a store's new state for `change(_:to:)`; `nil` if the feature was removed.
  mutating func encode(_ change: StepRecord.Change) throws(EncodingFailure) -> RevisedState? {
    guard let state = change.state else { return nil }
    guard let place = place(of: change.store), let written = stores[place].written else {
      return RevisedState(try state.state(of: change.store))
    }
    let revised = try state.state(of: change.store, after: written, stores[place].memory)
    let isLarge = LogWriter.Options.isLarge(stateByteCount: revised.json.byteCount)
    if let source = stores[place].source { spent.append(source) }
    stores[place].source = isLarge ? state.snapshot : nil
    return revised
  }

  /// Returns the large states of earlier steps that no memory shares any more.
  ///
  /// They are the last references to thousands of objects, and releasing them takes as long as copying the state did.
  mutating func takeSpent() -> [WriteQueue.Spent] {
    defer { spent = [] }
    return spent
  }

  /// Records a store's new state; `nil` if it is equal to the last one.
  mutating func change(_ name: String, to state: consuming RevisedState) -> Entry? {
    let place = place(of: name) ?? add(name)
    guard let previous = stores[place].written else { return writeWhole(place, state.json) }
    if state.isCorrection { return writeWhole(place, state.json) }
    let isBehind = stores[place].isBehind
    if writesWholeStates {
      let isSame = !isBehind && previous.equalsWithZeroSigns(state.json)
      return isSame ? nil : writeWhole(place, state.json)
    }
    let patch = state.difference?.patch(from: previous) ?? PatchText(previous.patch(to: state.json))
    // An equal state is written as an empty patch after one that was left out.
    if patch.isEmpty, !isBehind { return nil }
    let byteCount = stores[place].patchByteCount + patch.bytes.count
    let isSmaller = patch.bytes.count < state.json.byteCount
    guard isSmaller, byteCount <= stores[place].wholeByteCount else {
      return writeWhole(place, state.json)
    }
    stores[place].written = state.json
    stores[place].isBehind = false
    stores[place].patchByteCount = byteCount
    largestByteCount = max(largestByteCount, state.json.byteCount)
    return .patch(patch)
  }

  private mutating func writeWhole(_ place: Int, _ state: JSON) -> Entry {
    stores[place].write(whole: state)
    largestByteCount = max(largestByteCount, state.byteCount)
    return .whole(state)
  }

  /// Removes a feature; `false` if it is absent already.
  mutating func remove(_ name: String) -> Bool {
    guard let place = place(of: name),
      stores[place].written != nil || stores[place].isBehind || stores[place].isHidden
    else { return false }
    stores[place].clear()
    return true
  }

  /// Records that a step in the log leaves out a store's new state.
  ///
  /// The next state is compared with the last written one.
  mutating func leaveOut(_ name: String) {
    let place = place(of: name) ?? add(name)
    stores[place].isBehind = true
  }

  /// Records a gap that hides the states of all stores.
  mutating func forgetAll() {
    for place in stores.indices {
      stores[place].clear()
      stores[place].isHidden = true
    }
  }

  /// `true` if the newest state of some store was left out, so the model is not known.
  var isBehind: Bool { stores.contains { $0.isBehind } }

  /// Records a change that is not written.
  mutating func skip(_ change: StepRecord.Change) {
    let place = place(of: change.store) ?? add(change.store)
    stores[place].clear()
    stores[place].skipped = change.state
  }

  /// Returns the newest states of all present stores, in order.
  func present() throws(EncodingFailure) -> [(name: String, state: JSON)] {
    var states: [(name: String, state: JSON)] = []
    for store in stores {
      if let state = store.written {
        states.append((store.name, state))
      } else if let state = store.skipped {
        states.append((store.name, try state.state(of: store.name)))
      }
    }
    return states
  }

  /// Records a step that is written with these states; no other store is present.
  mutating func replaceAll(with states: [(name: String, state: JSON)]) {
    for place in stores.indices { stores[place].clear() }
    for (name, state) in states {
      _ = writeWhole(place(of: name) ?? add(name), state)
    }
  }

  /// Returns the stores for the header of a file that begins here.
  func declarations(_ header: LogHeader) throws(EncodingFailure) -> [LogHeader.Store] {
    let states = try present()
    return stores.map(\.name).map { name in
      var store = header.stores.first { $0.name == name } ?? LogHeader.Store(name: name)
      store.initial = states.first { $0.name == name }?.state
      return store
    }
  }
}
