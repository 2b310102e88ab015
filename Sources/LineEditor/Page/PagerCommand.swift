/// The program that shows long text page by page.
package struct PagerCommand: Equatable, Sendable {
  /// The path of the program, and its arguments.
  package var arguments: [String]
  /// What it gets into its environment beside our own.
  package var additions: [String: String]

  /// Chooses `$PAGER`, else `less`; nil where there is none to run, or the user wants none: `PAGER`
  /// is empty or `cat`.
  ///
  /// - Parameters:
  ///   - environment: where `PAGER`, `LESS` and `PATH` are looked up.
  ///   - isExecutable: says whether there is a program at a path.
  package init?(environment: [String: String], isExecutable: (String) -> Bool) {
    func find(_ program: Substring) -> String? {
      if program.contains("/") { return isExecutable(String(program)) ? String(program) : nil }
      let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
      return folders.map { "\($0)/\(program)" }.first(where: isExecutable)
    }
    // Leave the text on the screen, let colours through, and do nothing where it fits.
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
