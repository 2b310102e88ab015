extension LineEditor {
  /// Binds a key.
  ///
  /// A binding in the user's settings goes before it.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - onEmptyLine: whether it means this on an empty line only, and what it always means else.
  ///   - action: says what becomes of the line.
  package func bind(
    _ key: Key, onEmptyLine: Bool = false, _ action: @escaping (LineBuffer) -> KeyAction
  ) {
    let number = keyMap.bind(key, onEmptyLine: onEmptyLine)
    actions[number] = action
    tell(number)
  }

  /// Ties libedit to this editor, which outlives it.
  func connect() {
    libedit.callbacks.next = { [unowned self] in nextScalar() }
    libedit.callbacks.key = { [unowned self] in press($0).reaction }
    actions[keyMap.paste] = { [unowned self] in insertPaste(into: $0) }
    for number in keyMap.meanings.keys.sorted() { tell(number) }
    bind(Key(.tab)) { [unowned self] in completeWord(of: $0) }
  }

  /// Has libedit know a number of the key map.
  private func tell(_ number: UInt32) {
    let isKnown =
      switch keyMap.meanings[number] {
      case .command(let command): libedit.bind(number, command: command)
      case .program: libedit.bind(number)
      case nil: false
      }
    precondition(isKnown, "libedit does not know what key \(number) is bound to")
  }

  /// Acts upon a key of the program's.
  private func press(_ number: UInt32) -> KeyAction {
    guard let action = actions[number] else { return .beep }
    let result = action(libedit.line)
    switch result {
    case .none, .beep: break
    case .replace(let line): libedit.replace(line)
    case .accept(let text):
      libedit.replace(LineBuffer(text))
      queue = [keyMap.accept] + queue
    case .refreshPrompt: renewPrompt()
    }
    return result
  }
}

extension KeyAction {
  fileprivate var reaction: LibEdit.Reaction {
    switch self {
    case .none: .none
    case .replace, .accept: .refresh
    case .refreshPrompt: .redraw
    case .beep: .beep
    }
  }
}
