import FluxJSON
import FluxLog

/// The last state of each store of an imported log, to tell what a step changed.
struct StateTracker {
  /// The name of the only store of a session that is not divided.
  static let rootName = "state"
  /// The member of `flux` in an export whose root state is that of the store of this name.
  static let rootMember = "root"

  private struct Store {
    let name: String
    /// The text of the state as it is in the file; nil if the store is absent or not known.
    var text: [UInt8]?
    /// `true` if no line of the log tells the state, which is then written in any case.
    var isUnknown = false
  }

  private let usesSlices: Bool
  private var stores: [Store] = []
  private var places: [BytewiseName: Int] = [:]
  /// `true` after a gap whose next accepted step has the whole model.
  private var needsWholeModel = false
  /// `true` after a gap that hides all stores, also those that no line has named yet.
  private var hidesOthers = false

  /// With slices, each member of the root state is a store.
  init(usesSlices: Bool) {
    self.usesSlices = usesSlices
  }

  /// Divides a root state into stores; nil if it is no object, which slices need.
  ///
  /// An undefined root state has no stores.
  func stores(of root: JSON?) -> [(name: String, state: JSON)]? {
    guard let root else { return [] }
    guard usesSlices else { return [(Self.rootName, root)] }
    return root.kind == .object ? root.members.map { ($0.name, $0.value) } : nil
  }

  private mutating func place(of name: String) -> Int {
    if let place = places[BytewiseName(name)] { return place }
    places[BytewiseName(name)] = stores.count
    stores.append(Store(name: name, isUnknown: hidesOthers))
    return stores.count - 1
  }

  /// Takes note of a store that a gap may hide, although it has no state yet.
  mutating func declare(_ name: String) { _ = place(of: name) }

  /// Takes the states before the first step.
  mutating func begin(_ states: [(name: String, state: JSON)]) {
    for (name, state) in states { stores[place(of: name)].text = state.rawText }
  }

  /// Takes note of a gap that hides all states.
  mutating func forgetAll() {
    for place in stores.indices {
      stores[place].text = nil
      stores[place].isUnknown = true
    }
    (needsWholeModel, hidesOthers) = (false, true)
  }

  /// Takes note of a gap after which the next accepted step has the whole model.
  mutating func expectWholeModel() { needsWholeModel = true }

  /// `true` if an accepted step after which these states are unknown needs a gap before it that hides them: nothing
  /// written so far does, and the step does not leave them out.
  func needsGap(before unknown: [String], unwritten: [String]) -> Bool {
    guard !needsWholeModel else { return !unknown.isEmpty }
    return unknown.contains { name in
      let isHidden = places[BytewiseName(name)].map { stores[$0].isUnknown } ?? hidesOthers
      return !isHidden && !unwritten.contains(exactly: name)
    }
  }

  /// `true` if these are the states after the last step.
  func isSame(_ states: [(name: String, state: JSON)]) -> Bool {
    guard states.count == stores.count(where: { $0.text != nil }) else { return false }
    return states.allSatisfy { name, state in
      guard let text = places[BytewiseName(name)].flatMap({ stores[$0].text }) else { return false }
      if text == state.rawText { return true }
      do {
        return try JSON.parse(text) == state
      } catch {
        return false
      }
    }
  }

  /// Returns the changes of an accepted step, after which the present stores have these states.
  ///
  /// `unknown` has all stores whose states are not known, and `unwritten` those of them that changed.
  mutating func changes(
    to states: [(name: String, state: JSON)], unwritten: [String] = [], unknown: [String] = []
  ) -> [StepRecord.Change] {
    var changes: [StepRecord.Change] = []
    var present: Set<Int> = []
    for (name, state) in states {
      let place = place(of: name)
      present.insert(place)
      let text = state.rawText
      guard stores[place].text != text || stores[place].isUnknown || needsWholeModel else {
        continue
      }
      stores[place].text = text
      stores[place].isUnknown = false
      changes.append(
        StepRecord.Change(store: name, state: LogValue(json: state)))
    }
    for name in unknown { present.insert(place(of: name)) }
    for place in stores.indices where !present.contains(place) {
      guard stores[place].text != nil || stores[place].isUnknown else { continue }
      stores[place].text = nil
      stores[place].isUnknown = false
      changes.append(StepRecord.Change(store: stores[place].name, state: nil))
    }
    if needsWholeModel { hidesOthers = false }
    for name in unwritten {
      let place = place(of: name)
      stores[place].text = nil
      stores[place].isUnknown = true
    }
    needsWholeModel = false
    return changes
  }
}

extension JSON {
  /// The bytes of the value as they were written.
  var rawText: [UInt8] { unsafe withBytes { unsafe Array($0) } }
}
