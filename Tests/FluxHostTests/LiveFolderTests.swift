import FluxReplay
import FluxSystem
import Foundation
import TestFixtures
import Testing

@Suite struct LiveFolderTests {
  private let root: TemporaryFolder

  init() throws { root = try TemporaryFolder() }

  @Test("sockets are in the runtime folder, else in a folder of the user among the temporary ones")
  func places() {
    func paths(_ runtime: String?) -> [String] {
      LiveFolder.all(
        environment: runtime.map { ["XDG_RUNTIME_DIR": $0] } ?? [:], temporary: "/tmp/", user: 1000
      ).map(\.path)
    }
    let folder = root.path("")
    #expect(paths(folder) == ["\(folder)/flux-inspect", "/tmp/flux-inspect-1000"])
    for useless in [nil, "", "run", "/no/such/folder"] {
      #expect(paths(useless) == ["/tmp/flux-inspect-1000"])
    }
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
    for name in ["42.sock", "42.2.sock", "7.sock", "43.sock~", "notes"] {
      try root.write("", to: "flux-inspect/\(name)")
    }
    #expect(try folder.sockets().map(\.id) == ["42.2", "42", "7"])
    try folder.sockets()[2].remove()
    #expect(try folder.sockets().map(\.id) == ["42.2", "42"])
  }
}
