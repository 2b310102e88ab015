import FluxJSON

/// A store and its state, as far as it is known.
struct PassedStore {
  enum Content {
    case absent
    case present(JSON)
    /// A state with patches applied to it.
    case patched(Draft, count: Int)
    /// Damage or a gap hides the state, and the store may be absent.
    case hidden

    init(_ state: StoreState) {
      self =
        switch state {
        case .present(let json): .present(json)
        case .absent: .absent
        case .unknown: .hidden
        }
    }
  }

  let name: String
  private(set) var content: Content
  /// The newest state is not in the log; a patch still applies to the content.
  var isUnwritten = false
  /// The state before the step.
  var before = StoreState.absent
  /// `true` if the state before the step is unknown only because it is not in the log, so the store was there.
  var wasUnwritten = false
  var isWritten = false
  var slots = PassedSlots()

  /// Makes a store with a state, which may be unknown.
  init(_ name: String, _ state: StoreState = .absent) {
    (self.name, content) = (name, Content(state))
  }

  /// Makes a store as it is at a position.
  ///
  /// Patches apply to the last written state, also if the newest one was left out.
  init(_ name: String, at position: Int, in timeline: Timeline) throws(LogError) {
    self.init(name, try timeline.writtenState(name, at: position))
    isUnwritten = timeline.isUnwritten(name, at: position)
  }

  /// Returns the state.
  mutating func state() -> StoreState { isUnwritten ? .unknown : written() }

  /// Keeps the state as that before the next step.
  mutating func keepBefore() { (before, wasUnwritten) = (state(), isUnwritten) }

  /// Returns the last written state.
  mutating func written() -> StoreState {
    complete()
    return switch content {
    case .absent: .absent
    case .present(let json): .present(json)
    case .patched(let draft, _): .present(draft.json())
    case .hidden: .unknown
    }
  }

  /// Replaces the whole content.
  mutating func set(_ content: Content) {
    self.content = content
    slots.dropReplacements()
    slots.forget()
  }

  /// Applies the replacements that are not in the state yet.
  mutating func complete() {
    guard slots.hasReplacements else { return }
    for patch in slots.takePatches() {
      if let patch = JSON(ifValid: patch) { apply(patch) } else { set(.hidden) }
    }
  }

  /// Applies a patch; the state is unknown if it does not apply.
  mutating func apply(_ patch: JSON) {
    complete()
    var draft: Draft
    var count = 0
    switch content {
    case .present(let json): draft = Draft(json, maximumDepth: JSON.maximumStateDepth)
    case .patched(let patched, let patches): (draft, count) = (patched, patches)
    case .absent, .hidden: return set(.hidden)
    }
    // The draft has one owner while it changes.
    content = .hidden
    do throws(PatchError) {
      try draft.apply(operations: patch)
    } catch {
      return set(.hidden)
    }
    // Serializing a state takes a third longer after 256 patches than after none, and a draft keeps data of the values
    // that were replaced.
    let isLarge = count >= 256 || draft.isCrowded
    content = isLarge ? .present(draft.json()) : .patched(draft, count: count + 1)
  }

  /// Returns the value in a slot; `nil` if it is unknown.
  mutating func value(inSlot slot: Int) -> QueryValue? {
    if isUnwritten { return nil }
    if let value = slots.value(slot) { return value }
    if case .hidden = content { return nil }
    let value = QueryValue(value(slots.place(slot)))
    slots.set(slot, value)
    return value
  }

  /// Returns a value of the state; `nil` if there is none.
  private mutating func value(_ place: SinglePlace) -> JSON? {
    complete()
    return switch content {
    case .present(let json): json.value(at: place)
    case .patched(let draft, _): draft.value(at: place)
    case .absent, .hidden: nil
    }
  }

  /// `true` if the state, without the replacements that are not in it yet, has a value at the pointer in a text.
  func has(_ pointer: JSONBytes) -> Bool {
    switch content {
    case .present(let json): Draft(json).has(pointer)
    case .patched(let draft, _): draft.has(pointer)
    case .absent, .hidden: false
    }
  }

  /// `true` if the state is there.
  var isPresent: Bool {
    switch content {
    case .present, .patched: true
    case .absent, .hidden: false
    }
  }
}
