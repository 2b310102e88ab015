/// The program that shows long text page by page.
package struct PagerCommand: Equatable, Sendable {
  /// The path of the program and its arguments.
  package var arguments: [String]
  /// The variables to add to the environment.
  package var additions: [String: String]

  /// Chooses `$PAGER` or `less`; nil if neither exists, or if `PAGER` is empty or `cat`.
  ///
  /// - Parameters:
  ///   - environment: The variables `PAGER`, `LESS` and `PATH` are read from it.
  ///   - isExecutable: Returns `true` if there is a program at a path.
  package init?(environment: [String: String], isExecutable: (String) -> Bool) {
    func find(_ program: Substring) -> String? {
      if program.contains("/") { return isExecutable(String(program)) ? String(program) : nil }
      let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
      return folders.map { "\($0)/\(program)" }.first(where: isExecutable)
    }
    // Keep the text on the screen, pass colours, and quit at once if the text fits.
    additions = environment["LESS"] == nil ? ["LESS": "FRX"] : [:]
    guard let setting = environment["PAGER"] else {
      guard let less = find("less") else { return nil }
      arguments = [less]
      return
    }
    guard let program = setting.split(separator: " ").first, program != "cat",
      find(program) != nil
    else { return nil }
    arguments = ["/bin/sh", "-c", setting]
  }
}
