import FluxJSON

/// A change within a long text: what comes before and after it, what was removed and what was added.
struct TextEdit {
  /// Shorter texts are shown whole, one behind the other.
  private static let shortest = 40
  private static let context = 20

  let before: String
  let removed: String
  let added: String
  let after: String

  /// Finds the one stretch in which two texts differ; nil if they are short, or have little in common.
  ///
  /// The stretch begins and ends between characters as people see them: an emoji or a letter with its accents is whole.
  init?(from old: String, to new: String) {
    let (left, right) = (old.unicodeScalars, new.unicodeScalars)
    let counts = (left.count, right.count)
    let limit = min(counts.0, counts.1)
    guard max(counts.0, counts.1) > Self.shortest else { return nil }
    var head = 0
    for (scalar, other) in zip(left, right) {
      guard scalar == other else { break }
      head += 1
    }
    var tail = 0
    for (scalar, other) in zip(left.reversed(), right.reversed()) {
      guard scalar == other, tail < limit - head else { break }
      tail += 1
    }
    // A text that was replaced as a whole shares a few letters with the new one by chance.
    guard (head + tail) * 2 >= limit else { return nil }
    func isBoundary(_ index: String.Index, of text: String) -> Bool {
      index.samePosition(in: text) != nil
    }
    var (start, newStart) = (
      left.index(left.startIndex, offsetBy: head), right.index(right.startIndex, offsetBy: head)
    )
    while !isBoundary(start, of: old) || !isBoundary(newStart, of: new) {
      (start, newStart) = (left.index(before: start), right.index(before: newStart))
    }
    var (end, newEnd) = (
      left.index(left.endIndex, offsetBy: -tail), right.index(right.endIndex, offsetBy: -tail)
    )
    while !isBoundary(end, of: old) || !isBoundary(newEnd, of: new) {
      (end, newEnd) = (left.index(after: end), right.index(after: newEnd))
    }
    // By characters: context that begins in the middle of one would show something else.
    let first =
      old.index(start, offsetBy: -Self.context, limitedBy: old.startIndex) ?? old.startIndex
    let last = old.index(end, offsetBy: Self.context, limitedBy: old.endIndex) ?? old.endIndex
    before = (first > old.startIndex ? "…" : "") + old[first..<start]
    removed = String(old[start..<end])
    added = String(new[newStart..<newEnd])
    after = old[end..<last] + (last < old.endIndex ? "…" : "")
  }
}

extension TextOutput {
  /// Writes a change within a text: `"…the [-quick-]{+slow+} fox…"`.
  mutating func edit(_ edit: TextEdit) {
    func quoted(_ text: String) -> String {
      // The quotes stand around the whole text.
      String(JSON(stringLiteral: text).description.dropFirst().dropLast())
    }
    write("\"\(quoted(edit.before))")
    let after = "\(quoted(edit.after))\""
    let added = edit.added.isEmpty ? "" : "{+\(quoted(edit.added))+}"
    if !edit.removed.isEmpty {
      write("[-", .removed)
      write(fitted(quoted(edit.removed), before: "-]" + tail(of: added) + after), .removed)
      write("-]", .removed)
    }
    if !edit.added.isEmpty {
      write("{+", .added)
      write(fitted(quoted(edit.added), before: "+}" + after), .added)
      write("+}", .added)
    }
    write(after)
  }
}
