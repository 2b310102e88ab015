import FluxReplay

extension CommandLine {
  /// The words that start this program again: the name or path by which it was called, as a shell takes it.
  static var invocation: String { arguments.first.map(\.shellPath) ?? "flux-inspect" }
}
