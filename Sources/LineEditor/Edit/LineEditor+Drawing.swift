import FluxTerminal

extension LineEditor {
  private var size: TerminalSize { TerminalSize(descriptor: output, environment: [:]) }

  private var layout: InputLayout {
    InputLayout(prompt: prompt.visible, line: libedit.line, size: size)
  }

  /// Writes the texts of the notice board; if a line is being edited, above that line.
  func showNotices(overLine: Bool) {
    guard let found = notices.take() else { return }
    let text = found.texts.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }.joined()
    guard overLine else {
      libedit.write(text)
      return
    }
    libedit.write(Self.clear(from: layout.cursor) + text)
    renewPrompt()
    libedit.refresh()
  }

  /// Redraws prompt and line after the terminal's size has changed.
  func redrawAtNewSize() {
    libedit.write(Self.clear(from: layout.cursor))
    libedit.resize()
    libedit.refresh()
  }

  /// Moves to a new row below the line.
  func moveBelow(writing mark: String) {
    let layout = layout
    let down = String(repeating: "\n", count: layout.end.row - layout.cursor.row)
    let right = layout.end.column > 0 ? "\u{1B}[\(layout.end.column)C" : ""
    libedit.write(down + "\r" + right + mark + "\n")
  }

  /// Lists candidates below the line, and redraws the line below the list.
  func list(_ candidates: [Completions.Candidate]) {
    moveBelow(writing: "")
    let rows = CandidateList(candidates, size: size).rows
    libedit.write(rows.map { $0 + "\n" }.joined())
    libedit.refresh()
  }

  func completeWord(of line: LineBuffer) -> KeyAction {
    guard let complete else { return .beep }
    switch CompletionStep(complete(line), in: line) {
    case .beep: return .beep
    case .replace(let line): return .replace(line)
    case .list(let candidates):
      list(candidates)
      return .none
    }
  }

  /// The sequence that moves to the start of the prompt and clears the screen from there.
  private static func clear(from cursor: InputLayout.Place) -> String {
    (cursor.row > 0 ? "\u{1B}[\(cursor.row)A" : "") + "\r\u{1B}[J"
  }
}
