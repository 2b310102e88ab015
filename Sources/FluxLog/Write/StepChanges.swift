import FluxJSON

/// The changes of one step in the form in which they are written.
struct StepChanges {
  var whole: [(name: String, state: JSON)] = []
  var patches: [(name: String, patch: PatchText)] = []
  var removed: [String] = []
  var unwritten: [String] = []
}

/// A patch as it is written in a log: an array of operations.
struct PatchText {
  let bytes: [UInt8]

  /// The patch that changes nothing.
  static let empty = PatchText(bytes: Array("[]".utf8))

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  init(_ patch: Patch) {
    var writer = JSONWriter()
    patch.write(into: &writer)
    bytes = writer.bytes
  }

  var isEmpty: Bool { bytes.count <= 2 }
}

extension StepChanges {
  /// Applies changes to a ledger, which decides how each is written.
  ///
  /// Encodes all states first, so a step is written completely or not at all.
  init(
    _ recorded: [StepRecord.Change], in ledger: inout StateLedger
  ) throws(EncodingFailure) {
    if recorded.count == 1 {
      // Most steps, which need no list.
      add(recorded[0].store, try ledger.encode(recorded[0]), to: &ledger)
      return
    }
    let states = try recorded.map { change throws(EncodingFailure) in try ledger.encode(change) }
    for (change, state) in zip(recorded, states) { add(change.store, state, to: &ledger) }
  }

  private mutating func add(
    _ store: String, _ state: consuming RevisedState?, to ledger: inout StateLedger
  ) {
    guard let state else {
      if ledger.remove(store) { removed.append(store) }
      return
    }
    switch ledger.change(store, to: state) {
    case .whole(let state): whole.append((store, state))
    case .patch(let patch): patches.append((store, patch))
    case nil: break
    }
  }

  /// Appends the members `states`, `patches` and `removed` unless they are empty.
  func write(to line: inout LineBuffer) {
    // By index: iterating over the tuples would copy them and their references.
    if !whole.isEmpty {
      line.object("states") { object in
        for place in whole.indices {
          object.member(named: whole[place].name, whole[place].state)
        }
      }
    }
    if !patches.isEmpty {
      line.object("patches") { object in
        for place in patches.indices {
          object.member(named: patches[place].name, text: patches[place].patch.bytes)
        }
      }
    }
    if !removed.isEmpty { line.member("removed", removed) }
    if !unwritten.isEmpty { line.member("unwritten", unwritten) }
  }
}
