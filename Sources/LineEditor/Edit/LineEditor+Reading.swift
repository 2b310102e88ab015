import FluxTerminal

extension LineEditor {
  /// Reads a line; `prompt` is called again whenever the prompt may have changed.
  package func readLine(_ prompt: @escaping () -> Prompt) -> LineResult {
    if interruption.isRequested { pastes = PasteQueue() }
    defer { interruption = Interruption() }
    lineOrigin = .typed
    makePrompt = prompt
    defer { makePrompt = { Prompt("") } }
    bindUsersKeys()
    // Notices first: if the prompt changes after this, a new notice asks for it again.
    showNotices(overLine: false)
    renewPrompt()
    if let line = pastes.nextLine() {
      lineOrigin = .pasted
      libedit.write(self.prompt.printed + line + "\n")
      return .line(line)
    }
    return edit()
  }

  private func edit() -> LineResult {
    input.forgetInterrupts()
    if let text = pastes.takeRemainder() { insertion = Insertion(text: text, accepts: false) }
    queue = insertion == nil ? [] : [KeyMap.paste]
    // Raw mode first: keys that are typed between the prompt and the change of mode would be lost.
    libedit.setRaw(true)
    TerminalMode.line.enter()
    let result = libedit.readLine()
    TerminalMode.leave()
    switch result {
    case .line(let text):
      // When a user leaves an unfinished line for the history, libedit keeps 1,024 characters and
      // restores the rest as zeros. A truncated command must not run.
      guard !text.unicodeScalars.contains("\0") else {
        libedit.write("the history truncated the line; it is not run\n")
        return .interrupted
      }
      return .line(accepted(text))
    case .interrupted: return .interrupted
    case .endOfInput:
      libedit.write("\n")
      return .endOfInput
    }
  }

  /// The line without its line feed and without quoted key numbers.
  private func accepted(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(
      contentsOf: text.unicodeScalars.filter { $0 != "\n" && !(0x80..<0xA0).contains($0.value) })
    return String(scalars)
  }

  func renewPrompt() {
    prompt = makePrompt()
    libedit.setPrompt(prompt)
  }

  func nextScalar() -> LibEdit.Input {
    while true {
      if let scalar = queue.popFirst() { return .scalar(scalar) }
      showNotices(overLine: true)
      switch input.next() {
      case .press(let press): take(press)
      case .paste(let bytes):
        let (text, isWhole) = pastes.take(bytes)
        insertion = Insertion(text: text, accepts: isWhole)
        if isWhole { lineOrigin = .pasted }
        queue = [KeyMap.paste]
      case .interrupted:
        moveBelow(writing: "^C")
        return .interrupted
      case .resized: redrawAtNewSize()
      case .resumed:
        lineOrigin = .resumed
        libedit.resize()
        libedit.refresh()
      case .woken: continue
      case .ended: return .ended
      }
    }
  }

  private func take(_ press: KeyPress) {
    let line = libedit.line.text
    // During a search, libedit keeps the pattern in the line after a line feed.
    let isSearching = line.contains("\nbck") || line.contains("\nfwd")
    queue = keyMap.scalars(for: press, lineIsEmpty: line.isEmpty, isSearching: isSearching)[...]
  }

  func insertPaste(into line: EditedLine) -> KeyAction {
    guard let insertion else { return .none }
    self.insertion = nil
    let result = line.replacing(line.cursor..<line.cursor, with: insertion.text)
    return insertion.accepts ? .accept(result.text) : .replace(result)
  }

  // MARK: Drawing

  private var size: TerminalSize { TerminalSize(descriptor: output, environment: [:]) }

  private var layout: InputLayout {
    InputLayout(prompt: prompt.visible, line: libedit.line, size: size)
  }

  /// Writes the texts of the notice board; if a line is being edited, above that line.
  private func showNotices(overLine: Bool) {
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

  private func redrawAtNewSize() {
    libedit.write(Self.clear(from: layout.cursor))
    libedit.resize()
    libedit.refresh()
  }

  private func moveBelow(writing mark: String) {
    let layout = layout
    let down = String(repeating: "\n", count: layout.end.row - layout.cursor.row)
    let right = layout.end.column > 0 ? "\u{1B}[\(layout.end.column)C" : ""
    libedit.write(down + "\r" + right + mark + "\n")
  }

  /// Lists candidates below the line, and redraws the line below the list.
  private func list(_ candidates: [Completions.Candidate]) {
    moveBelow(writing: "")
    let rows = CandidateList(candidates, size: size).rows
    libedit.write(rows.map { $0 + "\n" }.joined())
    libedit.refresh()
  }

  func completeWord(of line: EditedLine) -> KeyAction {
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

  // MARK: Single keys

  /// Reads keys one by one until `handle` returns `false` or the input ends.
  ///
  /// The terminal echoes nothing meanwhile, and its mode is restored at the end. Ctrl-C arrives as the key
  /// control-c.
  package func readKeys(_ handle: (Key) -> Bool) {
    withKeys(.keys) {
      while let key = nextKey(), handle(key) {}
    }
  }

  /// Lets keys arrive one by one, in a mode of the terminal, for the time of a closure.
  func withKeys(_ mode: TerminalMode, _ body: () throws -> Void) rethrows {
    input.forgetInterrupts()
    libedit.setRaw(true)
    mode.enter()
    defer {
      TerminalMode.leave()
      libedit.setRaw(false)
    }
    try body()
  }

  private func nextKey() -> Key? {
    while true {
      switch input.next() {
      case .press(let press): return press.key
      case .interrupted: return .control("c")
      // Notices wait for the next line, and pasted text is not a key.
      case .woken, .paste, .resized, .resumed: continue
      case .ended: return nil
      }
    }
  }
}
