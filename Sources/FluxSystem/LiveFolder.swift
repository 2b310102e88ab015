import Foundation

/// The folder with the sockets of a user's running apps.
///
/// It is `flux-inspect` in `$XDG_RUNTIME_DIR`, or else `flux-inspect-UID` in the folder for temporary files, or in `/tmp`
/// if the path of a socket would be too long there. In a sandbox of macOS it is `fi` in the folder for temporary files,
/// because the path of its container is long. Only its user can open it, so nobody else can connect or plant a
/// socket.
package struct LiveFolder: Sendable, Equatable {
  /// The end of a socket's name; before it is the number of the process, as in `4242.sock`.
  static let suffix = ".sock"
  /// The longest path of a socket in bytes: Apple's systems have room for 103, and a new socket has one more in its name.
  private static let longestPath = 100

  package let path: String
  private let user: uid_t

  /// Names a folder, which needs not exist.
  package init(path: String, user: uid_t = geteuid()) {
    (self.path, self.user) = (path, user)
  }

  /// The folders of this user; an app takes the first one that has room for the path of its socket.
  ///
  /// An app and an inspector can have different environments, so an inspector looks in all. The folders need not exist. On
  /// a device, where no inspector runs, there are none. `short` is the folder with a short path, which all programs of the
  /// machine share.
  package static func all(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    temporary: String = NSTemporaryDirectory(), short: String = "/tmp", user: uid_t = geteuid()
  ) -> [LiveFolder] {
    #if (os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)) && !targetEnvironment(simulator)
      return []
    #else
      return usual(environment, temporary, short, user)
    #endif
  }

  private static func usual(
    _ environment: [String: String], _ temporary: String, _ short: String, _ user: uid_t
  ) -> [LiveFolder] {
    var paths: [String] = []
    if environment["APP_SANDBOX_CONTAINER_ID"] != nil {
      paths.append(temporary + (temporary.hasSuffix("/") ? "" : "/") + Self.sandboxed)
    }
    if let folder = environment.baseFolder("XDG_RUNTIME_DIR"), FileStatus.isFolder(at: folder) {
      paths.append("\(folder)/flux-inspect")
    }
    for folder in [temporary, short] {
      let path = folder + (folder.hasSuffix("/") ? "" : "/") + "flux-inspect-\(user)"
      if !paths.contains(path) { paths.append(path) }
    }
    return paths.map { LiveFolder(path: $0, user: user) }
  }

  /// The name of the folder in a sandboxed app's folder for temporary files.
  private static let sandboxed = "fi"

  /// The folder of a sandboxed Mac app, which need not exist; nil if `container` is no bundle identifier.
  package static func ofContainer(
    _ container: String, home: String = NSHomeDirectory(), user: uid_t = geteuid()
  ) -> LiveFolder? {
    guard !container.isEmpty, !container.hasPrefix("."), !container.contains("/") else {
      return nil
    }
    return LiveFolder(
      path: "\(home)/Library/Containers/\(container)/Data/tmp/\(sandboxed)", user: user)
  }

  /// Creates the folder if it does not exist, and checks that nobody else can use it.
  package func create() throws(LiveFolderProblem) {
    do throws(SystemError) {
      try PrivateFolder.create(path)
    } catch {
      throw LiveFolderProblem(path: path, why: systemMessage(error.code))
    }
    guard try exists() else { throw LiveFolderProblem(path: path, why: "it was removed") }
  }

  /// Returns `true` if there is such a folder.
  ///
  /// - Throws: ``LiveFolderProblem`` if it is not a folder of the user alone.
  package func exists() throws(LiveFolderProblem) -> Bool {
    let status: FileStatus?
    do throws(SystemError) {
      status = try FileStatus(path: path, followsLinks: false)
    } catch {
      throw LiveFolderProblem(path: path, why: systemMessage(error.code))
    }
    guard let status else { return false }
    if let why = Self.objection(to: status, user: user) {
      throw LiveFolderProblem(path: path, why: why)
    }
    return true
  }

  /// Returns the reason why a folder is not private to a user; nil if it is.
  static func objection(to status: FileStatus, user: uid_t) -> String? {
    if status.isSymbolicLink { return "it is a symbolic link; remove it" }
    if !status.isFolder { return "it is not a folder; remove it" }
    if status.owner != user { return "it belongs to user \(status.owner), not to user \(user)" }
    guard status.permissions & 0o077 != 0 else { return nil }
    let mode = String(status.permissions & 0o777, radix: 8)
    return "other users can open it (mode \(mode)); run 'chmod 700' on it"
  }

  /// Returns the path of a socket; the first of a process has the number 1.
  package func socket(of process: Int32, number: UInt64) -> String {
    "\(path)/\(process)\(number > 1 ? ".\(number)" : "")\(Self.suffix)"
  }

  /// `true` if the system takes the path of that socket.
  package func hasRoom(forSocketOf process: Int32, number: UInt64) -> Bool {
    socket(of: process, number: number).utf8.count <= Self.longestPath
  }

  /// The sockets in the folder, sorted by name; none if there is no such folder.
  ///
  /// - Throws: ``LiveFolderProblem`` if the folder is not private, or cannot be read.
  package func sockets() throws(LiveFolderProblem) -> [LiveSocket] {
    guard try exists() else { return [] }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw LiveFolderProblem(path: path, why: error.localizedDescription)
    }
    return names.filter { $0.hasSuffix(Self.suffix) }.sorted()
      .map { LiveSocket(path: "\(path)/\($0)", id: String($0.dropLast(Self.suffix.count))) }
      .filter(\.isSocket)
  }
}

/// A socket of a running app, or one that an app left when it was killed.
package struct LiveSocket: Sendable, Equatable {
  package let path: String
  /// The number of the process, and for its second socket `.2`: `4242.2`.
  package let id: String

  /// `false` if something else has the name of a socket, which is never to be removed.
  fileprivate var isSocket: Bool {
    FileStatus.known(at: path, followsLinks: false)?.isSocket ?? false
  }

  /// The number of the process.
  package var process: Substring { Self.process(of: id) }

  /// Returns the number of the process in that of its socket.
  package static func process(of id: String) -> Substring { id.prefix { $0 != "." } }

  /// Removes a socket to which nobody listens any more.
  package func remove() { _ = unsafe unlink(path) }
}

/// The reason why a folder of sockets cannot be used.
package struct LiveFolderProblem: Error, Equatable, CustomStringConvertible {
  package let path: String
  package let why: String

  package init(path: String, why: String) { (self.path, self.why) = (path, why) }

  package var description: String { "\(path): \(why)" }
}
