import FluxLog

/// One thing that differs between two models.
struct ModelChange: Sendable, Equatable {
  let store: String
  /// A JSON Pointer from the model `{store: state}`.
  let path: String
  let kind: ValueChange.Kind
  /// The value at that moment; nil where it is added.
  let old: JSON?
  /// Nil where it is removed.
  let new: JSON?
}

extension ModelChange {
  /// What turns one known state of a store into another, to be applied one after the other.
  static func changes(
    of store: String, from old: StoreState, to new: StoreState
  ) -> [ModelChange] {
    let prefix = Pointer(tokens: [store]).description
    switch (old.json, new.json) {
    case (nil, nil): return []
    case (nil, let new?):
      return [ModelChange(store: store, path: prefix, kind: .add, old: nil, new: new)]
    case (let old?, nil):
      return [ModelChange(store: store, path: prefix, kind: .remove, old: old, new: nil)]
    case (let old?, let new?):
      return old.changes(to: new).map { change in
        ModelChange(
          store: store, path: prefix + change.path.description, kind: change.kind,
          old: change.old, new: change.new)
      }
    }
  }
}

extension JSONWriter {
  /// Writes `{"path","op","old"?,"new"?}`.
  mutating func change(_ change: ModelChange) {
    beginObject()
    member("path", change.path)
    member("op", change.kind.rawValue)
    member("old", change.old)
    member("new", change.new)
    endObject()
  }

  /// Writes the change as an operation of a JSON Patch (RFC 6902).
  mutating func operation(_ change: ModelChange) {
    beginObject()
    member("op", change.kind.rawValue)
    member("path", change.path)
    member("value", change.new)
    endObject()
  }
}

extension TextOutput {
  /// Writes a change on one line: `~ /todos/items/0/done: false -> true`.
  mutating func change(_ change: ModelChange) throws {
    switch change.kind {
    case .add: write("+ ", .added)
    case .remove: write("- ", .removed)
    case .replace: write("~ ", .number)
    }
    write(change.path, .path)
    let values = Excerpt.pair(change.old?.description, change.new?.description)
    write(": ")
    if let old = values.old { write(old, .removed) }
    if change.kind == .replace { write(" -> ", .dim) }
    if let new = values.new { write(new, .added) }
    try endLine()
  }
}

/// What fits on a line of two texts that differ.
private enum Excerpt {
  /// So much of what two long texts begin with alike is shown.
  private static let context = 20

  static func pair(_ old: String?, _ new: String?) -> (old: String?, new: String?) {
    guard let old, let new, max(old.unicodeScalars.count, new.unicodeScalars.count) > 100 else {
      return (old?.shortened, new?.shortened)
    }
    let common = zip(old.unicodeScalars, new.unicodeScalars).prefix { $0 == $1 }.count
    let skipped = max(0, common - context)
    return (old.dropping(skipped).shortened, new.dropping(skipped).shortened)
  }
}

extension String {
  fileprivate func dropping(_ count: Int) -> String {
    count > 0 ? "…" + String(String.UnicodeScalarView(unicodeScalars.dropFirst(count))) : self
  }
}
