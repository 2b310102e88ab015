import FluxSystem
import Foundation
import TestFixtures
import Testing

@Suite struct LocalSocketTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("the socket belongs to the user alone, and nothing else is left in the folder")
  func mode() throws {
    let listener = try LocalListener(path: folder.path("app"))
    #expect(try folder.permissions(of: "app") == 0o600)
    #expect(try folder.names() == ["app"])
    listener.removeName()
    #expect(try folder.names() == [])
  }

  @Test("both sides know the user of the other")
  func peer() throws {
    let listener = try LocalListener(path: folder.path("app"))
    let client = try Descriptor.connecting(toLocal: listener.path)
    let server = try #require(try listener.accept())
    for side in [client, server] {
      #expect(try side.peerUser() == geteuid())
      #expect(side.isPeer(of: geteuid()))
      #expect(!side.isPeer(of: geteuid() + 1))
    }
    #expect(try listener.accept() == nil)
  }

  @Test("a socket that nobody listens to refuses clients, and its name can be taken")
  func stale() throws {
    let path = folder.path("app")
    do { _ = try LocalListener(path: path) }
    #expect(throws: SystemError("connect to", code: ECONNREFUSED)) {
      try Descriptor.connecting(toLocal: path)
    }
    let listener = try LocalListener(path: path)
    _ = try Descriptor.connecting(toLocal: path)
    #expect(try listener.accept() != nil)
    listener.removeName()
    #expect(throws: SystemError("connect to", code: ENOENT)) {
      try Descriptor.connecting(toLocal: path)
    }
  }

  @Test("a server without a thread for a client ends its connection, and serves the next one")
  func withoutThread() throws {
    let served = Monitor(0)
    let listener = try LocalListener(path: folder.path("app"))
    let server = ClientServer(listener, limit: 1) { _ in
      served.withLock { $0 += 1 }
      served.signal()
    }
    for (count, failure) in [SystemError("start a thread for", code: EAGAIN), nil].enumerated() {
      let client = try Descriptor.connecting(toLocal: listener.path)
      RefusedThreads.$failure.withValue(failure) { server.acceptNext(milliseconds: 10_000) }
      #expect(Descriptor.wait(reading: [client], writing: nil, milliseconds: 10_000))
      #expect(served.waitUntil(milliseconds: 10_000, { $0 == count }) { $0 } == count)
    }
  }

  @Test("a path that is too long for a socket is an error")
  func longPath() throws {
    let path = folder.path(String(repeating: "a", count: 120))
    #expect(throws: SystemError("make a socket", code: ENAMETOOLONG)) {
      try LocalListener(path: path)
    }
    #expect(throws: SystemError("connect to", code: ENAMETOOLONG)) {
      try Descriptor.connecting(toLocal: path)
    }
    #expect(try folder.names() == [])
  }

  @Test("a waker ends a wait, once for all calls")
  func waker() throws {
    let waker = try Waker()
    func isAwake() -> Bool {
      Descriptor.wait(for: [(waker.reading, reads: true, writes: false)], milliseconds: 0)[0]
        .canRead
    }
    #expect(!isAwake())
    for _ in 0..<100_000 { waker.wake() }
    #expect(isAwake())
    waker.reset()
    #expect(!isAwake())
  }
}
