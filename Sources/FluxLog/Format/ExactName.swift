/// The name of a store or the type of an action, exactly as it is written.
///
/// Swift's strings are equal where they read alike: é is one scalar or two. In JSON, and so in a log,
/// those are two names, and whatever is kept by name is kept by this.
package struct ExactName: Hashable, Comparable, Sendable {
  /// The name.
  package let text: String

  /// Makes the name that has these bytes.
  package init(_ text: String) { self.text = text }

  package static func == (left: ExactName, right: ExactName) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  package static func < (left: ExactName, right: ExactName) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(text.utf8.count)
  }
}

extension String {
  /// Whether two names are the same to the byte.
  package func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
