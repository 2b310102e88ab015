extension LineEditor {
  /// Gives the lines that the arrow keys and searches find, oldest first.
  package func useHistory(_ lines: [String]) {
    for line in lines { remember(line) }
  }

  /// Adds a line to those.
  ///
  /// One that is the same as the last is not added twice.
  package func remember(_ line: String) {
    // libedit would draw what follows a line feed over the prompt.
    let line = line.sanitised
    guard !line.isEmpty, line != lastRemembered else { return }
    lastRemembered = line
    libedit.addHistory(line)
  }
}
