import FluxJSON
import FluxLog

extension ReduxImporter {
  /// Writes the actions of a list, whose states are not known; returns the number of steps.
  mutating func writeList(
    to path: String, replacesExisting: Bool, _ progress: (Int, Int) throws -> Void
  ) throws -> Int {
    let places = session.list ?? []
    for name in session.listCompanions {
      losses.add("other members of the session", at: JSANReferences.text([name]))
    }
    var initial: [(name: String, state: JSON)]?
    if let preloaded = session.preloaded {
      let state = try ReduxStates.preloaded(preloaded, references: &states.references)
      initial =
        state.jsanTag == "u" ? nil : try divided(state, place: "$.preloadedState")
    }
    var elements = places.indices
    if let first = elements.first {
      let action = try states.value(at: places[first], [String(first)])
      // It led to the state before the first action.
      if action["type"]?.string == "@@INIT" { elements = 1..<places.count }
    }
    var header = LogHeader(stores: stores(initial))
    header.isJSAN =
      try session.source.contains(JSON.jsanName)
      || initial?.contains { $0.state.mayHaveTags } == true
    let log = try CompleteLog(header, to: path, replacesExisting: replacesExisting)
    try log.append(LogGap(from: 1, through: 0, why: .imported))
    for (count, index) in elements.enumerated() {
      try progress(count, elements.count)
      let entry = ImportedAction(element: try states.value(at: places[index], [String(index)]))
      if let loss = entry.loss { losses.add(loss, at: "$[\(index)]") }
      var record = StepRecord(
        number: UInt64(count + 1), time: LogTime(microseconds: 0),
        action: LogValue(json: entry.action))
      record.source = entry.source
      record.external = entry.external(id: nil, movedTime: entry.timestamp != nil)
      try log.append(record)
    }
    try log.commit()
    return elements.count
  }
}
