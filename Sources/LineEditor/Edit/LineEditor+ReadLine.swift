extension LineEditor {
  /// Reads a line.
  ///
  /// - Parameter prompt: makes the prompt; called again whenever it may have changed.
  /// - Returns: the line, or why there is none.
  package func readLine(_ prompt: @escaping () -> Prompt) -> LineResult {
    if interruption.isRequested { pastes.clear() }
    defer { interruption = Interruption() }
    makePrompt = prompt
    defer { makePrompt = { Prompt("") } }
    bindUsersKeys()
    // In this order a prompt that changes meanwhile is either new already or asked for again.
    showNotices(overLine: false)
    renewPrompt()
    if let line = pastes.nextLine() {
      libedit.write(self.prompt.printed + line + "\n")
      return .line(line)
    }
    return edit()
  }

  private func edit() -> LineResult {
    input.forgetInterrupts()
    if let text = pastes.takeRemainder() { insertion = Insertion(text: text, accepts: false) }
    queue = insertion == nil ? [] : [keyMap.paste]
    // The prompt would appear before the terminal takes single keys, and what is typed in between
    // would be lost.
    libedit.setRaw(true)
    TerminalMode.line.enter()
    let result = libedit.readLine()
    TerminalMode.leave()
    switch result {
    case .line(let text):
      // libedit keeps 1,024 characters of an unfinished line that one leaves for the history, and
      // brings the rest back as zeros. A command that was cut off is not the one that was meant.
      guard !text.unicodeScalars.contains("\0") else {
        libedit.write("the line was cut off on its way through the history and is not run\n")
        return .interrupted
      }
      return .line(accepted(text))
    case .interrupted: return .interrupted
    case .endOfInput:
      libedit.write("\n")
      return .endOfInput
    }
  }

  /// The line without its line feed, and without keys of ours that were quoted into it.
  private func accepted(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(
      contentsOf: text.unicodeScalars.filter { $0 != "\n" && !(0x80..<0xA0).contains($0.value) })
    return String(scalars)
  }

  /// Asks for the prompt anew.
  func renewPrompt() {
    prompt = makePrompt()
    libedit.setPrompt(prompt)
  }

  /// Reads what libedit is to know next.
  func nextScalar() -> LibEdit.Input {
    while true {
      if let scalar = queue.popFirst() { return .scalar(scalar) }
      showNotices(overLine: true)
      switch input.next() {
      case .press(let press): take(press)
      case .paste(let bytes):
        let (text, isWhole) = pastes.take(bytes)
        insertion = Insertion(text: text, accepts: isWhole)
        queue = [keyMap.paste]
      case .interrupted:
        moveBelow(writing: "^C")
        return .interrupted
      case .resized: redrawAtNewSize()
      case .resumed:
        libedit.resize()
        libedit.refresh()
      case .woken, .elapsed: continue
      case .ended: return .ended
      }
    }
  }

  private func take(_ press: KeyPress) {
    let line = libedit.line.text
    // While it searches, libedit keeps the pattern in the line, after a line feed.
    let isSearching = line.contains("\nbck") || line.contains("\nfwd")
    queue =
      keyMap.scalars(for: press, lineIsEmpty: line.isEmpty, isSearching: isSearching)[...]
  }

  /// Puts what was pasted at the cursor.
  func insertPaste(into line: LineBuffer) -> KeyAction {
    guard let insertion else { return .none }
    self.insertion = nil
    let result = line.replacing(line.cursor..<line.cursor, with: insertion.text)
    return insertion.accepts ? .accept(result.text) : .replace(result)
  }
}
