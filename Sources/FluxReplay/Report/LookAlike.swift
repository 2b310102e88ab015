package import FluxJSON
import FluxSystem
import Foundation

/// Shows the scalars of two texts that look alike, such as `é` as one scalar and as two.
///
/// JSON compares texts by their scalars. A report of the texts alone would show the same twice.
package enum LookAlike {
  /// Returns the scalars in which two texts differ, one list for each, as in `(U+00E9)` and `(U+0065 U+0301)`.
  ///
  /// Returns nil if a reader sees the difference.
  package static func scalars(_ left: JSON?, _ right: JSON?) -> (left: String, right: String)? {
    guard let left = left?.string, let right = right?.string else { return nil }
    let parts = differingParts(Array(left.unicodeScalars), Array(right.unicodeScalars))
    guard parts.left != parts.right, looksAlike(parts.left, parts.right) else { return nil }
    return (list(parts.left), list(parts.right))
  }

  /// Removes the scalars that both texts begin and end with, but keeps the base of a combining mark.
  private static func differingParts(
    _ left: [Unicode.Scalar], _ right: [Unicode.Scalar]
  ) -> (left: ArraySlice<Unicode.Scalar>, right: ArraySlice<Unicode.Scalar>) {
    var start = zip(left, right).prefix { $0 == $1 }.count
    while start > 0, [left, right].contains(where: { start < $0.count && isMark($0[start]) }) {
      start -= 1
    }
    let end = zip(left[start...].reversed(), right[start...].reversed()).prefix { $0 == $1 }.count
    return (left[start..<left.count - end], right[start..<right.count - end])
  }

  private static func looksAlike(
    _ left: ArraySlice<Unicode.Scalar>, _ right: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    let texts = [left, right].map { scalars in
      String(String.UnicodeScalarView(scalars.filter { !isInvisible($0) }))
        .precomposedStringWithCompatibilityMapping
    }
    if texts[0] == texts[1] { return true }
    // Letters of different scripts, such as the Latin and the Cyrillic a.
    return left.count == right.count
      && zip(left, right).allSatisfy { one, other in
        one == other
          || one.properties.isAlphabetic && other.properties.isAlphabetic
            && one.isASCII != other.isASCII
      }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.canonicalCombiningClass != .notReordered
  }

  /// `true` for a scalar that other programs show as nothing; JSON escapes those of ASCII.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII && !scalar.isPrintable
  }

  /// The most scalars to list; a longer list ends with their number.
  private static let limit = 8

  private static func list(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    guard !scalars.isEmpty else { return "(nothing)" }
    let shown = scalars.prefix(limit).map { scalar in
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
    let rest = scalars.count - shown.count
    return "(\(shown.joined(separator: " "))\(rest > 0 ? " and \(rest) more" : ""))"
  }
}
