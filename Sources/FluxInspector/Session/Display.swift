import FluxLog

/// A path whose value is shown after every move.
struct Display: Sendable {
  let number: Int
  let path: Path
}
