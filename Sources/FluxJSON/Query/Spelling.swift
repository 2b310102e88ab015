/// Suggests corrections for misspelled names.
package enum Spelling {
  /// The length, in Unicode scalars, of the longest name to correct.
  private static let longest = 100

  /// Returns the candidate most similar to the name; nil if none is similar enough.
  ///
  /// A similar candidate differs by at most a third of the name's scalars, or by one, and has a scalar
  /// in common with it. Scalars can be inserted, removed, replaced or swapped. A candidate that only
  /// looks the same, such as one in which é is two scalars, is the most similar.
  package static func nearest(
    to name: String, among candidates: some Sequence<String>
  ) -> String? {
    let wanted = Array(name.unicodeScalars)
    guard !wanted.isEmpty, wanted.count <= longest else { return nil }
    var best: String?
    var bestDistance = max(1, wanted.count / 3) + 1
    for candidate in candidates {
      if candidate == name { return candidate }
      let scalars = Array(candidate.unicodeScalars)
      // Nobody can type an empty name.
      guard !scalars.isEmpty, abs(scalars.count - wanted.count) < bestDistance else { continue }
      let distance = distance(wanted, scalars)
      guard distance < bestDistance, distance < max(wanted.count, scalars.count) else { continue }
      best = candidate
      bestDistance = distance
    }
    return best
  }

  /// Returns the edit distance between two names (optimal string alignment).
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
