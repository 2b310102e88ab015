/// One operation that is about to be applied to a draft.
///
/// It is a view: it is valid while the text of its pointers is. It owns nothing, because a seek in
/// a log creates hundreds of steps.
struct PatchStep {
  /// The operations, with their names in RFC 6902 and docs/log-format.md.
  enum Kind: String, CaseIterable {
    case add, remove, replace, move, copy, test, splice

    /// `true` if the operation has a `from` pointer.
    var hasSource: Bool { self == .move || self == .copy }
  }

  var kind: Kind
  /// The text of the pointer in WTF-8.
  var path: JSONBytes
  /// The text of the source pointer of a `move` or `copy`; otherwise that of `path`.
  var from: JSONBytes
  /// The value that the operation carries, in a source of the draft.
  var value: Draft.Slot = .removed
  var at = 0
  var deleted = 0
}
