import FluxReplay
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxHost

@Suite struct LiveConnectionTests {
  @Test(
    "an answer to a request that was not made ends the connection at once",
    arguments: ["1001", "0", "-1", "1.5", "\"1\"", "null"])
  func wrongID(_ id: String) throws {
    let folder = try TemporaryFolder()
    let sockets = LiveFolder(path: folder.path("s"))
    try sockets.create()
    let listener = try LocalListener(path: sockets.socket(of: 1, number: 1))
    let answer = #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"# + "\n"
    Thread {
      Descriptor.wait(reading: [listener.socket], writing: nil, milliseconds: 60_000)
      guard let app = try? listener.accept() else { return }
      _ = app.write(Array(answer.utf8))
      app.waitForHangUp()
    }.start()
    let socket = try #require(try sockets.sockets().first)
    #expect(
      throws: LiveFailure.malformed("an answer to a request that was not made, with the id \(id)")
    ) { _ = try LiveConnection.connect(to: socket) }
  }
}
