/// A name for a position.
struct Bookmark: Sendable, Equatable {
  let name: String
  /// As ``Timeline`` counts.
  let position: Int
}
