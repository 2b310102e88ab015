import FluxReplay
package import FluxSystem

/// The running apps of this user that an inspector can attach to.
package struct RunningApps {
  /// The apps, by the number of their process.
  package private(set) var all: [LiveConnection] = []
  /// The sockets and folders that could not be used, with the reasons.
  package private(set) var problems: [String] = []

  /// Finds the apps, and removes the sockets of those that were killed.
  ///
  /// `isCancelled` is called a few times a second; `true` interrupts the search, and later requests.
  package init(
    in folders: [LiveFolder] = LiveFolder.all(), limits: LiveConnection.Limits = .init(),
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    for folder in folders {
      do throws(LiveFolderProblem) {
        for socket in try folder.sockets() where !isCancelled() {
          add(socket, limits, isCancelled)
        }
      } catch {
        problems.append(error.description)
      }
    }
    all.sort { ($0.welcome.process ?? 0, $0.id) < ($1.welcome.process ?? 0, $1.id) }
  }

  private mutating func add(
    _ socket: LiveSocket, _ limits: LiveConnection.Limits,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) {
    do throws(LiveFailure) {
      guard
        let app = try LiveConnection.connect(
          to: socket, limits: limits, isCancelled: isCancelled)
      else {
        socket.remove()
        return
      }
      all.append(app)
    } catch {
      problems.append("process \(socket.id): \(error)")
    }
  }

  /// Returns the apps of a name, or of the number of a process or a socket.
  package func matching(_ name: String) -> [LiveConnection] {
    let numbered = all.filter { $0.id == name || $0.welcome.process.map { String($0) } == name }
    if !numbered.isEmpty { return numbered }
    let exact = all.filter { $0.name == name }
    if !exact.isEmpty { return exact }
    return all.filter { $0.name.lowercased() == name.lowercased() }
  }
}
