import FluxJSON

/// The last state of every store in a log: encodes a step's new states, compares them with the last ones, and chooses
/// the form in which each is written.
///
/// See docs/log-format.md, "Whole states": a state is written whole if it is the first in this file,
/// if a patch would not be smaller, or if the patches since the last whole state would add up to
/// more bytes than that state.
struct StateLedger {
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

    mutating func write(whole state: JSON?) {
      written = state
      skipped = nil
      isBehind = false
      isHidden = false
      wholeByteCount = state?.byteCount ?? 0
      patchByteCount = 0
    }

    // `self = Store(name: name, memory: memory)` crashes if Swift 6.3 optimizes it: the memory is released once too often.
    mutating func clear() {
      memory?.removeAll()
      write(whole: nil)
      source = nil
    }
  }

  /// The size of the largest last state, or of a larger one since ``findLargest()``.
  private(set) var largestByteCount = 0

  /// Large states that the ledger is done with, for the thread that should release them.
  private var spent: [WriteQueue.Spent] = []
  /// In the order of the header, then of their first states.
  private var stores: [Store] = []
  private var indices: [BytewiseName: Int] = [:]
  private let writesWholeStates: Bool
  private let makeMemory: MakeMemory?

  /// Creates the memory of a store with this name.
  typealias MakeMemory = @Sendable (_ store: String) -> StateMemory

  /// Creates a ledger with the stores of a header; without `makeMemory`, it remembers nothing.
  init(
    _ stores: [LogHeader.Store], writesWholeStates: Bool, makeMemory: MakeMemory? = nil
  ) {
    self.writesWholeStates = writesWholeStates
    self.makeMemory = makeMemory
    begin(stores)
  }

  private mutating func begin(_ declared: [LogHeader.Store]) {
    for store in declared {
      let index = add(store.name)
      if let initial = store.initial { write(index, whole: initial) }
    }
  }

  /// Begins another file with the stores of its header.
  mutating func beginFile(_ declared: [LogHeader.Store]) {
    let memories = stores.map { (name: $0.name, memory: $0.memory) }
    (stores, indices, largestByteCount) = ([], [:], 0)
    begin(declared)
    for (name, memory) in memories {
      if let index = index(of: name) { stores[index].memory = memory }
    }
  }

  /// Measures the largest state, which may have become smaller.
  mutating func findLargest() {
    largestByteCount = stores.reduce(0) { max($0, $1.written?.byteCount ?? 0) }
  }

  private mutating func add(_ name: String) -> Int {
    stores.append(Store(name: name, memory: makeMemory?(name)))
    indices[BytewiseName(name)] = stores.count - 1
    return stores.count - 1
  }

  private func index(of name: String) -> Int? {
    // Comparing a few short names takes a fraction of the time of hashing one.
    guard stores.count <= 8 else { return indices[BytewiseName(name)] }
    // By index: passing a store to a closure would copy it and its references.
    return stores.indices.first { stores[$0].name.hasSameBytes(as: name) }
  }

  // MARK: A step's changes

  /// A store's new state as it is encoded.
  private struct Encoded {
    let json: JSON
    /// The state as a revision of the last one in the log; `nil` if it was parsed whole.
    var revision: JSONRevision?
    /// `true` if the last state may be wrong in the log, so this one is written whole.
    var isCorrection = false
  }

  /// Records the changes of a step, and returns them in the form in which they are written.
  ///
  /// Encodes all states first, so a step is written completely or not at all.
  mutating func write(
    _ recorded: [StepRecord.Change]
  ) throws(EncodingFailure) -> StepChanges {
    var changes = StepChanges()
    if recorded.count == 1 {
      // Most steps, which need no list.
      write(recorded[0].store, try encode(recorded[0]), to: &changes)
    } else {
      let states = try recorded.map { change throws(EncodingFailure) in try encode(change) }
      for (change, state) in zip(recorded, states) { write(change.store, state, to: &changes) }
    }
    return changes
  }

  /// Encodes a store's new state; `nil` if the feature was removed.
  private mutating func encode(_ change: StepRecord.Change) throws(EncodingFailure) -> Encoded? {
    guard let state = change.state else { return nil }
    guard let index = index(of: change.store), let written = stores[index].written else {
      return Encoded(json: try state.state(of: change.store))
    }
    let text = try state.stateText(of: change.store, remembering: stores[index].memory)
    if let source = stores[index].source { spent.append(source) }
    let isLarge = LogWriter.Options.isLarge(stateByteCount: text.count)
    stores[index].source = isLarge ? state.snapshot : nil
    // Only snapshots use the memory.
    let isCorrection = state.snapshot != nil && stores[index].memory?.hasMismatch == true
    if !isCorrection,
      let revision = JSONRevision(text, after: written, maximumDepth: JSON.maximumDepthInLine)
    {
      return Encoded(json: revision.json, revision: revision)
    }
    let json = try EncodingFailure.wrapping(change.store) { try JSON.parse(text) }
    guard json.fitsIntoLine else { throw EncodingFailure.tooDeep(change.store) }
    return Encoded(json: json, isCorrection: isCorrection)
  }

  /// Returns the large states of earlier steps that no memory shares any more.
  ///
  /// They are the last references to thousands of objects, and releasing them takes as long as copying the state did.
  mutating func takeSpent() -> [WriteQueue.Spent] {
    defer { spent = [] }
    return spent
  }

  /// Adds a store's new state, unless it is equal to the last one, or the removal of the feature.
  private mutating func write(
    _ name: String, _ state: consuming Encoded?, to changes: inout StepChanges
  ) {
    guard let state else {
      if remove(name) { changes.removed.append(name) }
      return
    }
    let index = index(of: name) ?? add(name)
    guard let previous = stores[index].written, !state.isCorrection else {
      return writeWhole(index, state.json, to: &changes)
    }
    let isBehind = stores[index].isBehind
    if writesWholeStates {
      let isSame = !isBehind && previous.equalsWithZeroSigns(state.json)
      return isSame ? () : writeWhole(index, state.json, to: &changes)
    }
    let patch = state.revision?.patchText(from: previous) ?? previous.patch(to: state.json).text
    // An equal state is written as an empty patch after one that was left out.
    if patch.count == "[]".utf8.count, !isBehind { return }
    let byteCount = stores[index].patchByteCount + patch.count
    let isSmaller = patch.count < state.json.byteCount
    guard isSmaller, byteCount <= stores[index].wholeByteCount else {
      return writeWhole(index, state.json, to: &changes)
    }
    stores[index].written = state.json
    stores[index].isBehind = false
    stores[index].patchByteCount = byteCount
    largestByteCount = max(largestByteCount, state.json.byteCount)
    changes.patches.append((name, patch))
  }

  private mutating func writeWhole(_ index: Int, _ state: JSON, to changes: inout StepChanges) {
    write(index, whole: state)
    changes.whole.append((stores[index].name, state))
  }

  private mutating func write(_ index: Int, whole state: JSON) {
    stores[index].write(whole: state)
    largestByteCount = max(largestByteCount, state.byteCount)
  }

  /// Removes a feature; `false` if it is absent already.
  private mutating func remove(_ name: String) -> Bool {
    guard let index = index(of: name),
      stores[index].written != nil || stores[index].isBehind || stores[index].isHidden
    else { return false }
    stores[index].clear()
    return true
  }

  /// Records that a step in the log leaves out a store's new state.
  ///
  /// The next state is compared with the last written one.
  mutating func leaveOut(_ name: String) {
    let index = index(of: name) ?? add(name)
    stores[index].isBehind = true
  }

  /// Records a gap that hides the states of all stores.
  mutating func forgetAll() {
    for index in stores.indices {
      stores[index].clear()
      stores[index].isHidden = true
    }
  }

  /// `true` if the newest state of some store was left out, so the model is not known.
  var isBehind: Bool { stores.contains { $0.isBehind } }

  /// Records a change that is not written.
  mutating func skip(_ change: StepRecord.Change) {
    let index = index(of: change.store) ?? add(change.store)
    stores[index].clear()
    stores[index].skipped = change.state
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
    for index in stores.indices { stores[index].clear() }
    for (name, state) in states { write(index(of: name) ?? add(name), whole: state) }
  }

  /// Returns the stores for the header of a file that begins here.
  func declarations(_ header: LogHeader) throws(EncodingFailure) -> [LogHeader.Store] {
    let states = try present()
    return stores.map(\.name).map { name in
      var store =
        header.stores.first { $0.name.hasSameBytes(as: name) } ?? LogHeader.Store(name: name)
      store.initial = states.first { $0.name.hasSameBytes(as: name) }?.state
      return store
    }
  }
}

/// The changes of one step in the form in which they are written.
struct StepChanges {
  var whole: [(name: String, state: JSON)] = []
  /// The text of each patch is an array of operations.
  var patches: [(name: String, patch: [UInt8])] = []
  var removed: [String] = []
  var unwritten: [String] = []

  /// Appends one of ``StepMember/changes``, unless it is empty.
  func write(_ member: StepMember, to line: inout LineBuffer) {
    // By index: iterating over the tuples would copy them and their references.
    switch member {
    case .states where !whole.isEmpty:
      line.object(member.name) { object in
        for index in whole.indices {
          object.member(named: whole[index].name, whole[index].state)
        }
      }
    case .patches where !patches.isEmpty:
      line.object(member.name) { object in
        for index in patches.indices {
          object.member(named: patches[index].name, text: patches[index].patch)
        }
      }
    case .removed: line.member(member.name, unlessEmpty: removed)
    case .unwritten: line.member(member.name, unlessEmpty: unwritten)
    default: break
    }
  }
}
