import FluxCore
import TextEditorExample

/// The last lines of the text and the place of the cursor.
@Sendable func textScreen(_ dispatcher: Dispatcher) -> String {
  let state = dispatcher[TextStore.self]
  let place =
    "line \(state.cursor.line + 1) of \(state.lines.count), column \(state.cursor.column + 1)"
  return (state.lines.suffix(20) + ["-- \(place)"]).joined(separator: "\n")
}
