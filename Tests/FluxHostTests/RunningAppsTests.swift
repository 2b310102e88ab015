import FluxReplay
import FluxSystem
import Foundation
import Synchronization
import TestFixtures
import Testing

@testable import FluxHost

/// Searches for apps of which some do not answer.
@Suite struct RunningAppsTests {
  private let folder: TemporaryFolder
  private let sockets: LiveFolder
  private var limits = LiveConnection.Limits()

  init() throws {
    folder = try TemporaryFolder()
    sockets = LiveFolder(path: folder.path("s"))
    try sockets.create()
    (limits.patience, limits.answer) = (0.1, 0.3)
  }

  /// Starts an app that does not answer.
  private func silent(_ process: Int32) throws -> LocalListener {
    try LocalListener(path: sockets.socket(of: process, number: 1))
  }

  /// Starts an app that answers one client.
  private func answering(_ process: Int32, _ name: String, version: String = "2.0") throws {
    let listener = try silent(process)
    let welcome =
      #"{"jsonrpc":"2.0","id":1,"result":{"protocol":"\#(version)","parts":["live"],"app":{"name":"\#(name)","stores":[],"actionTypes":[]},"#
      + #""capabilities":{},"process":\#(process),"allows":[]}}"# + "\n"
    Thread {
      Descriptor.wait(reading: [listener.socket], writing: nil, milliseconds: 60_000)
      guard let app = try? listener.accept() else { return }
      _ = app.write(Array(welcome.utf8))
      app.waitForHangUp()
    }.start()
  }

  private func search(
    _ name: String? = nil, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) -> (apps: RunningApps, told: [String]) {
    var told: [String] = []
    let apps = RunningApps(
      in: [sockets], named: name, limits: limits, isCancelled: isCancelled,
      tell: { told.append($0) })
    return (apps, told)
  }

  private func problem(_ process: Int, after seconds: Double) -> String {
    "process \(process): \(LiveFailure.timedOut(seconds: seconds))"
  }

  @Test("an app of a later major version is refused, whatever form its description has")
  func version() throws {
    try answering(13, "Shop", version: "3.0")
    let apps = search().apps
    #expect(apps.all.isEmpty)
    #expect(
      apps.problems == [
        "process 13: it uses version 3.0 of the protocol, and this program 2.0; build both with the same "
          + "version of the package"
      ])
  }

  @Test("an app for whose answer there is no thread is a problem at once")
  func withoutThread() throws {
    let listener = try silent(11)
    let failure = SystemError("start a thread for", code: EAGAIN)
    let (apps, told) = RefusedThreads.$failure.withValue(failure) { search() }
    #expect(apps.all.isEmpty && told.isEmpty)
    #expect(apps.problems == ["process 11: \(failure.text(about: "its answer"))"])
    #expect(!apps.isSilent("11"))
    withExtendedLifetime(listener) {}
  }

  @Test("silent apps are named before the wait for their answers")
  func silence() throws {
    let listeners = try [silent(11), silent(12)]
    try answering(13, "Shop")
    let (apps, told) = search()
    #expect(told == ["waiting for an answer of process 11, process 12"])
    #expect(apps.all.map(\.name) == ["Shop"])
    #expect(apps.problems == [problem(11, after: 0.3), problem(12, after: 0.3)])
    #expect(apps.isSilent("11"))
    #expect(!apps.isSilent("13"))
    withExtendedLifetime(listeners) {}
  }

  @Test("an app that is found by its name does not wait for silent ones")
  func name() throws {
    let listener = try silent(11)
    try answering(13, "Shop")
    let (apps, told) = search("shop")
    #expect(told == ["process 11 does not answer, and is left out"])
    #expect(apps.matching("shop").map(\.id) == ["13"])
    #expect(apps.problems == [problem(11, after: 0.1)])
    withExtendedLifetime(listener) {}
  }

  @Test("an app that is named by its process is the only one asked")
  func process() throws {
    let listener = try silent(11)
    try answering(13, "Shop")
    let found = search("13")
    #expect(found.apps.all.map(\.id) == ["13"])
    #expect(found.told == [])
    #expect(search("11").apps.isSilent("11"))
    withExtendedLifetime(listener) {}
  }

  @Test("a search can be interrupted, and later requests too")
  func interruption() throws {
    try answering(13, "Shop")
    let isInterrupted = Flag()
    let app = try #require(search { isInterrupted.isSet }.apps.all.first)
    isInterrupted.isSet = true
    #expect(throws: LiveFailure.cancelled) { try app.watch() }
    let listener = try silent(11)
    let (apps, told) = search { true }
    #expect(told == [])
    #expect(apps.all.isEmpty)
    withExtendedLifetime(listener) {}
  }
}

/// A flag that threads share.
private final class Flag: Sendable {
  private let state = Mutex(false)

  var isSet: Bool {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
