/// The user's settings for every program that uses libedit: `$EDITRC`, else `.editrc` at home.
///
/// libedit's own reading stops at the first line it does not understand, and whatever it reads after
/// a program has bound its keys takes them away again, as `bind -v` and `bind -e` begin anew. So the
/// whole file is read first; then the program binds its keys; then those lines of the file that bind
/// one are read again, since the user's choice goes before the program's.
struct EditSettings {
  let path: String
  private(set) var lines: [SettingLine] = []
  private var problem: SettingProblem?

  init(environment: [String: String]) {
    if let path = environment["EDITRC"], !path.isEmpty {
      self.path = path
    } else if let home = environment["HOME"], !home.isEmpty {
      path = home + "/.editrc"
    } else {
      path = ""
      return
    }
    do throws(FileError) {
      guard let bytes = try FileAccess.readIfPresent(path) else { return }
      lines = SettingLine.parse(String(decoding: bytes, as: UTF8.self))
    } catch {
      problem = SettingProblem(path: path, line: nil, text: error.cause)
    }
  }

  /// Runs every line; returns those that were not understood.
  func apply(_ run: (String) -> Bool) -> [SettingProblem] {
    var problems = problem.map { [$0] } ?? []
    for line in lines where !run(line.text) {
      problems.append(SettingProblem(path: path, line: line.number, text: line.text))
    }
    return problems
  }

  /// Runs the lines that bind a key once more.
  ///
  /// What is wrong with them has been said.
  func bindAgain(_ run: (String) -> Bool) {
    for line in lines where line.boundKeySequence != nil {
      _ = run(line.text)
    }
  }

  /// The keys that these settings give a meaning of the user's.
  func boundKeys(program: String) -> Set<Key> {
    var keys: Set<Key> = []
    for line in lines where line.concerns(program) {
      guard let sequence = line.boundKeySequence else { continue }
      var decoder = KeyDecoder()
      let presses = sequence.flatMap { decoder.feed($0) } + decoder.flush()
      if presses.count == 1 { keys.insert(presses[0].key) }
    }
    return keys
  }
}
