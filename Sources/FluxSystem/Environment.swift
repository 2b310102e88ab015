// The variables of a process that name folders and programs: modules that share nothing else read them.

extension [String: String] {
  /// Returns the folder that `HOME` or a variable of the XDG base directory specification names.
  ///
  /// - Parameter variable: The variable, such as `XDG_STATE_HOME`.
  /// - Returns: The folder; nil if the variable is not set, or has an empty or a relative path. The specification has those
  ///   ignored, and nothing is read from the current folder unasked.
  package func baseFolder(_ variable: String) -> String? {
    self[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// Returns the path of a program.
  ///
  /// - Parameters:
  ///   - name: The name of the program, or its path.
  ///   - isExecutable: Tells if a path is that of a program.
  /// - Returns: The path, in the first folder of `PATH` that has the program; nil if none has.
  package func program(_ name: String, isExecutable: (String) -> Bool) -> String? {
    guard !name.contains("/") else { return isExecutable(name) ? name : nil }
    // The folders that a shell searches if PATH is not set.
    let folders = (self["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.lazy.map { "\($0)/\(name)" }.first(where: isExecutable)
  }
}
