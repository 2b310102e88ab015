import FluxJSON

// The models to which a running app went back. See docs/log-format.md, "Other lines".

extension Timeline {
  /// Returns the states of all stores right before the step at a position, which may be that of the next step to come.
  ///
  /// This is the model after the previous step, unless the app went back to another model in between. If steps are
  /// missing in between, it is the last one before them, and says nothing about the model that the step began with.
  ///
  /// - Throws: ``LogError`` if there is no such position, or if a line cannot be read.
  public func model(before position: Int) throws(LogError) -> RecordedModel {
    guard let states = log.restoredStates(before: position) else {
      return try model(at: log.restoredPosition(before: position) ?? max(position, .min + 1) - 1)
    }
    var names = log.storeNames
    names += states.members.map(\.name).filter { name in
      !names.contains { $0.hasSameBytes(as: name) }
    }
    let entries = names.map { store in
      RecordedModel.Entry(store: store, state: StoreState(states[store]))
    }
    return RecordedModel(position: position - 1, entries: entries)
  }
}

extension Timeline {
  /// Returns the state of a store right before the step at a position; see ``model(before:)``.
  package func storeState(_ store: String, before position: Int) throws(LogError) -> StoreState {
    if let states = log.restoredStates(before: position) { return StoreState(states[store]) }
    return try storeState(store, at: log.restoredPosition(before: position) ?? position - 1)
  }

  /// `true` if a step is compared with a model that the app went back to, right before the step or before rejected ones.
  package func isComparedAfterRestoring(at position: Int) -> Bool {
    baseline(of: position).afterGap && log.breaks.last(atOrBefore: position)?.kind == .restored
  }
}

extension LogFile {
  /// `true` if the app went back to another model right before the step at a position, and the log has that model.
  package func isRestored(before position: Int) -> Bool { restoredModel(before: position) != nil }

  /// The first break before a step that did not begin with the model after the step before it; `nil` if the actions of the
  /// log are all that led to its states.
  package var firstInterruption: LogBreak? {
    breaks.first { $0.position < count && !$0.hidesStatesOnly }
  }

  /// Returns a range in parts: a new one begins wherever the app went back to a model that the log has.
  ///
  /// Stores that begin in the model before a part can run all of its steps.
  package func parts(of range: Range<Int>) -> [Range<Int>] {
    var parts = [range]
    for found in breaks where found.position < range.upperBound {
      let last = parts[parts.count - 1]
      guard found.position > last.lowerBound, isRestored(before: found.position) else { continue }
      parts[parts.count - 1] = last.lowerBound..<found.position
      parts.append(found.position..<range.upperBound)
    }
    return parts
  }

  /// Returns the model to which the app went back right before the step at a position; `nil` if it did not, or if
  /// the log does not have that model.
  func restoredModel(before position: Int) -> LogGap.Model? {
    let breaks = breaks
    guard let found = breaks.last(atOrBefore: position), found.position == position,
      found.kind == .restored
    else { return nil }
    let gaps = gaps
    let next = gaps.partitioningIndex { $0.position > position }
    return next > 0 ? gaps[next - 1].gap.model : nil
  }

  /// Returns the states to which the app went back right before the step at a position; `nil` if it did not, or if the gap
  /// names a step.
  func restoredStates(before position: Int) -> JSON? {
    guard case .states(let states)? = restoredModel(before: position) else { return nil }
    return states
  }

  /// Returns the position of the step to which the app went back right before the step at a position; `nil` if it
  /// did not, or if the gap lists the states.
  package func restoredPosition(before position: Int) -> Int? {
    guard case .step(let number)? = restoredModel(before: position) else { return nil }
    if number == 0 { return Timeline.start }
    guard let restored = self.position(atOrBefore: number), restored < position,
      self.number(at: restored) == number
    else { return nil }
    return restored
  }

  /// Returns the position whose states are those after the step at a position.
  ///
  /// Between a restoring gap and the next accepted step, this is the position that the gap names. It is the same
  /// position everywhere else.
  package func sourcePosition(of position: Int) -> Int {
    var position = position
    while rules(after: position).awaitsWholeModel, let found = breaks.last(atOrBefore: position),
      let restored = restoredPosition(before: found.position)
    {
      position = restored
    }
    return position
  }
}
