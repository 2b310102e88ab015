/// One operation on its way into a draft.
///
/// A view: it is valid as long as the text that its pointers were read from. It owns nothing, as a
/// seek in a log makes hundreds of them.
struct PatchStep {
  /// The operations by the names that RFC 6902 and docs/log-format.md give them.
  enum Kind: String, CaseIterable {
    case add, remove, replace, move, copy, test, splice

    /// Whether there is a second pointer.
    var hasSource: Bool { self == .move || self == .copy }
  }

  var kind: Kind
  /// The text of the pointer, in WTF-8.
  var path: JSONBytes
  /// The same of the pointer to what is moved or copied; of other operations, that of `path`.
  var from: JSONBytes
  /// The value that the operation brings, in a source of the draft.
  var value: Draft.Slot = .removed
  var at = 0
  var deleted = 0
}
