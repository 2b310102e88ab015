import FluxReplay
package import FluxSystem

/// The running apps of this user that an inspector can attach to.
package struct RunningApps {
  /// The apps, by the number of their process.
  package private(set) var all: [LiveConnection] = []
  /// The sockets and folders that could not be used, with the reasons.
  package private(set) var problems: [String] = []
  /// The apps that did not answer, by the numbers of their sockets.
  package private(set) var silent: [String] = []

  /// Finds the apps, and removes the sockets of those that were killed.
  ///
  /// All apps are asked at the same time. With the number of a process or a socket as `name`, no others are asked. With
  /// the name of an app that has answered, apps that are silent for longer than the patience are left out.
  ///
  /// `isCancelled` is called a few times a second; `true` interrupts the search, and later requests. `tell` receives a line
  /// about the apps that keep the search waiting for longer than the patience.
  package init(
    in folders: [LiveFolder] = LiveFolder.all(), named name: String? = nil,
    limits: LiveConnection.Limits = .init(),
    isCancelled: @escaping @Sendable () -> Bool = { false },
    tell: (String) throws -> Void
  ) rethrows {
    var sockets: [LiveSocket] = []
    for folder in folders {
      do throws(LiveFolderProblem) {
        sockets += try folder.sockets()
      } catch {
        problems.append(error.description)
      }
    }
    let own = sockets.filter { $0.id == name || $0.process == name ?? "" }
    let search = AppSearch(of: own.isEmpty ? sockets : own, limits, isCancelled)
    var waited = limits.patience
    search.wait(seconds: waited)
    let late = search.unanswered.map { "process \($0.id)" }.joined(separator: ", ")
    if !late.isEmpty, !isCancelled() {
      let isFound = name.map { search.hasFound($0) } ?? false
      try tell(
        isFound ? "\(late) does not answer, and is left out" : "waiting for an answer of \(late)")
      if !isFound {
        waited = limits.answer
        search.wait(seconds: waited)
      }
    }
    for (socket, answer) in search.end(after: waited) {
      do {
        if let app = try answer.get() { all.append(app) } else { socket.remove() }
      } catch {
        if case .timedOut = error { silent.append(socket.id) }
        problems.append("process \(socket.id): \(error)")
      }
    }
    all.sort { ($0.welcome.process ?? 0, $0.id) < ($1.welcome.process ?? 0, $1.id) }
  }

  /// Finds the apps in folders, without a word about those that keep the search waiting.
  package init(in folders: [LiveFolder]) { self.init(in: folders, tell: { _ in }) }

  /// Returns the apps of a name, or of the number of a process or a socket.
  package func matching(_ name: String) -> [LiveConnection] {
    let numbered = all.filter { $0.isNumbered(name) }
    if !numbered.isEmpty { return numbered }
    let exact = all.filter { $0.name == name }
    if !exact.isEmpty { return exact }
    return all.filter { $0.isNamed(name) }
  }

  /// `true` if a socket of this process or with this number was found, and its app did not answer.
  package func isSilent(_ name: String) -> Bool {
    silent.contains { $0 == name || LiveSocket.process(of: $0) == name }
  }
}

extension LiveConnection {
  /// `true` if this is the number of the app's process or of its socket.
  func isNumbered(_ number: String) -> Bool {
    id == number || welcome.process.map { String($0) } == number
  }

  /// `true` if the app has this name, in upper or lower case.
  func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }
}
