import FluxJSON

/// A store's new state, and its difference from the state before if that is one value.
struct RevisedState {
  let json: JSON
  /// The only value that differs from the state before; `nil` if that is unknown.
  let difference: SingleChange?
  /// `true` if the state before may be wrong in the log, so this one is written whole.
  let isCorrection: Bool

  init(_ json: JSON, difference: SingleChange? = nil, isCorrection: Bool = false) {
    self.json = json
    self.difference = difference
    self.isCorrection = isCorrection
  }

  /// Parses a text that probably differs little from one that is parsed already; see `JSONRevision`.
  init(parsing bytes: [UInt8], after previous: JSON) throws(JSONError) {
    guard let revision = JSONRevision(bytes, after: previous) else {
      self.init(try JSON.parse(bytes))
      return
    }
    let difference = revision.soleChange.map { change in
      SingleChange(
        old: previous, new: revision.json, place: change.place, ancestors: change.ancestors)
    }
    self.init(revision.json, difference: difference)
  }
}
