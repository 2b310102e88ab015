import FluxCore
import FluxHost
import FluxReplay
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxRecorder

/// A host whose folder for temporary files has a path that is too long for a socket, as in a simulator.
@Suite struct LivePlaceTests {
  private let folder: TemporaryFolder
  private let long: String

  init() throws {
    folder = try TemporaryFolder()
    long = folder.path(String(repeating: "t", count: 200))
    for path in [long, folder.path("inspector"), folder.path("s")] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
  }

  private func makeHost(user: uid_t = geteuid()) -> AppHost {
    AppHost(
      Recorder(inMemory: 1000), dispatcher: Dispatcher([TallyStore()]),
      in: LiveFolder.all(
        environment: [:], temporary: long, short: folder.path("s"), user: user))
  }

  /// The apps that an inspector finds whose folder for temporary files is another one.
  private func found(user: uid_t = geteuid()) -> RunningApps {
    RunningApps(
      in: LiveFolder.all(
        environment: [:], temporary: folder.path("inspector"), short: folder.path("s"), user: user))
  }

  private func name(_ user: uid_t = geteuid()) -> String { "s/flux-inspect-\(user)" }

  @Test("its socket is in the folder with the short path, where inspectors find it")
  func short() throws {
    let host = makeHost()
    #expect(host.failure == nil)
    #expect(try folder.permissions(of: name()) == 0o700)
    let apps = found()
    #expect(apps.all.map(\.welcome.process) == [UInt64(getpid())])
    #expect(apps.problems == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: long) == [])
    host.stop()
    #expect(found().all.isEmpty)
  }

  /// Expects that both sides refuse the folder.
  private func expectRefusal(_ why: String, user: uid_t = geteuid()) {
    let problem = "\(folder.path(name(user))): \(why)"
    #expect(makeHost(user: user).failure == problem)
    let apps = found(user: user)
    #expect(apps.all.isEmpty)
    #expect(apps.problems == [problem])
  }

  @Test("a folder that others can open is refused there")
  func open() throws {
    let path = folder.path(name())
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
    expectRefusal("other users can open it (mode 777); run 'chmod 700' on it")
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
  }

  @Test("a link is refused there, and nothing is created at its end")
  func link() throws {
    let end = folder.path("end")
    try FileManager.default.createDirectory(
      atPath: end, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(name()), withDestinationPath: end)
    expectRefusal("it is a symbolic link; remove it")
    #expect(try FileManager.default.contentsOfDirectory(atPath: end) == [])
  }

  @Test("a folder of another user is refused there")
  func otherUser() throws {
    let other = geteuid() + 1
    try FileManager.default.createDirectory(
      atPath: folder.path(name(other)), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    expectRefusal("it belongs to user \(geteuid()), not to user \(other)", user: other)
  }
}
