package import FluxRules

extension RuleSet {
  /// Reads a file of rules.
  ///
  /// - Throws: ``CommandError`` that names the file, or the line and the column of a mistake.
  package init(reading path: String, from files: any FileService) throws(CommandError) {
    let text = try files.read(path)
    do throws(RuleError) {
      try self.init(text, file: path)
    } catch {
      throw CommandError(.usage, lines: error.message, note: error.hint.map { Note($0) })
    }
    guard !rules.isEmpty else {
      throw CommandError(
        .usage, "\(path) contains no rules",
        hint: "a rule is a line such as 'rule total: always cart.total >= 0'")
    }
  }
}
