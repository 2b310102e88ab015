import FluxSystem
import Foundation
import TestFixtures
import Testing

@Suite struct LiveFolderTests {
  private let root: TemporaryFolder

  init() throws { root = try TemporaryFolder() }

  @Test("sockets are in the runtime folder, the one for temporary files or the short one")
  func places() {
    func paths(_ runtime: String?, temporary: String = "/var/tmp/") -> [String] {
      LiveFolder.all(
        environment: runtime.map { ["XDG_RUNTIME_DIR": $0] } ?? [:], temporary: temporary,
        user: 1000
      ).map(\.path)
    }
    let folder = root.path("")
    let shared = ["/var/tmp/flux-inspect-1000", "/tmp/flux-inspect-1000"]
    #expect(paths(folder) == ["\(folder)/flux-inspect"] + shared)
    for useless in [nil, "", "run", "/no/such/folder"] { #expect(paths(useless) == shared) }
    #expect(paths(nil, temporary: "/tmp/") == ["/tmp/flux-inspect-1000"])
  }

  @Test("a sandboxed Mac app has its sockets in its container, where an inspector finds them")
  func container() throws {
    let temporary = "/Users/me/Library/Containers/com.example.Shop/Data/tmp/"
    let own = LiveFolder.all(
      environment: ["APP_SANDBOX_CONTAINER_ID": "com.example.Shop"], temporary: temporary, user: 501
    ).first
    let found = LiveFolder.ofContainer("com.example.Shop", home: "/Users/me", user: 501)
    #expect(own?.path == temporary + "fi" && own == found)
    for name in ["", ".", "..", "../x", "a/b"] { #expect(LiveFolder.ofContainer(name) == nil) }
  }

  @Test(
    "a folder has room for a socket if its path has at most 100 bytes",
    arguments: [(91, 1, true), (92, 1, false), (89, 2, true), (90, 2, false)])
  func room(_ length: Int, _ number: UInt64, _ hasRoom: Bool) {
    let folder = LiveFolder(path: "/é" + String(repeating: "x", count: length - 3))
    #expect(folder.hasRoom(forSocketOf: 123, number: number) == hasRoom)
  }

  @Test("the folder is created for the user alone")
  func create() throws {
    let folder = LiveFolder(path: root.path("flux-inspect"))
    #expect(try folder.sockets() == [])
    try folder.create()
    #expect(try root.permissions(of: "flux-inspect") == 0o700)
    try folder.create()
    #expect(folder.socket(of: 42, number: 1) == root.path("flux-inspect") + "/42.sock")
    #expect(folder.socket(of: 42, number: 2) == root.path("flux-inspect") + "/42.2.sock")
  }

  @Test("a folder that others can open is refused")
  func open() throws {
    let path = root.path("flux-inspect")
    let folder = LiveFolder(path: path)
    try folder.create()
    try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: path)
    let problem = LiveFolderProblem(
      path: path, why: "other users can open it (mode 750); run 'chmod 700' on it")
    #expect(throws: problem) { try folder.create() }
    #expect(throws: problem) { try folder.sockets() }
  }

  @Test("a folder of another user, a link and a file are refused")
  func planted() throws {
    try root.write("", to: "file")
    try FileManager.default.createSymbolicLink(
      atPath: root.path("link"), withDestinationPath: root.path(""))
    func why(_ name: String) -> String? {
      do {
        try LiveFolder(path: root.path(name)).create()
        return nil
      } catch { return error.why }
    }
    #expect(why("file") == "it is not a folder; remove it")
    #expect(why("link") == "it is a symbolic link; remove it")
    let other = LiveFolder(path: root.path("own"), user: 4711)
    #expect(
      throws: LiveFolderProblem(
        path: root.path("own"), why: "it belongs to user \(geteuid()), not to user 4711")
    ) { try other.create() }
  }

  @Test("the sockets are listed by the numbers of their processes")
  func sockets() throws {
    let folder = LiveFolder(path: root.path("flux-inspect"))
    try folder.create()
    let listeners = try [(42, 1), (42, 2), (7, 1)].map {
      try LocalListener(path: folder.socket(of: $0.0, number: $0.1))
    }
    defer { for listener in listeners { listener.removeName() } }
    // A file with the name of a socket is none, and would be removed with the sockets of killed apps.
    for name in ["8.sock", "43.sock~", "notes"] { try root.write("", to: "flux-inspect/\(name)") }
    #expect(try folder.sockets().map(\.id) == ["42.2", "42", "7"])
    try folder.sockets()[2].remove()
    #expect(try folder.sockets().map(\.id) == ["42.2", "42"])
  }
}
